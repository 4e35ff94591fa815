//! The MCP server: tools, their registry and the session, without I/O, clock or runtime.
//!
//! See [`Session`] for an example. [`Session::receive`] takes a line of the client and finds the
//! tool in the registry; the call decodes its arguments and runs; [`Session::finish`] writes its
//! result.

pub(crate) mod places;
pub(crate) mod words;
pub mod protocol;
pub(crate) mod cancel;
pub(crate) mod extensions;
pub(crate) mod link;
pub(crate) mod outbox;
pub(crate) mod names;
pub(crate) mod rounds;
pub(crate) mod tasks;
pub(crate) mod asked;
pub(crate) mod recorded;
pub(crate) mod context;
pub(crate) mod asking;
pub(crate) mod schema;
pub(crate) mod output;
pub(crate) mod args;
pub(crate) mod form;
pub(crate) mod call;
pub(crate) mod span;
pub(crate) mod callee;
pub(crate) mod tool;
pub(crate) mod completion;
pub(crate) mod prompt;
pub(crate) mod resource;
pub(crate) mod custom;
pub(crate) mod members;
mod registry;
mod ask;
mod lint;
mod session;

pub use args::{Args, BadArguments, Input, Param, RefParam, State};
pub use ask::{Confirm, Elicit, ElicitUrl, Elicited, ListRoots, Sample};
pub use asked::{Answer, Asked};
pub use call::{Call, Done, Kind, Run, Started, Work};
pub use cancel::CancelToken;
pub use completion::{Completing, IntoValues};
pub use context::{Context, Host};
pub use extensions::Extensions;
pub use form::Form;
pub use link::{AskError, CallId, Link, Speech};
pub use lint::{Finding, Owner, Rule};
pub use members::Toolset;
pub use outbox::{About, After, Label, Outbox};
pub use output::{IntoOutput, Json, ToolResult};
pub use prompt::{IntoMessages, Prompt, PromptResult};
pub use protocol::{NotifyError, Root, Sampled, SamplingContent, SamplingMessage};
pub use recorded::{Log, Progress, Recorded};
pub use registry::{BuildError, CallError, ToolRegistry, ToolRegistryBuilder, WeakToolRegistry};
pub use resource::{IntoContents, Requested, Resource};
#[cfg(feature = "http")]
pub(crate) use session::elements_of_batch;
pub use session::{Batch, Session, Step};
pub use tool::{IntoSchema, IntoTool, Next, Tool, ToolCall};
