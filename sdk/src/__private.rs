//! What the expansion of the macros names. None of it is for use by hand, and all of it may change.

use std::error::Error;
use std::future::Future;

pub use crate::mcp::args::{BadArguments, Fill, Input, Owned, Parameter, RefSlot, Slot, Source, decode, kind as param_kind};
pub use crate::mcp::output::{IntoOutput, ToolResult, WithCauses, kind as output_kind};
pub use crate::mcp::protocol::Icon;
pub use crate::mcp::schema::Signature;
pub use crate::mcp::tool::{Kind, Tool, Work};
pub use {schemars, serde, serde_json};

/// A function under `#[tool]`, by its same-named type.
pub trait ToolFunction {
    /// The tool.
    fn tool() -> Tool;
}

/// Boxes what a call does.
pub fn work<F: Future<Output = ToolResult> + Send + 'static>(future: F) -> Result<Work, BadArguments> {
    Ok(Box::pin(future))
}

/// Picks how an error is put into words, on the concrete type that a function returned: an [`Error`] with its causes, all else as it displays.
///
/// The picking is by autoref: `(&probe(&out)).words()` finds the more special trait first.
pub fn probe<T>(_: &T) -> Probe<T> {
    Probe(std::marker::PhantomData)
}

/// See [`probe`].
#[derive(Debug)]
pub struct Probe<T>(std::marker::PhantomData<T>);

/// Errors that know their causes.
#[derive(Debug)]
pub struct CausesWords;

/// All else.
#[derive(Debug)]
pub struct PlainWords;

/// See [`probe`].
pub trait HasCauses {
    /// Picks.
    fn words(&self) -> CausesWords {
        CausesWords
    }
}

impl<T, E: Error> HasCauses for Probe<Result<T, E>> {}

/// See [`probe`].
pub trait HasNoCauses {
    /// Picks.
    fn words(&self) -> PlainWords {
        PlainWords
    }
}

impl<T> HasNoCauses for &Probe<T> {}

impl CausesWords {
    /// The result of a function whose errors know their causes.
    pub fn output<T: IntoOutput<K>, E: Error, K>(self, returned: Result<T, E>) -> ToolResult {
        returned.map_err(WithCauses).into_output()
    }
}

impl PlainWords {
    /// The result of any other function.
    pub fn output<T: IntoOutput<K>, K>(self, returned: T) -> ToolResult {
        returned.into_output()
    }
}
