//! The turns of a conversation: which message belongs to which, and how many are still to be read.
//!
//! A prompt is sent, and once the CLI has taken it up it has started. The CLI works on one turn at
//! a time, so a result ends every prompt that has started: the one that began the turn, others that
//! waited with it, and those that the turn took up on its way. The messages of the turn are for
//! whoever reads the first of these prompts: its `Turn`, or the client. The client reads one turn
//! for each prompt all the same; the later ones are empty. Older CLIs do not say what has started,
//! and some do not say what a result is for; then prompts end in the order in which they were sent.

mod open;
mod prompts;
mod route;
mod waiting;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::message::{Message, SystemMessage};
use open::State;
use prompts::Prompts;

pub(crate) use route::{Asker, Relevance, Route, Topic};
pub(crate) use waiting::Waiting;

/// The prompts of a conversation whose turns nobody has read yet.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    prompts: Mutex<Prompts>,
    /// Woken when a turn may have ended without a message.
    pub(crate) waiting: Arc<Waiting>,
}

impl Turns {
    /// How many prompts were sent so far.
    pub(crate) fn sent(&self) -> u64 {
        self.prompts().sent
    }

    /// A prompt is going to be sent. Gives its number.
    pub(crate) fn begin(&self, uuid: String, asker: Asker) -> u64 {
        self.prompts().begin(uuid, asker)
    }

    /// The first `sent` prompts were interrupted, apart from those that stay in the CLI's queue.
    /// Those that were taken out of it never start.
    pub(crate) fn interrupt(&self, sent: u64, still_queued: &[String], cancelled: &[String]) {
        self.prompts().interrupt(sent, still_queued, cancelled);
        self.waiting.wake_all();
    }

    /// A message was read. Gives where it goes.
    pub(crate) fn read(&self, message: &Message) -> Route {
        let prompts = &mut *self.prompts();
        match message {
            Message::Result(result) => prompts.result(result),
            Message::CommandLifecycle(news) => prompts.lifecycle(news),
            Message::System(SystemMessage::Init(init)) => {
                prompts.init(init, message.user_message_uuid())
            }
            _ => prompts.message(message.user_message_uuid()),
        }
    }

    /// The client reads a message that is about this. Gives what to do with it.
    pub(crate) fn judge(&self, topic: Topic) -> Relevance {
        self.prompts().judge(topic)
    }

    /// Whether the prompt with this number may still get an answer.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.prompts().open.iter().any(|open| open.number == number)
    }

    /// Whether anything is still to come for the client.
    pub(crate) fn client_waits(&self) -> bool {
        self.prompts().client_waits()
    }

    /// Whether a prompt of the client's has no result yet.
    pub(crate) fn client_lacks_a_result(&self) -> bool {
        self.prompts().client_lacks_a_result()
    }

    /// Skips the client's next turn if it is empty.
    pub(crate) fn skip_empty(&self) -> bool {
        let prompts = &mut *self.prompts();
        let mut open = prompts.open.iter();
        let next = open.position(|open| open.asker == Asker::Client && !open.is_void(prompts.sent));
        match next.filter(|next| prompts.open[*next].state == State::Empty) {
            Some(next) => {
                prompts.open.remove(next);
                true
            }
            None => false,
        }
    }

    /// Forgets the empty turns: the messages are not read turn by turn.
    pub(crate) fn forget_empty(&self) {
        self.prompts().open.retain(|open| open.state != State::Empty);
    }

    fn prompts(&self) -> MutexGuard<'_, Prompts> {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
