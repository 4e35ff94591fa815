use anyhow::Result;
use toolwright::agent::Message;
use toolwright::agent::sessions::{SessionError, SessionMessage, StoredSessions};

use super::queue::Job;

/// What a transcript has of a turn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// At most a part of it, and nothing of turns before it.
    NewSession,
    /// At most a part of it, and the turns before it.
    Resumable,
    /// All of it: the worker that ran it has died before it could say so.
    Answered(String),
}

impl Progress {
    pub(crate) async fn of(job: &Job, sessions: &StoredSessions) -> Result<Self> {
        let messages = match sessions.session_messages(&job.session, ..).await {
            Err(SessionError::NotFound { .. }) => return Ok(Self::NewSession),
            messages => messages?,
        };
        let turn = messages.iter().skip_while(|message| message.uuid != job.prompt_id);
        Ok(match turn.last().and_then(answer) {
            Some(answer) => Self::Answered(answer),
            None if job.turn == 1 => Self::NewSession,
            None => Self::Resumable,
        })
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
