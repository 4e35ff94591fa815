//! The result of a `tools/call`, in the form of each revision.

use std::any::Any;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::mcp::call::{CallResult, Ended, Outcome, Reply};
use crate::mcp::output::ToolResult;
use crate::mcp::protocol::{
    Content, ErrorObject, Profile, StructuredContent, Text, write_content, write_string,
};
use crate::mcp::schema::check;
use crate::panics;

/// The result that a tool has returned, and the effect of its output schema on it.
pub(crate) struct ToolReply {
    pub(crate) result: ToolResult,
    /// True if structured content goes as `{"result": …}` to clients that accept only objects;
    /// `None` lets the value decide.
    wraps: Option<bool>,
}

impl ToolReply {
    pub(crate) fn new(result: ToolResult) -> Self {
        Self { result, wraps: None }
    }

    /// The end of the work of a tool.
    pub(crate) fn ended(result: ToolResult) -> Ended {
        if let Some(error) = result.error_object() {
            let message = result.to_text().into();
            return Ended::refused(ErrorObject { message, ..error.clone() });
        }
        // The memory first: then the result, which was just written, is copied once.
        let reply = Box::write(Box::new_uninit(), Self::new(result));
        Ended(Ok(Outcome::Complete(reply)))
    }

    /// The tool's result from a call that had no client, or that a layer is around.
    #[inline]
    pub(crate) fn result_of(result: CallResult) -> ToolResult {
        let reply: Box<dyn Any> = match result {
            Ok(Outcome::Complete(reply)) => reply,
            Ok(_) => return ToolResult::error("The tool has questions, and there is no client."),
            Err(error) => return (*error).into(),
        };
        reply.downcast::<Self>().map(|reply| reply.result).unwrap_or_default()
    }

    /// The tool has an output schema: clients fail on a success without structured content, while a
    /// model can read an error.
    pub(super) fn promised(&mut self, wraps: bool) {
        self.wraps = Some(wraps);
        if !self.result.is_error && self.result.structured_content().is_none() {
            let broken = "The tool has an output schema and gave no structured content.";
            *self = Self::new(ToolResult::error(broken));
        }
    }

    /// Makes a success that breaks the tool's output schema an error, for clients refuse it.
    pub(super) fn check(&mut self, tool: &str, schema: &RawValue) {
        let text = self.result.structured_content().filter(|_| !self.result.is_error);
        let Some(text) = text else { return };
        let schema: Value = schema.get().parse().unwrap_or_default();
        let problems = check::problems_of_written(&schema, text);
        if problems.is_empty() {
            return;
        }
        let problems: String = problems.iter().map(|problem| format!("\n- {problem}")).collect();
        let broken = format!("The result of `{tool}` breaks the tool's output schema:{problems}");
        panics::trace(|| tracing::error!("{broken}"));
        *self = Self::new(ToolResult::error(broken));
    }
}

impl Reply for ToolReply {
    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        let result = &self.result;
        out.extend_from_slice(b"\"content\":");
        match &*result.content {
            // Most results by far are one plain text.
            [Content::Text(Text { text, annotations: None, meta: None })] => {
                out.extend_from_slice(b"[{\"type\":\"text\",\"text\":");
                write_string(out, text);
                out.extend_from_slice(b"}]");
            }
            content => write_content(out, content, profile),
        }
        // Where there is none, its copy is in the content.
        let structured = match profile.structured_content {
            StructuredContent::None => None,
            _ => result.structured_content(),
        };
        if let Some(structured) = structured {
            let wraps = profile.structured_content == StructuredContent::Objects
                && self.wraps.unwrap_or(!structured.starts_with('{'));
            let (before, after): (&[u8], &[u8]) =
                if wraps { (b"{\"result\":", b"}") } else { (b"", b"") };
            out.extend_from_slice(b",\"structuredContent\":");
            out.extend_from_slice(before);
            out.extend_from_slice(structured.as_bytes());
            out.extend_from_slice(after);
        }
        if result.is_error {
            out.extend_from_slice(b",\"isError\":true");
        }
    }

    fn error_type(&self) -> Option<&'static str> {
        self.result.error_type()
    }

    fn failure(&self) -> Option<String> {
        self.result.is_error.then(|| self.result.to_text())
    }

    fn meta(&self) -> Option<&Map<String, Value>> {
        self.result.meta.as_deref()
    }
}
