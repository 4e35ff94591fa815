//! The tool server: tools, their registry and the MCP session, without I/O, clock or runtime.
//!
//! Data flows from the bottom of this list to the top and back: a line enters [`Session::receive`],
//! which finds the tool in the registry; the call decodes its arguments and runs; its output
//! becomes a result that [`Session::finish`] writes.

pub(crate) mod args;
mod call;
pub(crate) mod cancel;
pub(crate) mod context;
pub(crate) mod link;
pub(crate) mod output;
pub mod protocol;
mod registry;
pub(crate) mod schema;
mod session;
pub(crate) mod tool;

pub use args::{Args, BadArguments, Input, Param, RefParam};
pub use call::{Call, Done, Run, Started};
pub use cancel::{CancelToken, Cancelled};
pub use context::{Context, Host};
pub use link::{CallId, Link};
pub use output::{IntoOutput, Json, ToolResult};
pub use registry::{BuildError, CallError, ToolRegistry, ToolRegistryBuilder};
pub use session::{Session, Step};
pub use tool::{IntoSchema, Kind, Tool, Work};
