//! The definition of a prompt: its entry in the list.

use std::any::Any;
use std::borrow::Cow;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::reply::PromptReply;
use crate::mcp::call::{CallResult, Failure, Kind, Reply, Subject};
use crate::mcp::callee::{Callee, Shown};
use crate::mcp::extensions::Extensions;
use crate::mcp::places::Places;
use crate::mcp::protocol::{Profile, PromptArgument, PromptInfo};
use crate::mcp::words::has_only;

/// A prompt without its code. It holds no user code.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) callee: Callee,
    pub(super) arguments: Vec<PromptArgument>,
}

impl Definition {
    /// The prompt's entry in `prompts/list`.
    pub(crate) fn info(&self, profile: &Profile) -> PromptInfo<'_> {
        let Shown { name, title, description, icons, meta } = self.callee.within(profile);
        let is_titled = self.arguments.iter().any(|argument| argument.title.is_some());
        let arguments = match is_titled && !profile.has_titles {
            true => self.arguments.iter().map(|argument| argument.within(profile)).collect(),
            false => Cow::Borrowed(&*self.arguments),
        };
        PromptInfo { name, title, description, arguments, icons, meta }
    }

    /// The mistakes that keep the prompt out of a registry whose server has these values.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        // Claude Code lists other names, and cannot call them.
        const NAME: &str = "its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_` and `-`";
        let name = &self.callee.name;
        let mut defects = self.callee.defects(values);
        if !(1..=128).contains(&name.len()) || !has_only(name, b"_-") {
            defects.insert(0, NAME.to_owned());
        }
        let mut seen = Places::default();
        for PromptArgument { name, .. } in &self.arguments {
            if !seen.add((&**name).into()) {
                defects.push(format!("there is more than one argument `{name}`"));
            }
        }
        defects
    }
}

impl Subject for Definition {
    fn name(&self) -> &str {
        &self.callee.name
    }

    fn kind(&self) -> Kind {
        self.callee.kind
    }

    fn timeout(&self) -> Option<Duration> {
        self.callee.timeout
    }

    fn complete(&self, reply: &mut dyn Reply) {
        let reply: &mut dyn Any = reply;
        if let Some(reply) = reply.downcast_mut::<PromptReply>() {
            reply.0.description.get_or_insert_with(|| self.callee.description.clone());
        }
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        self.callee.refusal("prompt", failure)
    }
}

/// The schema of arguments.
#[inline]
pub(super) fn schema(arguments: &[PromptArgument]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for PromptArgument { name, required: is_required, .. } in arguments {
        required.extend(is_required.then(|| Value::from(&**name)));
        properties.insert((**name).to_owned(), json!({"type": "string"}));
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// The arguments that the properties of a schema describe.
#[inline]
pub(super) fn arguments(schema: Option<&Value>) -> Vec<PromptArgument> {
    let member = |name: &str| schema.and_then(|schema| schema.get(name));
    let required = member("required").and_then(Value::as_array).map_or(&[][..], |names| names);
    let properties = member("properties").and_then(Value::as_object);
    let argument = |(name, schema): (&String, &Value)| PromptArgument {
        name: name.clone().into(),
        title: text(schema, "title"),
        description: text(schema, "description").unwrap_or_default(),
        required: required.iter().any(|required| required == name),
    };
    properties.map(Map::iter).into_iter().flatten().map(argument).collect()
}

#[inline]
fn text(schema: &Value, keyword: &str) -> Option<Cow<'static, str>> {
    Some(schema.get(keyword)?.as_str()?.to_owned().into())
}
