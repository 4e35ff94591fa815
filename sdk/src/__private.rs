//! What the expansion of the macros names. None of it is for use by hand, and all of it may change.

use std::error::Error;
use std::future::Future;
use std::marker::PhantomData;

pub use crate::mcp::args::{
    BadArguments, ByRef, ByValue, Fill, HasNoPlace, HasPlace, Input, Lend, Nowhere, Owned,
    Parameter, Place, RefSlot, Slot, by_ref, by_value, decode, kind as param_kind,
};
pub use crate::mcp::call::{Kind, Work};
pub use crate::mcp::output::{IntoOutput, ToolResult, WithCauses, kind as output_kind};
pub use crate::mcp::protocol::Icon;
pub use crate::mcp::tool::Tool;
pub use {schemars, serde, serde_json};

/// A function under `#[tool]`, by its same-named type.
pub trait ToolFunction {
    /// The tool.
    fn tool() -> Tool;
}

/// A description without the white space around it, which that of a file has.
pub fn trimmed(description: &'static str) -> &'static str {
    description.trim()
}

/// What a call does.
pub fn work(
    future: impl Future<Output = ToolResult> + Send + 'static,
) -> Result<Work, BadArguments> {
    Ok(crate::mcp::tool::work(future))
}

/// Picks how what a function returned becomes a result, on the concrete type: an error that knows
/// its causes is told with them, all else as it displays.
///
/// The picking is by autoref: `(&&&probe(&returned)).words()` finds the most special trait first.
pub fn probe<T>(_: &T) -> Probe<T> {
    Probe(PhantomData)
}

/// See [`probe`].
#[derive(Debug)]
pub struct Probe<T>(PhantomData<T>);

/// Errors that know their causes.
#[derive(Debug)]
pub struct CausesWords;

/// Boxed errors, which know their causes and are no [`Error`] themselves.
#[derive(Debug)]
pub struct BoxedWords;

/// All else.
#[derive(Debug)]
pub struct PlainWords;

/// What is no result, of which [`Input::returns`] has told the compiler. It is here so that the
/// compiler does not hear of it twice.
#[derive(Debug)]
pub struct NoWords;

/// See [`probe`].
pub trait HasCauses<K> {
    /// Picks.
    fn words(&self) -> CausesWords {
        CausesWords
    }
}

impl<T: IntoOutput<K>, E: Error, K> HasCauses<K> for &&Probe<Result<T, E>> {}

/// See [`probe`].
pub trait HasBoxedCauses<K> {
    /// Picks.
    fn words(&self) -> BoxedWords {
        BoxedWords
    }
}

impl<T: IntoOutput<K>, E: Boxed, K> HasBoxedCauses<K> for &&Probe<Result<T, E>> {}

/// See [`probe`].
pub trait HasOutput<K> {
    /// Picks.
    fn words(&self) -> PlainWords {
        PlainWords
    }
}

impl<T: IntoOutput<K>, K> HasOutput<K> for &Probe<T> {}

/// See [`probe`].
pub trait HasNoOutput {
    /// Picks.
    fn words(&self) -> NoWords {
        NoWords
    }
}

impl<T> HasNoOutput for Probe<T> {}

/// Errors in a box.
pub trait Boxed {
    /// What is in it.
    fn unboxed(&self) -> &(dyn Error + 'static);
}

impl Boxed for Box<dyn Error> {
    fn unboxed(&self) -> &(dyn Error + 'static) {
        &**self
    }
}

impl Boxed for Box<dyn Error + Send> {
    fn unboxed(&self) -> &(dyn Error + 'static) {
        &**self
    }
}

impl Boxed for Box<dyn Error + Send + Sync> {
    fn unboxed(&self) -> &(dyn Error + 'static) {
        &**self
    }
}

impl CausesWords {
    /// The result of a function whose errors know their causes.
    pub fn output<T: IntoOutput<K>, E: Error, K>(self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(WithCauses).into_output()
    }
}

impl BoxedWords {
    /// The result of a function whose errors are boxed.
    pub fn output<T: IntoOutput<K>, E: Boxed, K>(self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(|error| WithCauses(error.unboxed()).to_string()).into_output()
    }
}

impl PlainWords {
    /// The result of any other function.
    pub fn output<T: IntoOutput<K>, K>(self, returned: T) -> ToolResult {
        returned.into_output()
    }
}

impl NoWords {
    /// Is never run, as nothing that gets here compiles.
    pub fn output<T>(self, _: T) -> ToolResult {
        ToolResult::default()
    }
}
