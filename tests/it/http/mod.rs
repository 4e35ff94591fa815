//! The fixture server over HTTP, seen from outside.

mod client;
#[path = "../../../sdk/src/http/tests/judge.rs"]
mod judge;

mod hostile;
mod liveness;
mod rows;
mod schemas;
