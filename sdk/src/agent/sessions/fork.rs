/// Where a copy of a session ends, and its title.
///
/// ```no_run
/// # use toolwright::agent::sessions::{Fork, SessionError, Sessions};
/// # fn example(sessions: Sessions, session: &str, message: &str) -> Result<(), SessionError> {
/// let copy = sessions.fork_session(session, Fork::up_to(message).title("Another way"))?;
/// println!("{copy}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use = "it does nothing until a session is forked"]
pub struct Fork {
    up_to: Option<String>,
    title: Option<String>,
}

impl Fork {
    /// A copy of the whole session.
    pub fn whole() -> Self {
        Self::default()
    }

    /// A copy up to the message with this id, a UUID. The message is its last.
    pub fn up_to(message: impl Into<String>) -> Self {
        Self { up_to: Some(message.into()), title: None }
    }

    /// The title of the copy. Default: that of the session and ` (fork)`.
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }
}

impl Fork {
    /// The last message of the copy, if it is not the session's.
    pub(super) fn last(&self) -> Option<&str> {
        self.up_to.as_deref()
    }

    /// The title that was given.
    pub(super) fn given_title(&self) -> Option<&str> {
        self.title.as_deref().map(str::trim).filter(|title| !title.is_empty())
    }
}
