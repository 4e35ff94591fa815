//! The definition of a tool: its entry in the list, and its promises.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use super::reply::ToolReply;
use super::schema_text::{raw, read};
use crate::mcp::call::{CallResult, Failure, Kind, Outcome, Reply, Subject};
use crate::mcp::callee::{Callee, Function, Shown};
use crate::mcp::extensions::Extensions;
use crate::mcp::output::{Cause, ToolResult};
use crate::mcp::protocol::{
    Profile, StructuredContent, TaskSupport, ToolAnnotations, ToolInfo, app,
};
use crate::mcp::schema::{self, Header, Patterns};
use crate::mcp::words::has_only;

/// A tool without its handler. It holds no user code.
#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) callee: Callee,
    /// The text of the input schema; written when it is first needed if the schema was derived.
    pub(super) input: OnceLock<Box<RawValue>>,
    pub(super) output: Option<OutputSchema>,
    /// What is wrong with the output schema.
    output_defects: Vec<String>,
    pub(super) annotations: ToolAnnotations,
    /// What the token of a caller must allow.
    pub(super) scopes: Vec<Cow<'static, str>>,
    pub(super) task: Option<TaskSupport>,
    /// The arguments that the headers of an HTTP request repeat.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has headers"))]
    pub(crate) headers: Vec<Header>,
}

#[derive(Clone)]
pub(super) struct OutputSchema {
    pub(super) schema: Box<RawValue>,
    /// The schema of `{"result": …}` for revisions that have only objects, if the schema is not one
    /// of objects.
    wrapped: Option<Box<RawValue>>,
}

impl Definition {
    pub(super) fn new(callee: Callee) -> Self {
        Self {
            callee,
            input: OnceLock::new(),
            output: None,
            output_defects: Vec::new(),
            annotations: ToolAnnotations::default(),
            scopes: Vec::new(),
            task: None,
            headers: Vec::new(),
        }
    }

    /// The definition of the tool of a function, still without schemas.
    pub(super) fn of_function(function: &Function) -> Self {
        let [read_only_hint, destructive_hint, idempotent_hint, open_world_hint] = function.hints;
        let mut tool = Self::new(function.callee());
        app::encode_view(&mut tool.callee.meta);
        tool.annotations = ToolAnnotations {
            title: None,
            read_only_hint,
            destructive_hint,
            idempotent_hint,
            open_world_hint,
        };
        tool.task = function.task;
        tool.scopes = function.scopes.iter().copied().map(Into::into).collect();
        tool
    }

    /// The tool's entry in `tools/list`.
    pub(crate) fn info(&self, profile: &Profile) -> ToolInfo<'_> {
        let output = self.output.as_ref().and_then(|output| match profile.structured_content {
            StructuredContent::None => None,
            StructuredContent::Objects => Some(output.wrapped.as_ref().unwrap_or(&output.schema)),
            StructuredContent::Any => Some(&output.schema),
        });
        let Shown { name, title, description, icons, meta } = self.callee.within(profile);
        ToolInfo {
            name,
            title,
            description,
            input_schema: self.input(),
            output_schema: output.map(|output| &**output),
            annotations: self.annotations(profile),
            icons,
            meta,
        }
    }

    /// The hints about what the tool does. Where tools have no title of their own, it is there.
    fn annotations(&self, profile: &Profile) -> Option<Cow<'_, ToolAnnotations>> {
        let mut annotations = Cow::Borrowed(&self.annotations);
        let title = &self.callee.title;
        if !profile.has_titles && annotations.title.is_none() && title.is_some() {
            annotations.to_mut().title.clone_from(title);
        }
        Some(annotations).filter(|hints| profile.has_annotations && !hints.is_empty())
    }

    /// The input schema as clients get it.
    pub(super) fn input(&self) -> &RawValue {
        self.input.get_or_init(|| raw(self.callee.schema.as_ref().unwrap_or(&Value::Null)))
    }

    /// The mistakes that keep the tool out of a registry whose server has these values.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        const NAME: &str = "its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and \
                            `.` (MCP, tool names)";
        let mut defects = self.callee.defects(values);
        defects.extend_from_slice(&self.output_defects);
        if !is_name(&self.callee.name) {
            defects.insert(0, NAME.to_owned());
        }
        for scope in &self.scopes {
            if !is_scope(scope) {
                defects.push(format!(
                    "its scope {scope:?} must be visible ASCII text without `\"` and `\\` \
                     (RFC 6749)"
                ));
            }
        }
        defects
    }

    /// Takes an input schema that was written by hand, or the defect of its text.
    #[inline]
    pub(super) fn take(&mut self, schema: Result<Box<RawValue>, String>) {
        let value = schema.and_then(|schema| {
            let value = read(&schema);
            self.input = schema.into();
            value
        });
        match value {
            Ok(value) => self.headers = headers(&value, Patterns::Any, &mut self.callee.defects),
            Err(defect) => self.callee.defects.push(defect),
        }
    }

    /// Promises that every success has structured content of this schema, and no more of another.
    pub(super) fn promise(&mut self, schema: Result<Box<RawValue>, String>) {
        match schema.and_then(|schema| Ok((read(&schema)?, schema))) {
            Ok((value, schema)) => {
                self.output_defects = schema::output_defects(&value);
                let wrapped = (!schema::is_object(&value)).then(|| raw(&schema::wrapped(value)));
                self.output = Some(OutputSchema { schema, wrapped });
            }
            Err(defect) => self.output_defects = vec![defect],
        }
    }
}

/// The headers that repeat arguments of this input schema. Adds what is wrong with the schema.
pub(super) fn headers(
    schema: &Value,
    patterns: Patterns,
    defects: &mut Vec<String>,
) -> Vec<Header> {
    defects.extend(schema::defects(schema, patterns));
    schema::headers(schema, defects)
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
        if let (Some(reply), Some(output)) = (reply.downcast_mut::<ToolReply>(), &self.output) {
            reply.promised(output.wrapped.is_some());
            if cfg!(debug_assertions) {
                reply.check(&self.callee.name, &output.schema);
            }
        }
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        let text = self.callee.failure("tool", failure);
        let cause = match failure {
            Failure::BadArguments(_) => Cause::BadArguments,
            Failure::Panicked => Cause::Panic,
            _ => Cause::Tool,
        };
        Ok(Outcome::Complete(Box::new(ToolReply::new(ToolResult::caused(cause, text)))))
    }
}

fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len()) && has_only(name, b"_-.")
}

/// RFC 6749, section 3.3.
fn is_scope(scope: &str) -> bool {
    let is_of_scope = |byte: u8| byte.is_ascii_graphic() && !b"\"\\".contains(&byte);
    !scope.is_empty() && scope.bytes().all(is_of_scope)
}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Tool");
        debug
            .field("name", &self.callee.name)
            .field("kind", &self.callee.kind)
            .finish_non_exhaustive()
    }
}
