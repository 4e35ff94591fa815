//! Conversations: [`AgentClient`].

use std::future::poll_fn;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::connected::Connected;
use super::error::{ConnectError, ProcessExit, RunError};
use super::handle::Handle;
use super::mail::Mail;
use super::message::Message;
use super::options::AgentOptions;
use super::prompt::UserPrompt;
use super::status::ServerInfo;
use super::transport::Transport;
use super::turn::Turn;
use super::turns::{Asker, Relevance};

/// A conversation with Claude: one process, turn after turn, until it is closed.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentClient, AgentOptions, Message};
///
/// let client = AgentClient::connect(AgentOptions::builder().build()?).await?;
/// let mut turn = client.ask("What is 2 + 40?").await?;
/// while let Some(message) = turn.next().await {
///     if let Message::Assistant(message) = message? {
///         println!("{}", message.text());
///     }
/// }
/// let result = client.ask("And twice that?").await?.finish().await?;
/// println!("{}", result.text());
/// client.close().await;
/// # Ok(())
/// # }
/// ```
///
/// Each prompt of [`ask`](Self::ask) has a [`Turn`] of its own. [`query`](Self::query) and
/// [`next_response`](Self::next_response) read turn after turn instead, as in the Agent SDK for
/// Python; [`messages`](Self::messages) has what belongs to no `Turn`.
///
/// It has the methods of its [`Handle`]: [`interrupt`](Handle::interrupt),
/// [`set_model`](Handle::set_model) and so on. Dropping it ends the conversation without waiting.
pub struct AgentClient {
    connected: Connected,
    mail: Arc<Mail>,
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
    /// The client belongs to the tokio runtime in which it is connected, as its tasks run there. In
    /// another one its methods wait while that is not driven, also beyond their timeouts, and fail
    /// once it is gone.
    ///
    /// # Errors
    ///
    /// The CLI cannot be started or initialised.
    pub async fn connect(options: AgentOptions) -> Result<Self, ConnectError> {
        let transport = options.process();
        Self::connect_with(transport, options).await
    }

    /// Like [`AgentClient::connect`], over another transport. [`query_with`](super::query_with)
    /// says which options are not for it.
    ///
    /// # Errors
    ///
    /// The CLI cannot be reached or initialised.
    pub async fn connect_with(
        transport: impl Transport + 'static,
        options: AgentOptions,
    ) -> Result<Self, ConnectError> {
        let (connected, outlet) = Connected::connect(Box::new(transport), options, false).await?;
        let mail = Mail::new(connected.handle.core.clone(), outlet);
        Ok(Self { connected, mail, place: Place::Before })
    }

    /// Sends a prompt and gives its turn, whose messages are kept for it. It waits neither for the
    /// answer nor for a turn that runs, so that any number of prompts may be sent, and their turns
    /// read in any order and in any task; only where the CLI has not read 64 MiB that were sent
    /// before does it wait for room. A future that is dropped before it is ready has sent nothing.
    /// [`Turn`] says which messages each has, and [`query`](Self::query) when the CLI takes a
    /// prompt up.
    ///
    /// A turn does not wait for subagents in the background, which
    /// [`AgentDefinition::background`](super::options::AgentDefinition::background) explains.
    ///
    /// What belongs to no `Turn` is kept for [`messages`](Self::messages) and
    /// [`next_response`](Self::next_response): turns that the CLI begins by itself while no prompt
    /// waits, and those of prompts that a [`Handle`](Handle::send) has sent. It counts as
    /// [unread](super::AgentOptionsBuilder::max_unread), so a long conversation reads it now and
    /// then, for example before each prompt, with `next_response` until that is `None` at once.
    ///
    /// ```
    /// # use toolwright::agent::{AgentClient, AgentOptions, Error};
    /// # use toolwright::testing::ScriptedCli;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Error> {
    /// # let cli = ScriptedCli::new().turn(|t| t.say("42.")).turn(|t| t.say("84."));
    /// # let client = AgentClient::connect_with(cli, AgentOptions::default()).await?;
    /// let first = client.ask("What is 2 + 40?").await?;
    /// let second = client.ask("And twice that?").await?;
    /// assert_eq!(first.finish().await?.text(), "42.");
    /// assert_eq!(second.finish().await?.text(), "84.");
    /// # client.close().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The CLI has ended, or the prompt has no answer ([`RunError::NoTurn`]).
    pub async fn ask(&self, prompt: impl Into<UserPrompt>) -> Result<Turn, RunError> {
        let expected = |number| self.mail.open(number);
        let (number, uuid) = self.core.prompt_as(prompt.into(), Asker::Turn, expected).await?;
        Ok(Turn::new(self.mail.clone(), number, uuid))
    }

    /// Sends a prompt whose turn [`next_response`](Self::next_response) reads. It does not wait for
    /// the answer, nor for a turn that runs, but for room like [`ask`](Self::ask). A future that is
    /// dropped before it is ready has sent nothing.
    ///
    /// A turn that runs takes the prompt up when its tools have ended, before it asks the model
    /// again. If the model calls no tool, the prompt waits for the end of the turn, and all prompts
    /// that wait then begin one turn together; a command such as `/clear` has a turn of its own.
    /// [`UserPrompt::priority`] changes this. The result's
    /// [`user_message_uuids`](super::message::ResultMessage::user_message_uuids) say what a turn
    /// has answered.
    ///
    /// # Errors
    ///
    /// The CLI has ended.
    pub async fn query(&mut self, prompt: impl Into<UserPrompt>) -> Result<(), RunError> {
        if self.place == Place::Behind {
            // Whoever stopped reading at the result reads the next turn next.
            self.place = Place::Before;
        }
        self.core.prompt_as(prompt.into(), Asker::Client, |_| ()).await.map(drop)
    }

    /// The next message of the turn at hand, or `None` after its result; the call after that begins
    /// with the next turn. It is `None` at once if no prompt waits for an answer and the CLI has
    /// begun no turn by itself, and for ever once the CLI has ended. The future may be dropped, as
    /// `select!` does: no message is lost.
    ///
    /// There is one turn to be read for each [`query`](Self::query), in the order in which the CLI
    /// answers them, however many prompts were sent before:
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
    /// If the CLI answers two prompts in one turn, both answers and the one result are in the
    /// first, and the second is empty: `None` at once. So is the turn of a prompt that was taken
    /// out of the CLI's queue.
    ///
    /// Turns that were interrupted before the latest prompt are left out, and so is what the CLI
    /// says about a turn behind its result. Turns that the CLI begins by itself, for example when a
    /// task in the background has ended, come with the next prompt's, or as turns of their own
    /// while no prompt waits for an answer. So do the turns of prompts that a
    /// [`Handle`](Handle::send) has sent. To wait for such a turn, read
    /// [`messages`](Self::messages).
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
            let (message, relevance) = match poll_fn(|cx| self.mail.poll_client(false, cx)).await {
                Some(Ok(next)) => next,
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    // The turn that was waited for may have become empty meanwhile.
                    if self.place == Place::Before {
                        self.core.turns.skip_empty();
                    }
                    self.place = Place::Before;
                    return None;
                }
            };
            self.place = match relevance {
                Relevance::Current => Place::Within,
                Relevance::Last => Place::Behind,
                Relevance::Stale => continue,
            };
            return Some(Ok(message));
        }
    }

    /// All messages as they come, of all turns but those that a [`Turn`] has, until the CLI ends.
    /// It waits for turns that the CLI may begin by itself. What is read here is not read again by
    /// [`next_response`](Self::next_response), which goes on with the turn that is reached.
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
    /// are gone, and gives the exit. A tool or callback that cannot be stopped is waited for two
    /// seconds. The CLI may [go on with its turn](crate::agent#when-a-run-ends) for a while, unless
    /// it was [interrupted](Handle::interrupt) first.
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
    /// The next message. The future may be dropped, as `select!` does: no message is lost.
    pub async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, RunError>>> {
        let next = self.0.mail.poll_client(true, cx);
        if let Poll::Ready(Some(Ok(_))) = &next {
            self.0.core.turns.forget_empty();
            self.0.place = Place::Before;
        }
        next.map(|next| next.map(|next| next.map(|(message, _)| message)))
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

#[cfg(test)]
mod tests;
