//! One-shot runs.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::connected::Connected;
use super::core::Core;
use super::error::{ConnectError, RunError};
use super::handle::Handle;
use super::message::{Message, ResultMessage};
use super::options::AgentOptions;
use super::prompt::{Prompt, Prompts};
use super::status::ServerInfo;
use super::transport::Transport;

/// A run of one prompt, or of a stream of prompts: its messages, to the end. Dropping it ends the
/// run.
#[must_use = "a run that is dropped is ended"]
pub struct Run {
    connected: Connected,
    result: Option<ResultMessage>,
}

/// Runs Claude on a prompt.
///
/// # Errors
///
/// The CLI cannot be started or initialised.
pub async fn query(prompt: impl Into<Prompt>, options: AgentOptions) -> Result<Run, ConnectError> {
    let transport = options.process();
    query_with(transport, prompt, options).await
}

/// Like [`query`], over another transport.
///
/// # Errors
///
/// The CLI cannot be reached or initialised.
pub async fn query_with(
    transport: impl Transport + 'static,
    prompt: impl Into<Prompt>,
    options: AgentOptions,
) -> Result<Run, ConnectError> {
    let connected = Connected::connect(Box::new(transport), options, true).await?;
    match prompt.into().0 {
        Prompts::One(prompt) => {
            // A CLI that is gone already says why at the end of its messages.
            let _ = connected.prompt(prompt);
            connected.handle.core.no_more_prompts();
        }
        Prompts::Many(mut prompts) => {
            let (core, is_verbatim) = (connected.handle.core.clone(), connected.is_verbatim());
            tokio::spawn(async move {
                let LastPrompt(core) = &LastPrompt(core);
                let mut ended = std::pin::pin!(core.lifecycle.ended());
                loop {
                    // A stream that always has one more is read no faster than the CLI reads.
                    let mut next = std::pin::pin!(async {
                        core.channel.caught_up().await;
                        poll_fn(|cx| prompts.as_mut().poll_next(cx)).await
                    });
                    // A stream that never ends must not outlive the run.
                    let next = poll_fn(|cx| match ended.as_mut().poll(cx) {
                        Poll::Ready(_) => Poll::Ready(None),
                        Poll::Pending => next.as_mut().poll(cx),
                    });
                    let Some(prompt) = next.await else { break };
                    if core.prompt(prompt, is_verbatim).is_err() {
                        break;
                    }
                }
            });
        }
    }
    Ok(Run { connected, result: None })
}

/// Says when it is dropped that no more prompts will come, also after a stream of prompts that
/// panicked.
struct LastPrompt(Arc<Core>);

impl Drop for LastPrompt {
    fn drop(&mut self) {
        self.0.no_more_prompts();
    }
}

impl Run {
    /// The next message; `None` at the end of the run. An error result is a message, and the run
    /// then ends without a second error.
    pub async fn next(&mut self) -> Option<Result<Message, RunError>> {
        poll_fn(|cx| self.poll_message(cx)).await
    }

    /// Reads on to the end and gives the last result.
    ///
    /// # Errors
    ///
    /// The run failed, ended without a result, or its result is an error.
    pub async fn finish(mut self) -> Result<ResultMessage, RunError> {
        while let Some(message) = self.next().await {
            message?;
        }
        match self.result.take() {
            Some(result) if result.is_error => Err(RunError::ErrorResult {
                subtype: result.subtype.to_string(),
                text: result.text().into_owned(),
            }),
            Some(result) => Ok(result),
            None => Err(RunError::NoResult),
        }
    }

    /// Steers the run.
    pub fn handle(&self) -> Handle {
        self.connected.handle.clone()
    }

    /// What the CLI said of itself.
    pub fn server_info(&self) -> &ServerInfo {
        &self.connected.info
    }

    /// Ends the run now, and waits until nothing is left of it.
    pub async fn close(self) {
        self.connected.close().await;
    }

    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Message, RunError>>> {
        let next = self.connected.poll_next(cx);
        if let Poll::Ready(Some(Ok(Message::Result(result)))) = &next {
            self.result = Some((**result).clone());
        }
        next
    }
}

impl Stream for Run {
    type Item = Result<Message, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_message(cx)
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("handle", &self.connected.handle).finish_non_exhaustive()
    }
}
