//! Sessions of the legacy revisions: one for each `initialize`, on any number of connections.

mod id;
mod ring;
mod table;
mod streams;
mod session;
mod store;
mod requests;

pub(super) use requests::{Named, Posted, SESSION_ID, delete, get, post};
pub(super) use store::Store;
