//! What a tool's decoder is given.

use std::cell::{OnceCell, RefCell};
use std::fmt;

use super::expected::Expected;
use crate::mcp::cancel::CancelToken;
use crate::mcp::context::Context;
use crate::mcp::output::IntoOutput;
use crate::mcp::schema::Signature;

/// One call, as the decoder of a tool gets it. It borrows the line; the decoder makes of it what
/// the function's future owns.
pub struct Input<'a> {
    pub(crate) expected: Expected<'a>,
    /// The text of the arguments' object.
    pub(crate) arguments: &'a str,
    /// Makes the context, for the tools that take one.
    make_context: &'a dyn Fn() -> Context,
    context: OnceCell<Context>,
    /// Where this is given there is no call: the decoder only describes its parameters.
    pub(super) signature: Option<&'a RefCell<Signature>>,
}

impl<'a> Input<'a> {
    /// A call; without arguments those of an empty object.
    pub(crate) fn new(
        expected: Expected<'a>,
        arguments: Option<&'a str>,
        make_context: &'a dyn Fn() -> Context,
    ) -> Self {
        let arguments = arguments.unwrap_or("{}");
        Self { expected, arguments, make_context, context: OnceCell::new(), signature: None }
    }

    /// No call: the decoder describes its parameters and its result to `signature`, and fails.
    pub(crate) fn for_signature(expected: Expected<'a>, signature: &'a RefCell<Signature>) -> Self {
        Self { signature: Some(signature), ..Self::new(expected, None, &Context::detached) }
    }

    /// Describes the function's result, where the decoder is run for that.
    pub fn returns<T: IntoOutput<K>, K>(&self) {
        if let Some(signature) = self.signature {
            signature.borrow_mut().output(T::output_schema());
        }
    }

    /// The call's context; the same one however often it is asked for.
    pub fn context(&self) -> Context {
        self.context.get_or_init(self.make_context).clone()
    }

    /// The token by which the work hears that it is to stop, if it can hear it.
    pub(crate) fn cancel_token(&self) -> Option<CancelToken> {
        self.context.get().map(|context| context.cancel_token().clone())
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
