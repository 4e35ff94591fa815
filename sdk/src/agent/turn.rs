//! One turn of a conversation: [`Turn`].

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::error::RunError;
use super::mail::Mail;
use super::message::{Message, ResultMessage};
use super::texts::Texts;

/// The answer to one prompt: the messages of its turn up to the result, which is the last.
/// [`AgentClient::ask`](super::AgentClient::ask) begins it.
///
/// ```
/// # use toolwright::agent::{AgentClient, AgentOptions, Error, Message};
/// # use toolwright::testing::ScriptedCli;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// # let cli = ScriptedCli::new().turn(|t| t.say("Sunny.")).turn(|t| t.say("Rainy."));
/// # let client = AgentClient::connect_with(cli, AgentOptions::default()).await?;
/// let mut rome = client.ask("How is the weather in Rome?").await?;
/// let oslo = client.ask("And in Oslo?").await?;
///
/// assert_eq!(oslo.finish().await?.text(), "Rainy.");
/// // Nothing of it is lost, although the other turn was read first.
/// while let Some(message) = rome.next().await {
///     if let Message::Assistant(message) = message? {
///         assert_eq!(message.text(), "Sunny.");
///     }
/// }
/// # client.close().await;
/// # Ok(())
/// # }
/// ```
///
/// It is a [`Stream`] too, and may be read in any task and in any order with others. To drop it
/// discards the messages and does not interrupt the turn;
/// [`Handle::interrupt`](super::Handle::interrupt) does.
///
/// # Which messages it has
///
/// | the prompt | its messages |
/// |---|---|
/// | begins a turn of the CLI | all of that turn |
/// | is taken up by a turn that runs, or begins one together with prompts before it | the result alone: the messages are the first prompt's |
/// | is taken out of the CLI's queue | no result; [`finish`](Self::finish) fails |
///
/// What the CLI does by itself while only this prompt waits comes first, with a result of its own
/// ([`is_by_itself`](ResultMessage::is_by_itself)). News of the prompt itself are
/// [`Message::CommandLifecycle`]; those behind the result are left out.
#[must_use = "a turn that is dropped is not read"]
pub struct Turn {
    mail: Arc<Mail>,
    number: u64,
    uuid: String,
    result: Option<ResultMessage>,
    is_over: bool,
}

impl Turn {
    /// The turn of a prompt whose messages are kept already.
    pub(super) fn new(mail: Arc<Mail>, number: u64, uuid: String) -> Self {
        Self { mail, number, uuid, result: None, is_over: false }
    }

    /// The texts of the model in the main conversation, each when it is whole; all else is passed
    /// over. Pieces come by [`StreamEvent::text_delta`](super::message::StreamEvent::text_delta).
    ///
    /// ```
    /// # use toolwright::agent::{AgentClient, AgentOptions, Error};
    /// # use toolwright::testing::ScriptedCli;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Error> {
    /// # let cli = ScriptedCli::new().turn(|turn| turn.say("Once upon a time."));
    /// # let client = AgentClient::connect_with(cli, AgentOptions::default()).await?;
    /// let mut turn = client.ask("Tell me a story.").await?;
    /// let mut texts = turn.texts();
    /// while let Some(text) = texts.next().await {
    ///     assert_eq!(text?, "Once upon a time.");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn texts(&mut self) -> Texts<&mut Self> {
        Texts::of(self)
    }

    /// The next message, or `None` after the result. If the run fails first, its error is the last
    /// item. So is the error of [`finish`](Self::finish) if the prompt gets no result, but what the
    /// CLI did by itself had one. `None` comes without a result, too, if the client is closed or
    /// dropped: [`finish`](Self::finish), which may be called after `None`, then gives
    /// [`RunError::NoResult`]. The future may be dropped, as `select!` does: no message is lost.
    pub async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    /// Reads on to the end and gives the result. To drop the future drops the turn.
    ///
    /// A success is not always an answer of the model. If a hook of `UserPromptSubmit` blocks or
    /// stops the prompt, or the prompt is blank, [`text`](ResultMessage::text) is what the hook or
    /// the CLI says about that, and [`num_turns`](ResultMessage::num_turns) is 0:
    ///
    /// ```
    /// # use toolwright::agent::{AgentClient, AgentOptions, HookMatcher, HookOutput};
    /// # use toolwright::testing::ScriptedCli;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), toolwright::agent::Error> {
    /// let options = AgentOptions::builder()
    ///     .hook(HookMatcher::user_prompt_submit(), async |_, _| HookOutput::default().block("no"))
    ///     .build()?;
    /// # let cli = ScriptedCli::new();
    /// # let client = AgentClient::connect_with(cli, options).await?;
    /// let result = client.ask("May I?").await?.finish().await?;
    /// assert_eq!(result.num_turns, 0);
    /// assert!(result.text().starts_with("UserPromptSubmit operation blocked by hook:\nno"));
    /// # client.close().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The run failed or ended before the result, the result is an error, as that of an
    /// [interrupted](RunError::is_interrupted) turn is, or the prompt was taken out of the CLI's
    /// queue ([`RunError::Withdrawn`]).
    pub async fn finish(mut self) -> Result<ResultMessage, RunError> {
        while let Some(message) = self.next().await {
            message?;
        }
        RunError::check(self.result.take().ok_or_else(|| self.unanswered())?)
    }

    /// The UUID of the prompt, by which results, cancellations and
    /// [`rewind_files`](super::Handle::rewind_files) name it.
    pub fn prompt_uuid(&self) -> &str {
        &self.uuid
    }

    /// Why the prompt has got no result.
    fn unanswered(&self) -> RunError {
        match self.mail.is_withdrawn(self.number) {
            true => RunError::Withdrawn,
            false => RunError::NoResult,
        }
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, RunError>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let next = match self.mail.poll_turn(self.number, cx) {
            // What the CLI did by itself has a result, too, which is no answer to the prompt.
            Poll::Ready(None) if self.result.is_some() && !self.mail.is_answered(self.number) => {
                Poll::Ready(Some(Err(self.unanswered())))
            }
            next => next,
        };
        match &next {
            Poll::Ready(Some(Ok(Message::Result(result)))) => {
                self.result = Some((**result).clone())
            }
            Poll::Ready(Some(Err(_))) => (self.result, self.is_over) = (None, true),
            Poll::Ready(None) => self.is_over = true,
            _ => {}
        }
        next
    }
}

impl Stream for Turn {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_message(cx)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.mail.forget(self.number);
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").field("prompt_uuid", &self.uuid).finish_non_exhaustive()
    }
}
