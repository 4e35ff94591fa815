//! Setters for the session.

use super::AgentOptionsBuilder;
use crate::agent::setters::setters;

setters! {
    /// Which conversation is continued.
    impl AgentOptionsBuilder, options = self.options.session;

    /// Continues the latest conversation of the working folder; with a session store, the latest
    /// that the store has. Cannot be combined with [`resume`](Self::resume).
    continue_conversation(yes: bool) { options.continue_conversation = yes }
    /// Continues a conversation, by its session id or its title. The messages of a run have the
    /// id, the result too:
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, query_with};
    /// use toolwright::testing::ScriptedCli;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), toolwright::agent::Error> {
    /// let cli = ScriptedCli::new().turn(|turn| turn.say("42."));
    /// let first = query_with(cli, "What is 2 + 40?", AgentOptions::default()).await?;
    /// let first = first.finish().await?;
    ///
    /// // The id may be stored, so that a later program can use it.
    /// let options = AgentOptions::builder().resume(&first.session_id).build()?;
    /// let cli = ScriptedCli::new().turn(|turn| turn.say("84."));
    /// let second = query_with(cli, "And twice that?", options).await?.finish().await?;
    /// assert_eq!(second.session_id, first.session_id);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// If the session is not there, connecting fails with a text of the CLI's. A program that would
    /// then begin anew first asks `session_info` of `sessions::Sessions` or, with a store, of
    /// `sessions::StoredSessions` (feature `sessions`).
    ///
    /// The CLI (2.1.328) finds an id in all projects of its configuration folder, whatever the
    /// [`cwd`](Self::cwd), and a title only in that of the `cwd`. So a program that serves several
    /// users checks an id that one of them names, or gives each a `CLAUDE_CONFIG_DIR` of its own.
    ///
    /// Two runs that continue it at the same time do not hear of each other, and a later one goes
    /// on with what one of them has said: let the second wait, or give it a copy by
    /// [`fork_session`](Self::fork_session).
    resume(session: impl Into<String>) { options.resume = Some(session.into()) }
    /// Drops everything after the message with this id, a UUID. Needs [`resume`](Self::resume).
    resume_session_at(message: impl Into<String>) {
        options.resume_session_at = Some(message.into())
    }
    /// Also drops the turn that began with the message of this id; an empty id means none. Needs
    /// [`resume_session_at`](Self::resume_session_at).
    resume_drops_turn(message: impl Into<String>) {
        options.resume_drops_turn = Some(message.into())
    }
    /// Continues in a copy of the conversation, which gets an id of its own. Needs
    /// [`resume`](Self::resume) or [`continue_conversation`](Self::continue_conversation).
    fork_session(yes: bool) { options.fork = yes }
    /// The id of a new conversation, a UUID that is not in use. With `resume` or
    /// `continue_conversation` it needs [`fork_session`](Self::fork_session), because a continued
    /// conversation keeps its id.
    session_id(id: impl Into<String>) { options.session_id = Some(id.into()) }
    /// Whether the conversation is stored on disk, so that it can be resumed. Default: yes.
    persist_session(yes: bool) { options.no_persistence = !yes }
    /// Whether users of this program can stop each task, by
    /// [`stop_task`](crate::agent::Handle::stop_task): an interrupt then leaves tasks in the
    /// background alone. Default: an interrupt stops them, too.
    per_task_stop_affordance(yes: bool) { options.per_task_stop = yes }
    /// The title of a new conversation. Default: the CLI generates one. One that is resumed or
    /// continued keeps its title; [`rename_session`](crate::agent::Handle::rename_session) changes
    /// it.
    title(title: impl Into<String>) { options.title = Some(title.into()) }
}
