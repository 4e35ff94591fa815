//! The turns of a conversation: which message belongs to which, and how many are still to be read.
//!
//! A prompt is sent, and once the CLI has taken it up it has started. The CLI works on one turn at
//! a time, so a result ends every prompt that has started: the one that began the turn, others that
//! waited with it, and those that the turn took up on its way. There is one turn to be read for
//! each prompt all the same; the later ones are empty. Older CLIs do not say what has started, and
//! some do not say what a result is for; then prompts end in the order in which they were sent.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::message::{CommandLifecycleMessage, Message, ResultMessage, SystemMessage};

/// The prompts of a conversation whose turns nobody has read yet.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<Prompts>);

#[derive(Debug, Default)]
struct Prompts {
    /// How many were sent so far.
    sent: u64,
    /// In the order in which they were sent.
    open: Vec<Open>,
}

#[derive(Debug)]
struct Open {
    number: u64,
    uuid: String,
    state: State,
    /// How many prompts were sent when it was interrupted. Its turn is not delivered once there are
    /// more.
    interrupted: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It may wait in the CLI's queue.
    Sent,
    /// It is a part of the turn that runs.
    Started,
    /// It gets no result of its own, so its turn is empty.
    Empty,
}

/// What to do with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relevance {
    /// It belongs to the turn at hand.
    Current,
    /// It is the last message of the turn at hand.
    Last,
    /// It belongs to a turn whose messages are not delivered, or that was read to its end.
    Stale,
}

impl Turns {
    /// How many prompts were sent so far.
    pub(crate) fn sent(&self) -> u64 {
        self.prompts().sent
    }

    /// A prompt is going to be sent.
    pub(crate) fn begin(&self, uuid: String) {
        let prompts = &mut *self.prompts();
        let number = prompts.sent;
        prompts.sent += 1;
        prompts.open.push(Open { number, uuid, state: State::Sent, interrupted: None });
        prompts.forget_void_turns();
    }

    /// The first `sent` prompts were interrupted, apart from those that stay in the CLI's queue.
    /// Those that were taken out of it never start.
    pub(crate) fn interrupt(&self, sent: u64, still_queued: &[String], cancelled: &[String]) {
        let prompts = &mut *self.prompts();
        let stays = |open: &&Open| open.number < sent && still_queued.contains(&open.uuid);
        // If no turn has begun at all, the CLI interrupts the first one as soon as it begins.
        let none_has_begun = prompts.open.iter().filter(stays).count() as u64 == sent;
        for open in prompts.open.iter_mut().filter(|open| open.number < sent) {
            if open.number == 0 && none_has_begun || !still_queued.contains(&open.uuid) {
                open.interrupted.get_or_insert(sent);
            }
            if cancelled.contains(&open.uuid) {
                open.state = State::Empty;
            }
        }
        prompts.forget_void_turns();
    }

    /// A message was read.
    pub(crate) fn read(&self, message: &Message) -> Relevance {
        let prompts = &mut *self.prompts();
        match message {
            Message::Result(result) => prompts.result(result),
            Message::CommandLifecycle(news) => prompts.lifecycle(news),
            Message::System(SystemMessage::Init(init)) => {
                init.user_message_uuids.iter().for_each(|uuid| prompts.start(uuid));
                prompts.relevance(message.user_message_uuid())
            }
            _ => prompts.relevance(message.user_message_uuid()),
        }
    }

    /// Skips the next turn if it is empty.
    pub(crate) fn skip_empty(&self) -> bool {
        let prompts = &mut *self.prompts();
        let next = prompts.open.iter().position(|open| !open.is_void(prompts.sent));
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Prompts {
    /// A result was read: ends its prompts. The first that is delivered has the result in its
    /// turn, and the turns of the others are empty.
    fn result(&mut self, result: &ResultMessage) -> Relevance {
        let ended = self.ended_by(result);
        if ended.is_empty() {
            // The CLI had begun the turn by itself.
            return match self.waits_for_another(None) {
                true => Relevance::Current,
                false => Relevance::Last,
            };
        }
        let mut relevance = Relevance::Stale;
        let sent = self.sent;
        self.open.retain_mut(|open| {
            if !ended.contains(&open.number) {
                return true;
            }
            open.state = State::Empty;
            let is_first = !open.is_void(sent) && relevance == Relevance::Stale;
            if is_first {
                relevance = Relevance::Last;
            }
            !is_first && !open.is_void(sent)
        });
        relevance
    }

    /// The numbers of the prompts that a result ends: what has started and what it names. If it
    /// names only the last prompt of a turn, those before it too; if it names none, the oldest,
    /// unless the CLI had begun that turn by itself.
    fn ended_by(&self, result: &ResultMessage) -> BTreeSet<u64> {
        let (last, all) = (result.user_message_uuid.as_ref(), &result.user_message_uuids);
        let is_named = |open: &&Open| Some(&open.uuid) == last || all.contains(&open.uuid);
        let waiting = || self.open.iter().filter(|open| open.state != State::Empty);
        let numbers = |open: &Open| open.number;
        let has_ended = |open: &&Open| open.state == State::Started || is_named(open);
        let mut ended: BTreeSet<_> = waiting().filter(has_ended).map(numbers).collect();
        if let (true, Some(last)) = (all.is_empty(), self.open.iter().rfind(is_named)) {
            ended.extend(waiting().map(numbers).take_while(|number| *number <= last.number));
        }
        let is_ours = last.is_none() && all.is_empty() && !result.is_by_itself();
        if is_ours && ended.is_empty() {
            ended.extend(waiting().map(numbers).next());
        }
        ended
    }

    /// The CLI tells how far a prompt is.
    fn lifecycle(&mut self, news: &CommandLifecycleMessage) -> Relevance {
        let is_over =
            matches!(news.state.as_str(), "completed" | "cancelled" | "discarded" | "refused");
        let Some(at) = self.open.iter().position(|open| open.uuid == news.command_uuid) else {
            // The last news of a prompt comes behind the result.
            return if is_over { Relevance::Stale } else { Relevance::Current };
        };
        match (news.state.as_str(), self.open[at].state) {
            ("queued", State::Started) => self.open[at].state = State::Sent,
            ("started", _) => self.start(&news.command_uuid),
            // It was taken out of the queue.
            (_, State::Sent | State::Empty) if is_over => return self.withdraw(at),
            _ => {}
        }
        self.relevance(Some(&news.command_uuid))
    }

    /// A prompt has started.
    fn start(&mut self, uuid: &str) {
        if let Some(open) = self.open.iter_mut().find(|open| open.uuid == uuid)
            && open.state == State::Sent
        {
            open.state = State::Started;
        }
    }

    /// A prompt will not start.
    fn withdraw(&mut self, at: usize) -> Relevance {
        if self.open[at].is_void(self.sent) {
            self.open.remove(at);
            return Relevance::Stale;
        }
        match (self.waits_for_another(Some(at)), self.open[at].state) {
            (false, _) => {
                self.open.remove(at);
                Relevance::Last
            }
            (true, State::Empty) => Relevance::Stale,
            (true, _) => {
                self.open[at].state = State::Empty;
                Relevance::Current
            }
        }
    }

    /// Whether a prompt apart from the one at `place` may still get a result.
    fn waits_for_another(&self, place: Option<usize>) -> bool {
        self.open.iter().enumerate().any(|(at, open)| {
            Some(at) != place && open.state != State::Empty && !open.is_void(self.sent)
        })
    }

    /// What to do with a message that belongs to this prompt; without one, to the turn that runs.
    fn relevance(&self, uuid: Option<&str>) -> Relevance {
        let is_void = |open: &&Open| open.is_void(self.sent);
        let mut open = self.open.iter();
        let is_stale = match uuid {
            Some(uuid) => open.any(|open| open.uuid == uuid && is_void(&open)),
            // What was interrupted is over by the time that another starts.
            None => {
                let runs = |open: &Open| open.state == State::Started && !is_void(&open);
                open.any(|open| is_void(&open)) && !self.open.iter().any(runs)
            }
        };
        if is_stale { Relevance::Stale } else { Relevance::Current }
    }

    /// Forgets the empty turns that are not delivered.
    fn forget_void_turns(&mut self) {
        let sent = self.sent;
        self.open.retain(|open| open.state != State::Empty || !open.is_void(sent));
    }
}

impl Open {
    /// Whether it was interrupted and others were sent since, `sent` in all.
    fn is_void(&self, sent: u64) -> bool {
        self.interrupted.is_some_and(|before| before < sent)
    }
}

#[cfg(test)]
mod tests;
