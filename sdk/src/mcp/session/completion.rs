//! `completion/complete`.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::state::Session;
use super::step::Step;
use crate::mcp::completion::{Completer, write_nothing};
use crate::mcp::context::Asking;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Request, Revision};
use crate::mcp::resource::encoded;

/// What has the argument: the name of a prompt, or the URI of a template.
enum Reference {
    Prompt(String),
    Resource(String),
}

/// A [`Reference`] as it is sent. A member that its kind does not need may be anything.
#[derive(Deserialize)]
struct Sent {
    #[serde(rename = "type")]
    kind: Kind,
    name: Option<Value>,
    uri: Option<Value>,
}

#[derive(Deserialize)]
enum Kind {
    #[serde(rename = "ref/prompt")]
    Prompt,
    #[serde(rename = "ref/resource")]
    Resource,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

#[derive(Default, Deserialize)]
struct Chosen {
    #[serde(default)]
    arguments: Map<String, Value>,
}

impl Session {
    pub(super) fn complete_argument<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Step<'a>, ErrorObject> {
        let reference = Reference::of(member(request, "ref")?)?;
        let Argument { name: argument, value } = member(request, "argument")?;
        let chosen = match request.params.get("context") {
            None | Some("null") => Chosen::default(),
            Some(_) => member(request, "context")?,
        };
        let (name, completer) = self.completer(&reference, &argument, out)?;
        let Some(completer) = completer else {
            let profile = revision.profile();
            out.result(&request.id, None, revision, &mut |out| {
                self.complete(profile, None, out, &mut |out| write_nothing(profile, out));
            });
            return Ok(Step::Idle);
        };
        let (subject, decoder) = completer.call(name, value, chosen.arguments);
        self.begin(request, revision, Asking::nothing(), subject, decoder).map(Step::Call)
    }

    fn completer(
        &mut self,
        reference: &Reference,
        argument: &str,
        out: &mut Outbox,
    ) -> Result<(String, Option<Completer>), ErrorObject> {
        match reference {
            Reference::Prompt(name) => {
                let prompts = self.prompts.now(out);
                let prompt = prompts.get(name).ok_or_else(|| {
                    ErrorObject::invalid_params(format!("Unknown prompt: {name}"))
                })?;
                Ok((name.clone(), prompt.completer(argument)))
            }
            Reference::Resource(uri) => {
                let templates = self.templates.now(out);
                let template = templates.get(&encoded(uri, true)).ok_or_else(|| {
                    ErrorObject::invalid_params(format!("Unknown resource template: {uri}"))
                })?;
                Ok((uri.clone(), template.0.completer(argument)))
            }
        }
    }
}

impl Reference {
    fn of(sent: Sent) -> Result<Self, ErrorObject> {
        let text = |name, member| match member {
            Some(Value::String(text)) => Ok(text),
            _ => Err(ErrorObject::invalid_params(format!("`ref` is wrong: no text `{name}`"))),
        };
        match sent.kind {
            Kind::Prompt => text("name", sent.name).map(Self::Prompt),
            Kind::Resource => text("uri", sent.uri).map(Self::Resource),
        }
    }
}

/// A member of the request's `params`.
fn member<'a, T: Deserialize<'a>>(
    request: &Request<'a>,
    name: &'static str,
) -> Result<T, ErrorObject> {
    serde_json::from_str(text(request, name)?).map_err(|error| wrong(name, &error))
}

fn text<'a>(request: &Request<'a>, name: &str) -> Result<&'a str, ErrorObject> {
    let text = request.params.get(name);
    text.ok_or_else(|| ErrorObject::invalid_params(format!("`{name}` is missing")))
}

fn wrong(name: &str, error: &serde_json::Error) -> ErrorObject {
    ErrorObject::invalid_params(format!("`{name}` is wrong: {error}"))
}
