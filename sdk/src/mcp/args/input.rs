//! The input of a tool's decoder.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::sync::Arc;

use super::expected::Expected;
use crate::mcp::context::{Caller, Context};
use crate::mcp::extensions::{Extensions, Need};
use crate::mcp::output::IntoOutput;
use crate::mcp::schema::Signature;

/// The input of a tool's decoder: one call. It borrows the line; the decoder makes owned values of
/// it for the function's future.
pub struct Input<'a> {
    pub(crate) expected: Expected<'a>,
    /// The text of the arguments' object.
    pub(crate) arguments: &'a str,
    caller: &'a dyn Caller,
    /// Made for tools that need one.
    context: OnceCell<Context>,
    /// If this is given there is no call: the decoder only describes its parameters.
    pub(super) signature: Option<&'a RefCell<Signature>>,
}

impl<'a> Input<'a> {
    /// A call. A call without arguments has an empty object.
    pub(crate) fn new(
        expected: Expected<'a>,
        arguments: Option<&'a str>,
        caller: &'a dyn Caller,
    ) -> Self {
        let arguments = arguments.unwrap_or("{}");
        Self { expected, arguments, caller, context: OnceCell::new(), signature: None }
    }

    /// No call: the decoder describes its parameters and its result to `signature`, and fails.
    pub(crate) fn for_signature(
        expected: Expected<'a>,
        signature: &'a RefCell<Signature>,
        nobody: &'a Extensions,
    ) -> Self {
        Self { signature: Some(signature), ..Self::new(expected, None, nobody) }
    }

    /// Describes the function's result, if the decoder runs without a call.
    // Inlined, it would be in the code of each tool.
    #[inline(never)]
    pub fn returns<T: IntoOutput<K>, K>(&self) {
        if let Some(signature) = self.signature {
            signature.borrow_mut().output(T::output_schema());
        }
    }

    /// The call's context; every call of this method returns the same one.
    #[inline]
    pub fn context(&self) -> Context {
        self.context.get_or_init(|| self.caller.context()).clone()
    }

    /// A value of this type from the call, else from its session, else from its server. Unlike
    /// [`Context::extension`] it needs no context, which is an allocation.
    pub(super) fn shared<T: ?Sized + Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.caller.extensions().get_arc()
    }

    /// Notes that the tool needs a value, if the decoder runs without a call. A call has it, as the
    /// registry has checked, unless the extensions of its session were replaced.
    #[inline]
    pub(super) fn lacks(&self, need: Need) {
        match self.signature {
            Some(signature) => signature.borrow_mut().need(need),
            None => panic!("the session's extensions are not within those of its server any more"),
        }
    }

    /// The call's context, if the work uses it.
    pub(crate) fn context_of_work(&self) -> Option<Context> {
        self.context.get().cloned()
    }
}

impl fmt::Debug for Input<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Input");
        debug.field("tool", &self.expected.name);
        if !self.expected.parameters.iter().any(|parameter| parameter.is_secret) {
            debug.field("arguments", &self.arguments);
        }
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
