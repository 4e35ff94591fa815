//! Rust functions as Claude tools.
//!
//! ```
//! use toolwright::{ToolRegistry, json, tool, tools};
//!
//! /// Add two numbers.
//! #[tool(read_only, idempotent)]
//! async fn add(
//!     /// Left operand.
//!     a: f64,
//!     /// Right operand.
//!     b: f64,
//! ) -> f64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
//! let sum = registry.call("add", json!({"a": 2, "b": 40})).await?;
//! assert_eq!(sum.to_text(), "42");
//! # Ok(())
//! # }
//! ```
//!
//! The function stays as it is written, so `add(2.0, 40.0).await` is still a call. Beside it
//! [`#[tool]`](tool) makes a type of the same name, which [`tools!`] collects. The doc comment is
//! the tool's description, and the parameters are its input schema. The answer to wrong arguments
//! names all problems at once.
//!
//! A [`ToolRegistry`] answers MCP, the Model Context Protocol, in every host:
//!
//! | host | with |
//! |---|---|
//! | a server program on standard input and output | the package `toolwright-stdio` |
//! | a server on HTTP | `toolwright::http`, feature `http` |
//! | a server on a socket or any other connection | `toolwright::host::serve`, feature `host` |
//! | a program that runs Claude | `toolwright::agent`, feature `agent` |
//! | a test | [`ToolRegistry::call`], or `toolwright::testing`, feature `testing` |
//! | a host of your own | [`mcp::Session`]: lines in, messages out, no I/O |
//!
//! A server program needs no other dependencies:
//!
//! ```toml
//! [dependencies]
//! toolwright = "0.1"
//! toolwright-stdio = "0.1"
//! ```
//!
//! # What a function may take and return
//!
//! | parameter | value |
//! |---|---|
//! | every `T: Deserialize + JsonSchema` | the argument of the parameter's name |
//! | `&T`, `&str`, `&[T]` | the same, borrowed from the call |
//! | `Option<T>` | an argument that may be absent |
//! | [`Args<T>`](Args) | all arguments: the fields of `T` |
//! | [`State<T>`](State) | the server's value of this type |
//! | [`&Context`](Context), [`CancelToken`] | the call: progress, logs, cancellation |
//!
//! | result | the model reads |
//! |---|---|
//! | strings, `char`, numbers, `bool` | text |
//! | `()` | nothing |
//! | [`Json<T>`](Json) | structured content with an output schema, unless `T` is [`Value`], and a copy as text |
//! | `(C, Json<T>)` | structured content, and the content of `C` in place of the copy |
//! | [`Image`], [`Audio`], [`ResourceLink`], [`EmbeddedResource`] | this content block |
//! | [`Content`], `Vec<Content>`, [`ToolResult`] | exactly this |
//! | `Option<T>` of these | `T` or nothing |
//! | `Result<T, E>` of these, `E: Display` | `T`, or an error with its causes |
//!
//! [`mcp::Param`], [`mcp::RefParam`] and [`IntoOutput`] have examples of all of them. Types of your
//! own get [`#[data]`](data), which adds the derives that they need; `docs/SCHEMAS.md` in the
//! repository shows the schema of each Rust type, `docs/DIAGNOSTICS.md` what the compiler says of a
//! mistake. For derives by hand `serde`, `serde_json` and `schemars` 1 are exported from here; the
//! derives of serde and schemars need `#[serde(crate = "toolwright::serde")]` and
//! `#[schemars(crate = "toolwright::schemars")]` then. Methods of a value become tools with
//! [`#[toolset]`](toolset), and a closure with [`Tool::typed`].
//!
//! Functions become prompts with [`#[prompt]`](prompt), and resources with
//! [`#[resource]`](resource).
//!
//! | to | use |
//! |---|---|
//! | change the tools while sessions run | [`ToolRegistry::add`], [`set_tools`](ToolRegistry::set_tools), [`remove`](ToolRegistry::remove) |
//! | show a client only some of the tools | [`ToolRegistryBuilder::tool_filter`] |
//! | do something around every call | [`ToolRegistryBuilder::layer`] |
//! | keep a value for each session | [`ToolRegistryBuilder::session_state`] |
//! | ask the user, or the model of the client | [`Context::elicit`], [`Context::confirm`], [`Context::sample`] |
//! | let a long call go on as a task | `#[tool(task)]`, [`Tool::with_task`] |
//! | know who calls, over HTTP | `Context::caller`; the head of the request is a [`Context::extension`] |
//! | let clients keep lists, or get them in pages | [`ToolRegistryBuilder::caching`], [`page_size`](ToolRegistryBuilder::page_size) |
//! | speak of what is not in MCP | [`ToolRegistryBuilder::experimental`], [`on_request`](ToolRegistryBuilder::on_request), [`on_notification`](ToolRegistryBuilder::on_notification) |
//! | find what clients refuse or misread | [`ToolRegistry::lint`] |
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `agent` | the client that runs the `claude` program (Unix) |
//! | `host` | code that hosts of sessions share: bounds, queues, timers, threads |
//! | `http` | MCP over HTTP: a service for any router, and a server of its own (brings hyper) |
//! | `redis` | for `http`: replicas tell each other of changes, and share tasks, over Redis (brings redis) |
//! | `jwt` | for `http`: a verifier of tokens that are JWTs (brings jsonwebtoken) |
//! | `sealed-state` | for `http`: replicas continue the calls of each other (brings chacha20poly1305) |
//! | `sessions` | for `agent`: the conversations that the CLI has stored (brings chrono) |
//! | `redis-store`, `postgres-store`, `object-store` | for `sessions`: stores in Redis, in PostgreSQL, in S3 and the like |
//! | `view` | for `agent`: what a run does, at the terminal (brings unicode-width) |
//! | `view-web` | for `view`: a page for the browser (brings axum) |
//! | `collect` | `ToolRegistryBuilder::collect`: no list of tools is needed (brings inventory) |
//! | `chrono`, `uuid`, `url` | schemas for the types of these crates |
//! | `testing` | a client for registries and programs; with `agent` also a stand-in for `claude` |
//! | `scripted-model` | a Messages API on loopback for the real `claude` program (brings axum) |
#![forbid(unsafe_code)]
// Only docs.rs sets this; its pages say which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test says by panicking that it failed"))]

#[cfg(all(feature = "agent", not(unix)))]
compile_error!(
    "the feature `agent` of toolwright needs Unix: it runs the `claude` program in a process group, \
     watched by a shell; tools, MCP sessions and `http` work everywhere"
);

extern crate self as toolwright;

#[doc(hidden)]
pub mod __private;
/// For derives that are written by hand. It is hidden, as the compiler would else write
/// `std::option::Option` in its messages: `serde::de::Unexpected` has an `Option` too.
#[doc(hidden)]
pub mod serde {
    pub use ::serde::*;
}
#[cfg(feature = "agent")]
pub mod agent;
pub mod duration;
#[cfg(any(feature = "redis", feature = "redis-store"))]
mod failover;
#[cfg(feature = "host")]
pub mod host;
#[cfg(feature = "http")]
pub mod http;
#[cfg(test)]
mod judge;
pub mod jsonl;
pub mod mcp;
mod panics;
mod scan;
mod spans;
#[cfg(feature = "testing")]
pub mod testing;
mod tools;

pub use ::serde::{Deserialize, Serialize};
pub use mcp::protocol::{
    Annotations, Audio, Caching, Content, EmbeddedResource, Eras, ErrorObject, Icon, IconTheme,
    Image, LoggingLevel, PromptArgument, PromptMessage, ResourceContents, ResourceLink, Role,
    TaskSupport, ToolAnnotations, ToolVisibility,
};
pub use mcp::{
    Args, AskError, BuildError, CallError, CancelToken, Completing, Context, Elicited, Form, Host,
    IntoOutput, Json, Next, NotifyError, Prompt, Resource, State, Tool, ToolCall, ToolRegistry,
    ToolRegistryBuilder, ToolResult, WeakToolRegistry,
};
pub use schemars::JsonSchema;
pub use serde_json::{Value, json};
pub use toolwright_macros::{data, prompt, resource, tool, toolset};
// Types of these are in signatures, and a derive that is written by hand names its crate.
#[doc(no_inline)]
pub use {schemars, serde_json};
