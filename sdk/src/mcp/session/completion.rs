//! `completion/complete`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::state::Session;
use super::step::Step;
use crate::mcp::completion::{Completer, write_nothing};
use crate::mcp::context::Asking;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Request, Revision, encoded_uri};
use crate::scan;

impl Session {
    pub(super) fn complete_argument<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Step<'a>, ErrorObject> {
        let reference = member(request, "ref")?;
        let sent = member(request, "argument")?;
        let (argument, value) = (text("argument", sent, "name")?, text("argument", sent, "value")?);
        let chosen = chosen(request.params.get("context"))?;
        let typed = (&*argument, &*value);
        let (name, completer) = self.completer(reference, typed, &chosen, out)?;
        let Some(completer) = completer else {
            let profile = revision.profile();
            out.result(&request.id, None, revision, &mut |out| {
                self.complete(profile, None, out, &mut |out| write_nothing(profile, out));
            });
            return Ok(Step::Idle);
        };
        let (subject, decoder) = completer.call(name, value, chosen);
        self.begin(request, revision, Asking::nothing(), subject, decoder).map(Step::Call)
    }

    /// The name or the URI in a reference to a prompt or to a template, and what completes its
    /// argument, with the text that is typed for it.
    fn completer(
        &mut self,
        reference: &str,
        (argument, typed): (&str, &str),
        chosen: &Map<String, Value>,
        out: &mut Outbox,
    ) -> Result<(String, Option<Completer>), ErrorObject> {
        let unknown =
            |noun: &str, name: &str| ErrorObject::invalid_params(format!("Unknown {noun}: {name}"));
        match scan::text(reference, "type").as_deref() {
            Some("ref/prompt") => {
                let name = text("ref", reference, "name")?;
                let prompt = self.prompts.now(out).get(&name);
                let prompt = prompt.ok_or_else(|| unknown("prompt", &name))?;
                let completer = prompt.completer(argument);
                Ok((name, completer))
            }
            Some("ref/resource") => {
                let uri = text("ref", reference, "uri")?;
                let template = self.templates.now(out).get(&encoded_uri(&uri, true));
                let template = template.ok_or_else(|| unknown("resource template", &uri))?;
                // A function that completes relies on what the variables of a template can be.
                let may_be = |(name, value): (&String, &Value)| {
                    value.as_str().is_none_or(|value| template.may_be(name, value))
                };
                let is_possible = template.may_be(argument, typed) && chosen.iter().all(may_be);
                let completer = template.completer(argument).filter(|_| is_possible);
                Ok((uri, completer))
            }
            _ => Err(wrong("ref", "its `type` is neither `ref/prompt` nor `ref/resource`")),
        }
    }
}

/// The arguments that the user has chosen already.
fn chosen(context: Option<&str>) -> Result<Map<String, Value>, ErrorObject> {
    let context = match context {
        None | Some("null") => return Ok(Map::new()),
        Some(context) if context.starts_with('{') => context,
        Some(_) => return Err(wrong("context", "it must be an object")),
    };
    match scan::member(context, "arguments").map(str::parse) {
        None => Ok(Map::new()),
        Some(Ok(Value::Object(arguments))) => Ok(arguments),
        // JSON has numbers that no value of ours can hold, and no bound of nesting.
        Some(Err(error)) => Err(wrong("context", &format!("its `arguments`: {error}"))),
        Some(_) => Err(wrong("context", "its `arguments` must be an object")),
    }
}

/// A member of the request's `params`.
fn member<'a>(request: &Request<'a>, name: &str) -> Result<&'a str, ErrorObject> {
    let member = request.params.get(name);
    member.ok_or_else(|| ErrorObject::invalid_params(format!("`{name}` is missing")))
}

/// A text in the member `name` of `params`.
fn text(name: &str, object: &str, member: &str) -> Result<String, ErrorObject> {
    let text = scan::text(object, member).map(Cow::into_owned);
    text.ok_or_else(|| wrong(name, &format!("no text `{member}`")))
}

fn wrong(name: &str, problem: &str) -> ErrorObject {
    ErrorObject::invalid_params(format!("`{name}` is wrong: {problem}"))
}
