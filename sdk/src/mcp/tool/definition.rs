//! The definition of a tool: its entry in the list, and its promises.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::reply::ToolReply;
use super::schema_text::{IntoSchema, raw, read};
use crate::mcp::args::{Expected, Parameter};
use crate::mcp::call::{CallResult, Failure, Kind, Outcome, Reply, Subject};
use crate::mcp::extensions::{Extensions, Need};
use crate::mcp::output::{Cause, ToolResult};
use crate::mcp::protocol::{Icon, Profile, StructuredContent, ToolAnnotations, ToolInfo};
use crate::mcp::schema::{self, Header};

/// A tool without its handler. It holds no user code.
#[derive(Clone)]
pub(crate) struct Definition {
    pub(super) name: Cow<'static, str>,
    pub(super) kind: Kind,
    pub(super) timeout: Option<Duration>,
    /// Empty if the input schema was given by hand.
    pub(super) parameters: &'static [Parameter],
    /// The input schema if it was derived, to describe problems by.
    pub(super) derived_input: Option<Value>,
    /// False if the input schema has no bounds that are enforced.
    pub(super) may_have_bounds: bool,
    pub(super) title: Option<Cow<'static, str>>,
    pub(super) description: Cow<'static, str>,
    /// The text of the input schema; written when it is first needed if the schema was derived.
    pub(super) input: OnceLock<Box<RawValue>>,
    pub(super) output: Option<OutputSchema>,
    pub(super) annotations: ToolAnnotations,
    pub(super) icons: Vec<Icon>,
    pub(super) meta: Map<String, Value>,
    /// What the token of a caller must allow.
    pub(super) scopes: Vec<Cow<'static, str>>,
    /// The arguments that the headers of an HTTP request repeat.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has headers"))]
    pub(crate) headers: Vec<Header>,
    /// The values that the tool takes from its server.
    pub(super) needs: Vec<Need>,
    pub(super) defects: Vec<String>,
}

#[derive(Clone)]
pub(super) struct OutputSchema {
    pub(super) schema: Box<RawValue>,
    /// The schema of `{"result": …}` for revisions that have only objects, if the schema is not one
    /// of objects.
    wrapped: Option<Box<RawValue>>,
}

impl Definition {
    pub(super) fn new(name: Cow<'static, str>, description: Cow<'static, str>) -> Self {
        Self {
            name,
            kind: Kind::Async,
            timeout: None,
            parameters: &[],
            derived_input: None,
            may_have_bounds: false,
            title: None,
            description,
            input: OnceLock::new(),
            output: None,
            annotations: ToolAnnotations::default(),
            icons: Vec::new(),
            meta: Map::new(),
            scopes: Vec::new(),
            headers: Vec::new(),
            needs: Vec::new(),
            defects: Vec::new(),
        }
    }

    /// The tool's entry in `tools/list`.
    pub(crate) fn info(&self, profile: &Profile) -> ToolInfo<'_> {
        let output = self.output.as_ref().and_then(|output| match profile.structured_content {
            StructuredContent::None => None,
            StructuredContent::Objects => Some(output.wrapped.as_ref().unwrap_or(&output.schema)),
            StructuredContent::Any => Some(&output.schema),
        });
        ToolInfo {
            name: &self.name,
            title: self.title.as_deref().filter(|_| profile.has_titles),
            description: &self.description,
            input_schema: self.input(),
            output_schema: output.map(|output| &**output),
            annotations: self.annotations(profile),
            icons: if profile.has_icons { &self.icons } else { &[] },
            meta: Some(&self.meta).filter(|meta| profile.has_meta && !meta.is_empty()),
        }
    }

    /// The hints about what the tool does. Where tools have no title of their own, it is there.
    fn annotations(&self, profile: &Profile) -> Option<Cow<'_, ToolAnnotations>> {
        let mut annotations = Cow::Borrowed(&self.annotations);
        if !profile.has_titles && annotations.title.is_none() && self.title.is_some() {
            annotations.to_mut().title.clone_from(&self.title);
        }
        Some(annotations).filter(|hints| profile.has_annotations && !hints.is_empty())
    }

    /// The input schema as clients get it.
    pub(super) fn input(&self) -> &RawValue {
        self.input.get_or_init(|| raw(self.derived_input.as_ref().unwrap_or(&Value::Null)))
    }

    /// The mistakes that keep the tool out of a registry whose server has these values.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        const NAME: &str = "its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and \
                            `.` (MCP, tool names)";
        let name = (!is_name(&self.name)).then(|| NAME.to_owned());
        let missing = self.needs.iter().filter(|need| !values.meet(need)).map(missing);
        let scopes = self.scopes.iter().filter(|scope| !is_scope(scope)).map(|scope| {
            format!(
                "its scope {scope:?} must be visible ASCII text without `\"` and `\\` (RFC 6749)"
            )
        });
        let defects = name.into_iter().chain(self.defects.iter().cloned());
        defects.chain(missing).chain(scopes).collect()
    }

    /// What the tool expects of its arguments, without their bounds.
    pub(crate) fn expected(&self) -> Expected<'_> {
        Expected {
            name: &self.name,
            parameters: self.parameters,
            schema: self.derived_input.as_ref(),
            bounds: None,
        }
    }

    /// Promises that every success has structured content of this schema.
    pub(super) fn promise(&mut self, schema: impl IntoSchema) {
        let schema = match schema.into_schema() {
            Ok(schema) => schema,
            Err(defect) => return self.defects.push(defect),
        };
        let value = match read(&schema) {
            Ok(value) => value,
            Err(defect) => return self.defects.push(defect),
        };
        self.defects.extend(schema::output_defects(&value));
        let wrapped = (!schema::is_object(&value)).then(|| raw(&schema::wrapped(value)));
        self.output = Some(OutputSchema { schema, wrapped });
    }
}

impl Subject for Definition {
    fn name(&self) -> &str {
        &self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    fn complete(&self, reply: &mut dyn Reply) {
        let reply: &mut dyn Any = reply;
        if let (Some(reply), Some(output)) = (reply.downcast_mut::<ToolReply>(), &self.output) {
            reply.promised(output.wrapped.is_some());
            if cfg!(debug_assertions) {
                reply.check(&self.name, &output.schema);
            }
        }
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        let limit = self.timeout.unwrap_or_default();
        let text_of = |what: &str| format!("The tool `{}` {what}.", self.name);
        let text = match failure {
            Failure::BadArguments(bad) => bad.to_string(),
            Failure::Panicked => text_of("failed: an internal error stopped it"),
            Failure::TimedOut => {
                text_of(&format!("was stopped: it did not finish within {limit:?}"))
            }
            Failure::Overloaded => text_of("was not called: too many calls wait already"),
            Failure::ShutDown => text_of("was stopped: the server is shutting down"),
        };
        let cause = match failure {
            Failure::BadArguments(_) => Cause::BadArguments,
            Failure::Panicked => Cause::Panic,
            _ => Cause::Tool,
        };
        Ok(Outcome::Complete(Box::new(ToolReply::new(ToolResult::caused(cause, text)))))
    }
}

fn missing(Need { name, .. }: &Need) -> String {
    let missing = format!("it takes `State<{name}>`, and the server has no such state");
    // As other frameworks have it, where a state is in an `Arc` for its clones.
    match name.strip_prefix("alloc::sync::Arc<").and_then(|name| name.strip_suffix('>')) {
        Some(inner) => format!("{missing}; write `State<{inner}>`, which needs no `Arc`"),
        None => format!("{missing}; give its builder one: `.state(…)`"),
    }
}

fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// RFC 6749, section 3.3.
fn is_scope(scope: &str) -> bool {
    let is_of_scope = |byte: u8| byte.is_ascii_graphic() && !b"\"\\".contains(&byte);
    !scope.is_empty() && scope.bytes().all(is_of_scope)
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Tool");
        debug.field("name", &self.name).field("kind", &self.kind).finish_non_exhaustive()
    }
}
