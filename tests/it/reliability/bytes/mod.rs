//! Hostile bytes, what may be answered to them, and how a server is given them. The lab includes
//! this folder too, so it names nothing of this package.

mod case;
mod words;
mod lines;
mod requests;
mod session;
mod client;

pub(crate) use case::{Case, How};
pub(crate) use client::Client;
pub(crate) use lines::{call, lines};
pub(crate) use requests::requests;
pub(crate) use session::{Next, Patience, Session};
pub(crate) use words::words;
