use anyhow::Result;
use toolwright::agent::Message;
use toolwright::agent::sessions::{SessionError, SessionMessage, StoredSessions};

use super::queue::Job;

/// What a transcript has of a turn.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing, and nothing of turns before it.
    NewSession,
    /// Nothing, but the turns before it.
    NotBegun,
    /// A part: the worker that ran it has died.
    CutOff,
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
        Ok(match prompt {
            _ if job.turn == 1 && prompt.is_none() => Self::NewSession,
            None => Self::NotBegun,
            Some(prompt) => match messages[prompt..].last().and_then(answer) {
                Some(answer) => Self::Answered(answer),
                None if prompt == 0 => Self::NewSession,
                None => Self::CutOff,
            },
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
