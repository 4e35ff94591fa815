//! Conversations: [`AgentClient`].

use std::future::poll_fn;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::connected::Connected;
use super::error::{ConnectError, ProcessExit, RunError};
use super::handle::Handle;
use super::message::Message;
use super::options::AgentOptions;
use super::prompt::UserPrompt;
use super::status::ServerInfo;
use super::transport::Transport;
use super::turns::Relevance;

/// A conversation with Claude: one process, turn after turn, until it is closed.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentClient, AgentOptions, Message};
///
/// let mut client = AgentClient::connect(AgentOptions::builder().build()?).await?;
/// for question in ["What is 2 + 40?", "And twice that?"] {
///     client.query(question).await?;
///     // Ends after the turn's result.
///     while let Some(message) = client.next_response().await {
///         if let Message::Assistant(message) = message? {
///             println!("{}", message.text());
///         }
///     }
/// }
/// client.close().await;
/// # Ok(())
/// # }
/// ```
///
/// It has the methods of its [`Handle`]: [`interrupt`](Handle::interrupt),
/// [`set_model`](Handle::set_model) and so on. Dropping it ends the conversation without waiting.
pub struct AgentClient {
    connected: Connected,
    /// The result of the current turn was given.
    is_between_turns: bool,
}

impl AgentClient {
    /// Starts the CLI and initialises it.
    ///
    /// # Errors
    ///
    /// The CLI cannot be started or initialised.
    pub async fn connect(options: AgentOptions) -> Result<Self, ConnectError> {
        let transport = options.process();
        Self::connect_with(transport, options).await
    }

    /// Like [`AgentClient::connect`], over another transport.
    ///
    /// # Errors
    ///
    /// The CLI cannot be reached or initialised.
    pub async fn connect_with(
        transport: impl Transport + 'static,
        options: AgentOptions,
    ) -> Result<Self, ConnectError> {
        let connected = Connected::connect(Box::new(transport), options, false).await?;
        Ok(Self { connected, is_between_turns: false })
    }

    /// Sends a prompt. While a turn runs, the CLI queues it.
    ///
    /// # Errors
    ///
    /// The CLI has ended.
    pub async fn query(&mut self, prompt: impl Into<UserPrompt>) -> Result<(), RunError> {
        self.connected.prompt(prompt.into())
    }

    /// The next message of the current turn, or `None` after its result; the call after that begins
    /// with the next turn. Messages of a turn that was interrupted before the latest query are left
    /// out.
    pub async fn next_response(&mut self) -> Option<Result<Message, RunError>> {
        if std::mem::take(&mut self.is_between_turns) {
            return None;
        }
        loop {
            let message = match self.connected.next().await? {
                Ok(message) => message,
                Err(error) => return Some(Err(error)),
            };
            let (turns, uuid) = (&self.core.turns, message.user_message_uuid());
            let relevance = match &message {
                Message::Result(result) => turns.result(uuid, result.is_by_itself()),
                _ => turns.message(uuid),
            };
            if relevance != Relevance::Stale {
                self.is_between_turns = relevance == Relevance::Last;
                return Some(Ok(message));
            }
        }
    }

    /// All messages as they come, of all turns, until the CLI ends.
    pub fn messages(&mut self) -> Messages<'_> {
        Messages(&mut self.connected)
    }

    /// A handle to control the conversation from elsewhere.
    pub fn handle(&self) -> Handle {
        self.connected.handle.clone()
    }

    /// The CLI's answer to `initialize`: its commands, agents, models and version.
    pub fn server_info(&self) -> &ServerInfo {
        &self.connected.info
    }

    /// Ends the conversation, waits until the CLI's process is gone, and gives its exit.
    pub async fn close(self) -> ProcessExit {
        self.connected.close().await
    }
}

impl Deref for AgentClient {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.connected.handle
    }
}

/// All messages of a conversation; see [`AgentClient::messages`].
pub struct Messages<'a>(&'a mut Connected);

impl Messages<'_> {
    /// The next message.
    pub async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.0.poll_next(cx)).await
    }
}

impl Stream for Messages<'_> {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next(cx)
    }
}

impl std::fmt::Debug for AgentClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentClient")
            .field("handle", &self.connected.handle)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Messages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Messages")
    }
}
