//! What a call asks its client in 2026-07-28, where a server sends no requests.
//!
//! A call that cannot continue without an answer ends its round: the result names the questions,
//! and a state. The client sends the request again with answers and state, and the function runs
//! again from its beginning. A [`Log`] has what is settled by then; a [`Keeper`] finds it by the
//! state; a [`Talk`] belongs to one run.

use std::sync::Arc;

mod log;
mod keeper;
mod given;
mod question;
mod talk;

pub(crate) use given::{ANSWER, Answers, Given, read_answers};
pub(crate) use keeper::{InMemory, Keeper};
pub(crate) use log::Log;
pub(crate) use question::Question;
pub(crate) use talk::{Look, RoundEnd, Talk};
#[cfg(feature = "host")]
pub(crate) use talk::{Notice, wake_all};

/// Whose requests the calls are: a state counts for its owner only.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Owner(pub(crate) Arc<str>);

#[cfg(test)]
mod tests;
