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
    place: Place,
}

/// Where the reading by turns is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The next message begins a turn.
    Before,
    Within,
    /// The last message of a turn was given.
    Behind,
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
        Ok(Self { connected, place: Place::Before })
    }

    /// Sends a prompt. It does not wait for the answer, nor for a turn that runs.
    ///
    /// A turn that runs takes the prompt up when its tools have ended, before it asks the model
    /// again. If the model calls no tool, the prompt waits for the end of the turn, and all prompts
    /// that wait then begin one turn together; a command such as `/clear` has a turn of its own.
    /// [`UserPrompt::priority`] changes this. The result's
    /// [`user_message_uuids`](super::message::ResultMessage::user_message_uuids) say what a turn has
    /// answered.
    ///
    /// # Errors
    ///
    /// The CLI has ended.
    pub async fn query(&mut self, prompt: impl Into<UserPrompt>) -> Result<(), RunError> {
        if self.place == Place::Behind {
            // Whoever stopped reading at the result reads the next turn next.
            self.place = Place::Before;
        }
        self.connected.prompt(prompt.into())
    }

    /// The next message of the turn at hand, or `None` after its result; the call after that begins
    /// with the next turn. Once the CLI has ended, it is `None` for ever.
    ///
    /// There is one turn to be read for each prompt, in the order in which the CLI answers them,
    /// however many prompts were sent before:
    ///
    /// ```no_run
    /// # use toolwright::agent::{AgentClient, RunError};
    /// # async fn example(mut client: AgentClient) -> Result<(), RunError> {
    /// client.query("How is the weather in Rome?").await?;
    /// client.query("And in Oslo?").await?;
    /// for _ in 0..2 {
    ///     while let Some(message) = client.next_response().await {
    ///         println!("{}", message?.raw());
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// If the CLI answers two prompts in one turn, both answers and the one result are in the first,
    /// and the second is empty: `None` at once. So is the turn of a prompt that was taken out of the
    /// CLI's queue.
    ///
    /// Turns that were interrupted before the latest [`query`](Self::query) are left out, and
    /// so is what the CLI says about a turn behind its result. Turns that the CLI begins by itself,
    /// for example when a task in the background has ended, come with the next prompt's, or as turns
    /// of their own while no prompt waits for an answer.
    pub async fn next_response(&mut self) -> Option<Result<Message, RunError>> {
        match self.place {
            Place::Before if self.core.turns.skip_empty() => return None,
            Place::Behind => {
                self.place = Place::Before;
                return None;
            }
            Place::Before | Place::Within => {}
        }
        loop {
            let message = match self.connected.next().await? {
                Ok(message) => message,
                Err(error) => return Some(Err(error)),
            };
            self.place = match self.core.turns.read(&message) {
                Relevance::Current => Place::Within,
                Relevance::Last => Place::Behind,
                Relevance::Stale => continue,
            };
            return Some(Ok(message));
        }
    }

    /// All messages as they come, of all turns, until the CLI ends. What is read here is not read
    /// again by [`next_response`](Self::next_response), which goes on with the turn that is reached.
    pub fn messages(&mut self) -> Messages<'_> {
        Messages(self)
    }

    /// A handle to control the conversation from elsewhere.
    pub fn handle(&self) -> Handle {
        self.connected.handle.clone()
    }

    /// The CLI's answer to `initialize`: its commands, agents, models and version.
    pub fn server_info(&self) -> &ServerInfo {
        &self.connected.info
    }

    /// Ends the conversation, waits until the CLI's process, the in-process tools and the callbacks
    /// are gone, and gives the exit. A tool or callback that cannot be stopped is waited for one
    /// second.
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
pub struct Messages<'a>(&'a mut AgentClient);

impl Messages<'_> {
    /// The next message.
    pub async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, RunError>>> {
        let next = self.0.connected.poll_next(cx);
        if let Poll::Ready(Some(Ok(message))) = &next {
            let turns = &self.0.core.turns;
            turns.read(message);
            turns.forget_empty();
            self.0.place = Place::Before;
        }
        next
    }
}

impl Stream for Messages<'_> {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_message(cx)
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
