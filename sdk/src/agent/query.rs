//! One-shot runs: [`query`] and [`Query`].

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::connected::Connected;
use super::core::Core;
use super::error::{ConnectError, ProcessExit, RunError};
use super::handle::Handle;
use super::inbox::Outlet;
use super::message::{Message, ResultMessage};
use super::options::AgentOptions;
use super::prompt::{Prompt, Prompts};
use super::status::ServerInfo;
use super::texts::Texts;
use super::transport::Transport;
use super::turns::Asker;

/// The messages of a run that [`query`] began, from one prompt or a stream of prompts.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentOptions, Message, query};
///
/// let mut run = query("What is 2 + 40?", AgentOptions::builder().build()?).await?;
/// while let Some(message) = run.next().await {
///     if let Message::Assistant(message) = message? {
///         println!("{}", message.text());
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// It is a [`Stream`] too. [`finish`](Query::finish) reads on to the end and gives the result,
/// [`close`](Query::close) ends the run early. Dropping it ends the run without waiting.
#[must_use = "a run that is dropped is ended"]
pub struct Query {
    connected: Connected,
    outlet: Outlet,
    result: Option<ResultMessage>,
}

/// Runs Claude on a prompt, or on a stream of prompts ([`Prompt::stream`]).
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentOptions, query};
///
/// let options = AgentOptions::builder().model("sonnet").build()?;
/// let result = query("What is 2 + 40?", options).await?.finish().await?;
/// println!("{}", result.text());
/// # Ok(())
/// # }
/// ```
///
/// The run belongs to the tokio runtime in which it is begun, like a
/// [client](super::AgentClient::connect).
///
/// # Errors
///
/// The CLI cannot be started or initialised.
pub async fn query(
    prompt: impl Into<Prompt>,
    options: AgentOptions,
) -> Result<Query, ConnectError> {
    let transport = options.process();
    query_with(transport, prompt, options).await
}

/// Like [`query`], over another transport. The options [`cli_path`], [`stderr`] and
/// [`process_group`], and what [`close_grace`] and [`terminate_grace`] say of the process, are only
/// for the [`Process`] that [`query`] makes: one of yours has functions of its own for them.
///
/// [`cli_path`]: crate::agent::AgentOptionsBuilder::cli_path
/// [`stderr`]: crate::agent::AgentOptionsBuilder::stderr
/// [`process_group`]: crate::agent::AgentOptionsBuilder::process_group
/// [`close_grace`]: crate::agent::AgentOptionsBuilder::close_grace
/// [`terminate_grace`]: crate::agent::AgentOptionsBuilder::terminate_grace
/// [`Process`]: crate::agent::transport::Process
///
/// # Errors
///
/// The CLI cannot be reached or initialised.
pub async fn query_with(
    transport: impl Transport + 'static,
    prompt: impl Into<Prompt>,
    options: AgentOptions,
) -> Result<Query, ConnectError> {
    let (connected, outlet) = Connected::connect(Box::new(transport), options, true).await?;
    Ok(Query::begin(connected, outlet, prompt.into()))
}

/// Gives the prompts to a CLI that waits for them.
fn send(connected: &Connected, prompt: Prompt) {
    match prompt.0 {
        Prompts::One(prompt) => {
            // If the CLI is gone already, the end of its messages has the error.
            let _ = connected.handle.core.prompt(prompt, Asker::Client);
            connected.handle.core.no_more_prompts();
        }
        Prompts::Many(mut prompts) => {
            let core = connected.handle.core.clone();
            tokio::spawn(async move {
                let LastPrompt(core) = &LastPrompt(core);
                let mut ended = std::pin::pin!(core.lifecycle.ended());
                loop {
                    // Prompts are taken no faster than the CLI reads them.
                    let mut next = std::pin::pin!(async {
                        core.channel.writer.caught_up().await;
                        poll_fn(|cx| prompts.as_mut().poll_next(cx)).await
                    });
                    // A stream that never ends must not outlive the run.
                    let next = poll_fn(|cx| match ended.as_mut().poll(cx) {
                        Poll::Ready(_) => Poll::Ready(None),
                        Poll::Pending => next.as_mut().poll(cx),
                    });
                    let Some(prompt) = next.await else { break };
                    if core.prompt(prompt, Asker::Client).is_err() {
                        break;
                    }
                }
            });
        }
    }
}

/// Takes note that no more prompts will come when it is dropped, also if the stream of prompts has
/// panicked.
struct LastPrompt(Arc<Core>);

impl Drop for LastPrompt {
    fn drop(&mut self) {
        self.0.no_more_prompts();
    }
}

impl Query {
    pub(super) fn begin(connected: Connected, outlet: Outlet, prompt: Prompt) -> Self {
        send(&connected, prompt);
        Self { connected, outlet, result: None }
    }

    /// The texts of the model in the main conversation, each when it is whole; all else is passed
    /// over. Pieces come by [`StreamEvent::text_delta`](super::message::StreamEvent::text_delta).
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), toolwright::agent::Error> {
    /// # use toolwright::agent::{AgentOptions, query};
    /// let mut run = query("Tell me a story.", AgentOptions::default()).await?;
    /// let mut texts = run.texts();
    /// while let Some(text) = texts.next().await {
    ///     print!("{}", text?);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn texts(&mut self) -> Texts<&mut Self> {
        Texts::of(self)
    }

    /// The next message, or `None` at the end of the run. An error result is a message; no error
    /// follows it. The future may be dropped, as `select!` does: no message is lost.
    pub async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    /// Reads on to the end and gives the last result. To drop the future ends the run. A success is
    /// not always an answer of the model, see [`Turn::finish`](super::Turn::finish).
    ///
    /// # Errors
    ///
    /// The run failed, ended without a result, or its result is an error.
    pub async fn finish(mut self) -> Result<ResultMessage, RunError> {
        while let Some(message) = self.next().await {
            message?;
        }
        RunError::check(self.result.take().ok_or(RunError::NoResult)?)
    }

    /// A handle to control the run from elsewhere. It can send requests while the run has hooks,
    /// callbacks for permissions, elicitations or dialogs, in-process tools, or prompts to come;
    /// otherwise the CLI's input is closed, and only [`close`](Self::close) stops the run.
    pub fn handle(&self) -> Handle {
        self.connected.handle.clone()
    }

    /// The CLI's answer to `initialize`: its commands, agents, models and version.
    pub fn server_info(&self) -> &ServerInfo {
        &self.connected.info
    }

    /// Ends the run, waits until the CLI's process, the in-process tools and the callbacks are
    /// gone, and gives the exit. A tool or callback that cannot be stopped is waited for two
    /// seconds. The CLI may [go on with its turn](crate::agent#when-a-run-ends) for a while.
    pub async fn close(self) -> ProcessExit {
        self.connected.close().await
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, RunError>>> {
        let next = self.outlet.poll_next(cx).map(|next| next.map(|text| text.map(Message::parse)));
        if let Poll::Ready(Some(Ok(Message::Result(result)))) = &next {
            self.result = Some((**result).clone());
        }
        next
    }
}

impl Stream for Query {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_message(cx)
    }
}

impl std::fmt::Debug for Query {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Query").field("handle", &self.connected.handle).finish_non_exhaustive()
    }
}
