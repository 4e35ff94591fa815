//! The texts among the messages.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use super::error::RunError;
use super::message::Message;

/// The texts of the model among messages: those of the main conversation that are not empty.
///
/// [`Query::texts`](super::Query::texts) gives those of a run, [`Turn::texts`](super::Turn::texts)
/// those of a turn:
///
/// ```no_run
/// # use toolwright::agent::{AgentClient, RunError};
/// # async fn example(client: AgentClient) -> Result<(), RunError> {
/// let mut turn = client.ask("Tell me a story.").await?;
/// let mut texts = turn.texts();
/// while let Some(text) = texts.next().await {
///     println!("{}", text?);
/// }
/// # Ok(())
/// # }
/// ```
///
/// Each is a whole block; [`StreamEvent::text_delta`](super::message::StreamEvent::text_delta) has
/// the pieces while the model writes them.
#[derive(Debug)]
pub struct Texts<S>(S);

impl<S: Stream<Item = Result<Message, RunError>> + Unpin> Texts<S> {
    /// The texts among these messages, such as
    /// [`AgentClient::messages`](super::AgentClient::messages).
    pub fn of(messages: S) -> Self {
        Self(messages)
    }

    /// The next text, or `None` at the end. The future may be dropped, as `select!` does: no text
    /// is lost.
    pub async fn next(&mut self) -> Option<Result<String, RunError>> {
        poll_fn(|cx| self.poll_text(cx)).await
    }

    fn poll_text(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<String, RunError>>> {
        while let Poll::Ready(next) = Pin::new(&mut self.0).poll_next(cx) {
            let text = match next {
                Some(Ok(Message::Assistant(message))) if message.parent_tool_use_id.is_none() => {
                    message.text().into_owned()
                }
                Some(Ok(_)) => continue,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            };
            if !text.is_empty() {
                return Poll::Ready(Some(Ok(text)));
            }
        }
        Poll::Pending
    }
}

impl<S: Stream<Item = Result<Message, RunError>> + Unpin> Stream for Texts<S> {
    type Item = Result<String, RunError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_text(cx)
    }
}

#[cfg(test)]
mod tests;
