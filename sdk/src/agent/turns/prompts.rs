//! The prompts that are open, and what a message means to them.

use std::collections::{BTreeSet, VecDeque};

use super::open::{Open, State};
use super::route::{Asker, Relevance, Route, Topic};
use crate::agent::message::{
    CommandLifecycleMessage, CommandState, ResultMessage, system::InitMessage,
};

/// Of so many prompts at most the last news is waited for: older CLIs tell none.
const MOST_ENDED: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Prompts {
    /// How many were sent so far.
    pub(super) sent: u64,
    /// How many have started so far.
    started: u64,
    /// In the order in which they were sent.
    pub(super) open: Vec<Open>,
    /// Who reads the turn that the CLI has begun by itself, if one runs: the `Turn` of a prompt, or
    /// the client.
    by_itself: Option<Option<u64>>,
    /// The CLI tells of each prompt when it starts.
    tells_starts: bool,
    /// The uuids of prompts of which a `Turn` has the end, and the CLI may still have news.
    ended: VecDeque<String>,
}

impl Prompts {
    pub(super) fn begin(&mut self, uuid: String, asker: Asker) -> u64 {
        let number = self.sent;
        self.sent += 1;
        self.open.push(Open { number, uuid, asker, state: State::Sent, interrupted: None });
        self.forget_void_turns();
        number
    }

    pub(super) fn interrupt(&mut self, sent: u64, still_queued: &[String], cancelled: &[String]) {
        let stays = |open: &&Open| open.number < sent && still_queued.contains(&open.uuid);
        // If no turn has begun at all, the CLI interrupts the first one as soon as it begins.
        let none_has_begun = self.open.iter().filter(stays).count() as u64 == sent;
        let ended = &mut self.ended;
        self.open.retain_mut(|open| {
            let is_cancelled = open.number < sent && cancelled.contains(&open.uuid);
            if open.is_turn() || open.number >= sent {
                if open.is_turn() && is_cancelled {
                    ended.push_back(std::mem::take(&mut open.uuid));
                }
                return !is_cancelled;
            }
            if open.number == 0 && none_has_begun || !still_queued.contains(&open.uuid) {
                open.interrupted.get_or_insert(sent);
            }
            if is_cancelled && open.is_pending() {
                open.state = State::Empty;
            }
            !is_cancelled || open.asker == Asker::Client
        });
        self.forget_void_turns();
        self.forget_ended();
    }

    /// A message about this prompt, or about none.
    pub(super) fn message(&self, uuid: Option<&str>) -> Route {
        match self.reader(uuid) {
            Some(number) => Route::turn(number),
            None => Route::client(self.topic(uuid)),
        }
    }

    /// A turn begins.
    pub(super) fn init(&mut self, init: &InitMessage, uuid: Option<&str>) -> Route {
        self.tells_starts |= init.capabilities.iter().any(|it| it == "msg_lifecycle_v1");
        init.user_message_uuids.iter().for_each(|uuid| self.start(uuid));
        let has_started = self.open.iter().any(Open::is_started);
        self.by_itself = (!has_started).then(|| self.reader(uuid));
        self.message(uuid)
    }

    /// A result ends its prompts, and each `Turn` of them gets it.
    pub(super) fn result(&mut self, result: &ResultMessage) -> Route {
        let reader = self.reader(result.user_message_uuid.as_deref());
        self.by_itself = None;
        let ended = self.ended_by(result);
        let mut route = Route::default();
        let Some(&group) = ended.first() else {
            // The CLI had begun the turn by itself.
            return reader.map_or(Route::client(Topic::End(None)), Route::turn);
        };
        let (sent, mut of_client, mut of_handle) = (self.sent, false, false);
        let turns = &mut self.ended;
        self.open.retain_mut(|open| {
            if !ended.contains(&open.number) {
                return true;
            }
            match open.asker {
                Asker::Turn => {
                    route.ended.push(open.number);
                    turns.push_back(std::mem::take(&mut open.uuid));
                    return false;
                }
                Asker::Handle => of_handle |= !open.is_void(sent),
                Asker::Client => of_client = true,
            }
            open.state = State::Over(group);
            true
        });
        self.forget_ended();
        let of_turn = !route.ended.is_empty();
        match reader {
            _ if of_client => route.client = Some(Topic::End(Some(group))),
            // Nobody's prompt but a handle's has ended: whoever has read the turn reads its end.
            None if of_handle || !of_turn => route.client = Some(Topic::End(Some(group))),
            Some(number) if !of_turn => route.turn = Some(number),
            _ => {}
        }
        if route.client.is_none() {
            self.open.retain(|open| open.state != State::Over(group));
        }
        route
    }

    /// The client reads a message. Gives what to do with it.
    pub(super) fn judge(&mut self, topic: Topic) -> Relevance {
        let is_void = |open: &Open| open.is_void(self.sent);
        match topic {
            Topic::Prompt(None) => Relevance::Current,
            Topic::Prompt(number) => {
                let prompt = self.open.iter().find(|open| Some(open.number) == number);
                if prompt.is_some_and(is_void) { Relevance::Stale } else { Relevance::Current }
            }
            Topic::End(None) => self.end_of_a_turn(),
            Topic::End(Some(group)) => self.end(group),
            Topic::Over(number) => {
                let at = self.open.iter().position(|open| open.number == number);
                at.map_or(Relevance::Stale, |at| self.withdraw(at))
            }
            Topic::Past => Relevance::Stale,
        }
    }

    /// A result ends the prompts of a group. Of the client's the first that is delivered has the
    /// result in its turn, and the turns of the others are empty.
    fn end(&mut self, group: u64) -> Relevance {
        let (sent, mut of_client, mut of_handle) = (self.sent, false, false);
        self.open.retain_mut(|open| {
            if open.state != State::Over(group) {
                return true;
            }
            open.state = State::Empty;
            match open.asker {
                _ if open.is_void(sent) => false,
                Asker::Client => std::mem::replace(&mut of_client, true),
                _ => {
                    of_handle = true;
                    false
                }
            }
        });
        match (of_client, of_handle) {
            (true, _) => Relevance::Last,
            (false, true) => self.end_of_a_turn(),
            (false, false) => Relevance::Stale,
        }
    }

    /// The CLI tells how far a prompt is.
    pub(super) fn lifecycle(&mut self, news: &CommandLifecycleMessage) -> Route {
        let is_over = news.state.is_over();
        let uuid = Some(news.command_uuid.as_str());
        let Some(at) = self.open.iter().position(|open| Some(open.uuid.as_str()) == uuid) else {
            // The last news of a prompt comes behind the result, which ends a `Turn`.
            let of_turn = self.ended.iter().position(|ended| Some(ended.as_str()) == uuid);
            return match (is_over, of_turn) {
                (true, Some(at)) => {
                    self.ended.remove(at);
                    Route::default()
                }
                (true, None) => Route::client(Topic::Past),
                (false, _) => self.message(uuid),
            };
        };
        let (asker, number) = (self.open[at].asker, self.open[at].number);
        let reader = (asker == Asker::Turn).then_some(number);
        match (&news.state, self.open[at].state) {
            (CommandState::Queued, State::Started(_)) => self.open[at].state = State::Sent,
            (CommandState::Started, _) => self.start(&news.command_uuid),
            (_, State::Started(_)) => {}
            // It was taken out of the queue, or this is the last news of it.
            (_, state) if is_over => {
                match (state, asker) {
                    (State::Sent, Asker::Client) => self.open[at].state = State::Over(number),
                    (State::Sent, _) => drop(self.open.remove(at)),
                    _ => {}
                }
                return reader.map_or(Route::client(Topic::Over(number)), Route::turn);
            }
            _ => {}
        }
        reader.map_or_else(|| Route::client(self.topic(uuid)), Route::turn)
    }

    /// Whether the client may still get an answer to a prompt, or the rest of a turn that the CLI
    /// has begun by itself.
    pub(super) fn client_waits(&self) -> bool {
        self.by_itself == Some(None) || self.open.iter().any(|open| open.concerns_client(self.sent))
    }

    /// Whether a prompt of the client's has no result yet.
    pub(super) fn client_lacks_a_result(&self) -> bool {
        self.open.iter().any(|open| open.is_pending() && open.concerns_client(self.sent))
    }

    /// Who reads a message about this prompt: a `Turn`, or the client. It is the first prompt that
    /// the turn that runs has started; without one who read the beginning of the turn; else the
    /// prompt itself, and for a message about none the first prompt that waits.
    fn reader(&self, uuid: Option<&str>) -> Option<u64> {
        let sent = self.sent;
        let waits = |open: &&Open| open.is_pending() && !open.is_void(sent);
        let order = |open: &Open| match open.state {
            State::Started(order) => Some(order),
            _ => None,
        };
        let started = self.open.iter().filter(waits).filter(|open| open.is_started());
        let lead = started.min_by_key(|open| order(open));
        if let (None, Some(reader)) = (lead, self.by_itself)
            && reader.is_none_or(|number| self.open.iter().any(|open| open.number == number))
        {
            return reader;
        }
        let named = || self.open.iter().find(|open| Some(open.uuid.as_str()) == uuid);
        let lead = lead.or_else(named).or_else(|| self.open.iter().find(waits));
        lead.filter(|open| open.is_turn()).map(|open| open.number)
    }

    /// The numbers of the prompts that a result ends: what has started and what it names. If it
    /// names only the last prompt of a turn, those before it too; if it names none and the CLI
    /// does not tell what starts, the oldest, unless the CLI had begun that turn by itself.
    fn ended_by(&self, result: &ResultMessage) -> BTreeSet<u64> {
        let (last, all) = (result.user_message_uuid.as_ref(), &result.user_message_uuids);
        let is_named = |open: &&Open| Some(&open.uuid) == last || all.contains(&open.uuid);
        let waiting = || self.open.iter().filter(|open| open.is_pending());
        let numbers = |open: &Open| open.number;
        let has_ended = |open: &&Open| open.is_started() || is_named(open);
        let mut ended: BTreeSet<_> = waiting().filter(has_ended).map(numbers).collect();
        if let (true, Some(last)) = (all.is_empty(), self.open.iter().rfind(is_named)) {
            ended.extend(waiting().map(numbers).take_while(|number| *number <= last.number));
        }
        let names_none = last.is_none() && all.is_empty();
        let is_ours = names_none && !self.tells_starts && !result.is_by_itself();
        if is_ours && ended.is_empty() {
            ended.extend(waiting().map(numbers).next());
        }
        ended
    }

    /// A prompt has started.
    fn start(&mut self, uuid: &str) {
        if let Some(open) = self.open.iter_mut().find(|open| open.uuid == uuid)
            && open.state == State::Sent
        {
            open.state = State::Started(self.started);
            self.started += 1;
        }
    }

    /// A prompt is over. If it has got no result, its turn is empty; what this means to the client.
    fn withdraw(&mut self, at: usize) -> Relevance {
        let open = &self.open[at];
        if open.is_void(self.sent) {
            self.open.remove(at);
            return Relevance::Stale;
        }
        match (self.waits_for_another(Some(at)), open.state) {
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

    /// What a result is to the client that ends none of its prompts.
    fn end_of_a_turn(&self) -> Relevance {
        match self.waits_for_another(None) {
            true => Relevance::Current,
            false => Relevance::Last,
        }
    }

    /// Whether a prompt of the client's apart from the one at `place` may still get a result.
    fn waits_for_another(&self, place: Option<usize>) -> bool {
        let mut open = self.open.iter().enumerate();
        open.any(|(at, open)| Some(at) != place && open.concerns_client(self.sent))
    }

    /// What a message for the client is about that names this prompt, or none: then the turn that
    /// runs.
    fn topic(&self, uuid: Option<&str>) -> Topic {
        let is_void = |open: &&Open| open.is_void(self.sent);
        let mut pending = self.open.iter().filter(|open| open.is_pending());
        let prompt = match uuid {
            Some(uuid) => self.open.iter().find(|open| open.uuid == uuid),
            // What was interrupted is over by the time that another starts.
            None => pending
                .clone()
                .rfind(|open| open.is_started() && !is_void(open))
                .or_else(|| pending.clone().find(is_void))
                .or_else(|| pending.next()),
        };
        Topic::Prompt(prompt.map(|open| open.number))
    }

    fn forget_ended(&mut self) {
        let excess = self.ended.len().saturating_sub(MOST_ENDED);
        self.ended.drain(..excess);
    }

    /// Forgets the empty turns that are not delivered.
    fn forget_void_turns(&mut self) {
        let sent = self.sent;
        self.open.retain(|open| open.state != State::Empty || !open.is_void(sent));
    }
}
