//! What a tool's decoder is given.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use super::expected::Expected;
use crate::mcp::cancel::CancelToken;
use crate::mcp::context::{Call, Context, Host, Peer};
use crate::mcp::link::{CallId, Link};
use crate::mcp::output::IntoOutput;
use crate::mcp::protocol::LoggingLevel;
use crate::mcp::schema::Signature;

/// One call as its tool's decoder sees it. It borrows the line; the decoder takes from it what the
/// function's future will own.
pub struct Input<'a> {
    pub(crate) expected: Expected<'a>,
    /// The text of the arguments' object.
    pub(crate) arguments: &'a str,
    /// How to make a context, for the tools that take one; `None` makes a detached one.
    seed: Option<&'a Seed<'a>>,
    context: OnceCell<Context>,
    /// Where this is given there is no call: the decoder only describes its parameters.
    pub(super) signature: Option<&'a RefCell<Signature>>,
}

/// What a [`Context`] is made of.
#[derive(Debug)]
pub(crate) struct Seed<'a> {
    pub(crate) host: Host,
    pub(crate) call: CallId,
    pub(crate) link: Weak<dyn Link>,
    pub(crate) protocol_version: &'static str,
    /// The text of `_meta`, and that of the progress token in it.
    pub(crate) meta: Option<&'a str>,
    pub(crate) progress_token: Option<&'a str>,
    pub(crate) client: Option<Arc<str>>,
    pub(crate) log_level: Option<LoggingLevel>,
}

impl<'a> Input<'a> {
    /// A call; without arguments those of an empty object.
    pub(crate) fn new(
        expected: Expected<'a>,
        arguments: Option<&'a str>,
        seed: Option<&'a Seed<'a>>,
    ) -> Self {
        let arguments = arguments.unwrap_or("{}");
        Self { expected, arguments, seed, context: OnceCell::new(), signature: None }
    }

    /// No call: the decoder describes its parameters and its result to `signature`, and fails.
    pub(crate) fn for_signature(expected: Expected<'a>, signature: &'a RefCell<Signature>) -> Self {
        Self { signature: Some(signature), ..Self::new(expected, None, None) }
    }

    /// Describes the function's result, where the decoder is run for that.
    pub fn returns<T: IntoOutput<K>, K>(&self) {
        if let Some(signature) = self.signature {
            signature.borrow_mut().output(T::output_schema());
        }
    }

    /// The call's context; the same one however often it is asked for.
    pub fn context(&self) -> Context {
        self.context.get_or_init(|| self.seed.map_or_else(Context::detached, Seed::context)).clone()
    }

    /// The context, if the decoder asked for it.
    pub(crate) fn into_context(self) -> Option<Context> {
        self.context.into_inner()
    }
}

impl Seed<'_> {
    fn context(&self) -> Context {
        let peer = self.link.upgrade().map(|link| Peer {
            call: self.call.clone(),
            link,
            progress: self
                .progress_token
                .map(|token| (token.into(), Mutex::new(f64::NEG_INFINITY))),
            log_level: self.log_level,
        });
        Context::new(Call {
            host: self.host,
            peer,
            protocol_version: self.protocol_version,
            meta: self.meta.map(Into::into),
            client: self.client.clone(),
            cancel: CancelToken::default(),
            decoded_meta: OnceLock::new(),
            decoded_client: OnceLock::new(),
        })
    }
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("tool", &self.expected.name)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
