//! What a tool's decoder is given.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use crate::mcp::cancel::CancelToken;
use crate::mcp::context::{Call, Context, Host, Peer};
use crate::mcp::link::{CallId, Link};
use crate::mcp::output::IntoOutput;
use crate::mcp::protocol::LoggingLevel;
use crate::mcp::schema::Signature;
use crate::mcp::tool::Definition;

/// One call as its tool's decoder sees it. It borrows the line; the decoder takes from it what the
/// function's future will own.
pub struct Input<'a> {
    pub(crate) tool: &'a Definition,
    /// The text of the arguments' object; `None` stands for an empty one.
    pub(crate) arguments: Option<&'a str>,
    /// How to make a context, for the tools that take one; `None` makes a detached one.
    pub(crate) seed: Option<&'a Seed<'a>>,
    context: OnceCell<Context>,
    /// There is no call: the tool's decoder is run to tell of its parameters.
    signature: Option<RefCell<Signature>>,
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
    pub(crate) fn new(
        tool: &'a Definition,
        arguments: Option<&'a str>,
        seed: Option<&'a Seed<'a>>,
    ) -> Self {
        Self { tool, arguments, seed, context: OnceCell::new(), signature: None }
    }

    pub(crate) fn for_signature(tool: &'a Definition) -> Self {
        Self { signature: Some(RefCell::new(Signature::new())), ..Self::new(tool, None, None) }
    }

    pub(crate) fn into_signature(self) -> Option<Signature> {
        self.signature.map(RefCell::into_inner)
    }

    pub(super) fn signature(&self) -> Option<&RefCell<Signature>> {
        self.signature.as_ref()
    }

    /// Tells of the function's result, where that is what the decoder is run for.
    pub fn returns<T: IntoOutput<K>, K>(&self) {
        if let Some(signature) = &self.signature {
            signature.borrow_mut().output::<T, K>();
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
            .field("tool", &self.tool.name)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
