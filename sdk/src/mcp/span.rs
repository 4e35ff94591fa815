//! The `tracing` span of a call.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Map, Value};
use tracing::field::Empty;
use tracing::{Instrument, Level, Span, info_span};

use super::args::BadArguments;
use super::call::{Begun, CallResult, Decoder, Failure, Kind, Reply, Subject, Work};
use super::cancel::CancelToken;
use super::context::{Caller, Context, Host};
use crate::panics;
use crate::spans::{execute_tool, fail};

/// Connects the span of a call with the `_meta` of its request.
#[derive(Clone)]
pub(crate) struct Parent(Arc<Connect>);

type Connect = dyn Fn(&Span, &Map<String, Value>) + Send + Sync;

/// A decoder whose call has a span. It is the call's subject too, so that it learns the outcome.
struct Spanned {
    decoder: Arc<dyn Decoder>,
    method: Method,
    parent: Option<Parent>,
    open: OnceLock<Open>,
}

struct Open {
    span: Span,
    cancel: CancelToken,
    has_outcome: AtomicBool,
}

/// The requests whose calls have spans.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Method {
    CallTool,
    GetPrompt,
    ReadResource,
}

impl Method {
    /// The method of the request.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CallTool => "tools/call",
            Self::GetPrompt => "prompts/get",
            Self::ReadResource => "resources/read",
        }
    }
}

/// Gives the next call of `decoder` a span, if a subscriber wants one. It runs none of the
/// subscriber's code, which comes with the decoding.
pub(crate) fn spanned(
    decoder: Arc<dyn Decoder>,
    method: Method,
    parent: Option<&Parent>,
) -> Arc<dyn Decoder> {
    match tracing::level_enabled!(Level::INFO) {
        false => decoder,
        true => in_span(decoder, method, parent),
    }
}

#[cold]
fn in_span(decoder: Arc<dyn Decoder>, method: Method, parent: Option<&Parent>) -> Arc<dyn Decoder> {
    Arc::new(Spanned { decoder, method, parent: parent.cloned(), open: OnceLock::new() })
}

impl Parent {
    pub(crate) fn new(
        connect: impl Fn(&Span, &Map<String, Value>) + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(connect))
    }
}

impl Spanned {
    fn span(&self, context: &Context) -> Span {
        let name = self.decoder.subject().name();
        let Some(id) = context.request_id() else {
            return execute_tool!(name);
        };
        /// The fields of all requests, and those of one kind.
        macro_rules! request_span {
            ($method:literal, $($field:tt)*) => {
                info_span!(
                    $method,
                    otel.name = format!("{} {name}", $method),
                    otel.kind = "server",
                    otel.status_code = Empty,
                    mcp.method.name = $method,
                    mcp.protocol.version = context.protocol_version(),
                    mcp.session.id = context.session_number().to_string(),
                    jsonrpc.request.id = id.to_string(),
                    network.transport = (context.host() == Host::Stdio).then_some("pipe"),
                    $($field)*
                    "error.type" = Empty,
                )
            };
        }
        let span = match self.method {
            Method::CallTool => request_span!(
                "tools/call",
                gen_ai.operation.name = "execute_tool",
                gen_ai.tool.name = name,
            ),
            Method::GetPrompt => request_span!("prompts/get", gen_ai.prompt.name = name,),
            Method::ReadResource => request_span!("resources/read", mcp.resource.uri = name,),
        };
        if let Some(Parent(connect)) = self.parent.as_ref().filter(|_| !span.is_disabled()) {
            connect(&span, context.meta());
        }
        span
    }

    /// Notes the outcome: an error, or none. The first one counts.
    fn end(&self, error: Option<&'static str>) {
        let Some(Open { span, has_outcome, .. }) = self.open.get() else { return };
        if !has_outcome.swap(true, Ordering::Relaxed)
            && let Some(error) = error
        {
            // A subscriber may panic.
            let _ = panics::catch(|| fail(span, error));
        }
    }
}

impl Decoder for Spanned {
    fn subject(&self) -> &dyn Subject {
        self
    }

    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let context = caller.context();
        let span = panics::catch(|| self.span(&context)).unwrap_or_else(|_| Span::none());
        if span.is_disabled() {
            return self.decoder.decode(arguments, &context);
        }
        let cancel = context.cancel_token().clone();
        let has_outcome = AtomicBool::new(false);
        let open = Open { span: span.clone(), cancel, has_outcome };
        let _ = self.open.set(open);
        let begun = span.in_scope(|| self.decoder.decode(arguments, &context));
        match begun {
            Ok(Begun { work, .. }) => {
                let work = Work(Box::pin(work.0.instrument(span)));
                Ok(Begun { work, context: Some(context) })
            }
            Err(bad) => {
                self.end(Some("invalid_arguments"));
                Err(bad)
            }
        }
    }
}

impl Subject for Spanned {
    fn name(&self) -> &str {
        self.decoder.subject().name()
    }

    fn kind(&self) -> Kind {
        self.decoder.subject().kind()
    }

    fn timeout(&self) -> Option<Duration> {
        self.decoder.subject().timeout()
    }

    fn complete(&self, reply: &mut dyn Reply) {
        self.decoder.subject().complete(reply);
        self.end(reply.error_type());
    }

    fn refused(&self) {
        self.decoder.subject().refused();
        self.end(Some("protocol_error"));
    }

    fn asked(&self) {
        self.decoder.subject().asked();
        self.end(None);
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        self.end(Some(match failure {
            Failure::BadArguments(_) => "invalid_arguments",
            Failure::Panicked => "panic",
            Failure::TimedOut => "timeout",
            Failure::Overloaded => "overloaded",
            Failure::TooManyRounds => "too_many_rounds",
            Failure::ShutDown | Failure::SessionEnded => "cancelled",
        }));
        self.decoder.subject().failure(failure)
    }
}

impl Drop for Spanned {
    /// The work of a call that was stopped is gone now.
    fn drop(&mut self) {
        let Some(open) = self.open.get() else { return };
        self.end(Some(match open.cancel.has_timed_out() {
            true => "timeout",
            false => "cancelled",
        }));
    }
}
