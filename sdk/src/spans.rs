//! What the `tracing` spans of the tool server and of the agent have in common.

#[cfg(all(test, feature = "host"))]
mod fields;

use tracing::Span;

#[cfg(all(test, feature = "host"))]
pub(crate) use fields::{SpanFields, have_another_subscriber};

/// The span of a tool that runs, which is not a request; with another parent than the current span
/// and with more fields, if they are given.
macro_rules! execute_tool {
    ($name:expr $(, in $parent:expr, $($field:tt)*)?) => {
        tracing::info_span!(
            $(parent: $parent,)?
            "execute_tool",
            otel.name = format!("execute_tool {}", $name),
            otel.kind = "internal",
            otel.status_code = tracing::field::Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = $name,
            $($($field)*,)?
            "error.type" = tracing::field::Empty,
        )
    };
}
pub(crate) use execute_tool;

/// Notes the error of what a span stands for.
pub(crate) fn fail(span: &Span, error: &str) {
    span.record("error.type", error);
    span.record("otel.status_code", "ERROR");
}
