//! Sessions of the legacy revisions: one for each `initialize`, on any number of connections.

mod id;
mod ring;
mod table;
mod errors;
mod routes;
mod streams;
mod event_stream;
mod session;
mod store;
mod requests;

pub use event_stream::EventStream;
pub(super) use requests::{Named, SESSION_ID, delete, get, post};
pub(super) use store::Store;
