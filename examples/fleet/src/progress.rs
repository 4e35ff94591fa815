use anyhow::Result;
use toolwright::agent::Message;
use toolwright::agent::sessions::{SessionError, SessionMessage, StoredSessions};

use super::queue::Job;

/// What a transcript has of a turn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The turn is the first of its session, and nothing of it is there.
    NewSession,
    /// The turns before it are there, up to the message with this id.
    After(String),
    /// All of it: the worker that ran it has died before it could say so.
    Answered(String),
}

impl Progress {
    pub(crate) async fn of(job: &Job, sessions: &StoredSessions) -> Result<Self> {
        let messages = match sessions.session_messages(&job.session, ..).await {
            Err(SessionError::NotFound { .. }) => return Ok(Self::NewSession),
            messages => messages?,
        };
        let prompt = messages.iter().position(|message| message.uuid == job.prompt_id);
        let (before, turn) = messages.split_at(prompt.unwrap_or(messages.len()));
        if let Some(answer) = turn.last().and_then(answer) {
            return Ok(Self::Answered(answer));
        }
        Ok(before.last().map_or(Self::NewSession, |last| Self::After(last.uuid.clone())))
    }
}

/// The text of a message that ends a turn.
fn answer(message: &SessionMessage) -> Option<String> {
    match message.to_message() {
        Message::Assistant(said) if said.message.stop_reason.as_deref() == Some("end_turn") => {
            Some(said.text().into_owned())
        }
        _ => None,
    }
}
