//! The code behind a function that clients call.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::Callee;
use crate::mcp::args::{BadArguments, Expected, Input};
use crate::mcp::call::{Begun, Work};
use crate::mcp::context::Caller;
use crate::mcp::extensions::Extensions;
use crate::mcp::schema::{Bounds, Schemas, Signature};

/// Decodes the arguments of a call and calls the function.
#[derive(Clone)]
pub(crate) struct Handler {
    start: Arc<Start>,
    /// What the arguments must keep besides their types; compiled by the first call.
    bounds: OnceLock<Option<Bounds>>,
}

/// Without a call it describes its parameters and its result, and fails instead of decoding.
pub(crate) type Start = dyn Fn(&Input<'_>) -> Result<Work, BadArguments> + Send + Sync;

/// The same for a function. All of them are of one type, so that none adds code for it.
pub(crate) type StartFn = fn(&Input<'_>) -> Result<Work, BadArguments>;

impl Handler {
    pub(crate) fn new(start: Arc<Start>) -> Self {
        Self { start, bounds: OnceLock::new() }
    }

    /// Adds the schema of the arguments to `callee`, and what else `start` describes. Returns the
    /// schema of the result too.
    pub(crate) fn derive(start: Arc<Start>, callee: &mut Callee) -> (Self, Option<Value>) {
        let Schemas { input, may_have_bounds, output, needs, defects } =
            signature(&*start, callee.expected(), Signature::new()).finish();
        callee.may_have_bounds = may_have_bounds;
        callee.needs = needs;
        callee.defects = defects;
        callee.schema = Some(input);
        (Self::new(start), output)
    }

    /// Decodes the arguments, which runs user code.
    pub(crate) fn begin(
        &self,
        callee: &Callee,
        arguments: Option<&str>,
        caller: &dyn Caller,
    ) -> Result<Begun, BadArguments> {
        let expected = Expected { bounds: self.bounds(callee), ..callee.expected() };
        let input = Input::new(expected, arguments, caller);
        let work = (self.start)(&input)?;
        Ok(Begun { work, context: input.context_of_work() })
    }

    fn bounds(&self, callee: &Callee) -> Option<&Bounds> {
        if !callee.may_have_bounds {
            return None;
        }
        if self.bounds.get().is_none() {
            self.compile_bounds(callee);
        }
        self.bounds.get()?.as_ref()
    }

    #[cold]
    fn compile_bounds(&self, callee: &Callee) {
        // `get_or_init` would lock other calls out while the user's types describe themselves.
        let signatures = Signature::for_bounds();
        let signatures = signatures.map(|it| signature(&*self.start, callee.expected(), it));
        let _ = self.bounds.set(Signature::bounds(signatures));
    }
}

/// What a function without a call describes to `signature`.
fn signature(start: &Start, expected: Expected<'_>, signature: Signature) -> Signature {
    let (signature, nobody) = (RefCell::new(signature), Extensions::default());
    let _ = start(&Input::for_signature(expected, &signature, &nobody));
    signature.into_inner()
}
