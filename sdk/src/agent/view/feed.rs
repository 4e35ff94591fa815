//! What a view shows, in its order: [`Feed`].

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use futures_core::Stream;
use tokio::task::coop::consume_budget;

use super::desk::{Desk, Item, Question};
use super::event::Event;
use super::events::Events;
use crate::agent::error::RunError;
use crate::agent::message::{Message, ResultMessage};
use crate::agent::options::AgentOptionsBuilder;

/// Brings the messages of runs, the questions and the progress of tools into one order.
#[derive(Debug)]
pub(super) struct Feed {
    desk: Arc<Desk>,
    events: Events,
    began: Instant,
    result: Option<ResultMessage>,
    error: Option<RunError>,
}

/// What comes next.
pub(super) enum Next {
    Events(Vec<Event>),
    Question(Box<Question>),
    /// The messages have ended.
    End(Box<Result<ResultMessage, RunError>>),
}

impl Feed {
    /// Makes a run ask here.
    pub(super) fn attach(&self, options: AgentOptionsBuilder) -> AgentOptionsBuilder {
        self.desk.attach(options)
    }

    #[cfg(test)]
    pub(super) fn desk(&self) -> Arc<Desk> {
        self.desk.clone()
    }

    /// Other messages come now.
    pub(super) fn begin(&mut self) {
        (self.result, self.error) = (None, None);
        self.desk.begin();
    }

    /// What comes first. Messages do, so that a question follows the call that it is about.
    pub(super) async fn next(
        &mut self,
        mut messages: Pin<&mut impl Stream<Item = Result<Message, RunError>>>,
    ) -> Next {
        if let Some(error) = self.error.take() {
            return Next::End(Box::new(Err(error)));
        }
        // However many messages are there, other tasks run too, such as those that serve a page.
        consume_budget().await;
        let desk = self.desk.clone();
        let mut item = pin!(desk.next());
        poll_fn(|cx| match messages.as_mut().poll_next(cx) {
            Poll::Ready(message) => Poll::Ready(self.message(message)),
            Poll::Pending => item.as_mut().poll(cx).map(|item| match item {
                Item::Progress(event) => Next::Events(vec![event]),
                Item::Question(question) => Next::Question(question),
            }),
        })
        .await
    }

    fn message(&mut self, message: Option<Result<Message, RunError>>) -> Next {
        match message {
            Some(Ok(message)) => {
                let mut events = self.events.read(&message, self.began.elapsed());
                self.add_progress(&mut events);
                if let Message::Result(message) = message {
                    self.result = Some(*message);
                }
                Next::Events(events)
            }
            Some(Err(error)) => self.fail(error),
            None => match self.result.take() {
                Some(result) => Next::End(Box::new(RunError::check(result))),
                None => self.fail(RunError::NoResult),
            },
        }
    }

    /// Shows the error before the end.
    fn fail(&mut self, error: RunError) -> Next {
        let failed = Event::Failed { error: error.to_string() };
        self.result = None;
        self.error = Some(error);
        Next::Events(vec![failed])
    }

    /// Says behind each call, and before its result, how far it came.
    fn add_progress(&self, events: &mut Vec<Event>) {
        let mut at = 0;
        while let Some(event) = events.get(at) {
            let (id, behind) = match event {
                Event::Call { id, .. } => (Some(id), 1),
                Event::Returned { id, .. } => (Some(id), 0),
                _ => (None, 0),
            };
            if let Some(progress) = id.and_then(|id| self.desk.progress_of(id)) {
                events.insert(at + behind, progress);
                at += 1;
            }
            at += 1;
        }
    }
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            desk: Arc::default(),
            events: Events::default(),
            began: Instant::now(),
            result: None,
            error: None,
        }
    }
}

/// Nobody can answer any more.
impl Drop for Feed {
    fn drop(&mut self) {
        self.desk.close();
    }
}

#[cfg(test)]
mod tests;
