//! MCP over HTTP: the transport "Streamable HTTP" in all revisions.
//!
//! ```no_run
//! use tokio::net::TcpListener;
//! use toolwright::{ToolRegistry, http, tool, tools};
//!
//! #[tool(read_only)]
//! async fn add(a: f64, b: f64) -> f64 {
//!     a + b
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
//! let listener = TcpListener::bind("127.0.0.1:8080").await?;
//! http::serve(listener, registry, http::Options::default()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`serve`] answers at `/mcp`. In a program that has a router already, [`Service`] is a
//! `tower::Service` for any path of it; its tools find what layers of the router know of a request.
//! A tool finds the head of its request, with all headers, as `cx.extension::<http::Parts>()`.
//!
//! Every request has a session of its own, so any number of replicas can serve behind a balancer
//! without affinity. [`Options::sessions`] gives clients of older revisions [`Sessions`].
//!
//! `async` tools run on the threads of the runtime that serves. Those that block hold up all
//! requests, time-outs, and [`serve_until`] at its end once they have taken all of these threads:
//! a runtime of one thread is held up by one tool. So write a tool that blocks as a plain `fn`,
//! which has a thread of its own. With [`Service`] in a server of another crate even one that
//! blocks can hold up all, as tokio may read on no other thread meanwhile; [`serve`] has a watchdog
//! for that.
//!
//! [`Options::auth`] asks every request for a token. What a tool needs beyond that it says itself,
//! `#[tool(scopes = ["notes:write"])]`, and it finds the caller with
//! [`Context::caller`](crate::Context::caller).

#[cfg(all(test, feature = "redis"))]
mod fake_redis;
mod bus;
#[cfg(feature = "redis")]
mod tasks;
mod options;
mod refusal;
mod hosts;
mod accept;
mod routing;
mod auth;
mod gate;
mod timer;
mod event;
mod handover;
mod outlet;
mod stream;
mod connection;
mod body;
mod respond;
mod open;
#[cfg(feature = "sealed-state")]
mod sealed;
mod exchange;
mod sessions;
mod service;
mod watchdog;
mod serve;

#[doc(no_inline)]
pub use ::http::request::Parts;
#[cfg(feature = "jwt")]
pub use auth::{Algorithm, Jwt};
pub use auth::{Auth, AuthError, BadResource, Caller, Verified, Verify};
pub use body::Body;
#[cfg(feature = "redis")]
pub use bus::{BadRedisUrl, RedisBus};
pub use bus::{Bus, Change, Heard, NoChange};
#[cfg(feature = "sealed-state")]
pub use options::StateKey;
pub use options::{Options, Sessions};
pub use serve::{serve, serve_until};
pub use service::Service;
pub use sessions::EventStream;
#[cfg(feature = "redis")]
pub use tasks::RedisTasks;

// For `tests/fuzz` only, which compares the checks of requests with a session.
#[doc(hidden)]
pub use gate::{Asked, Era, Gate, Kind};
// For toolwright-stdio, which must name the one of several that is wrong.
#[doc(hidden)]
pub use hosts::is_host;
#[doc(hidden)]
pub use refusal::Refusal;

#[cfg(test)]
mod tests;
