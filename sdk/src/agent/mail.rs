//! The messages of a conversation on their way to several readers: the client, and each `Turn`.
//!
//! Whoever waits for a message takes all that come, decodes each once and puts what is another's
//! into the box of that reader.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::runtime::Handle;

use super::core::Core;
use super::error::RunError;
use super::inbox::Outlet;
use super::message::Message;
use super::turns::{Relevance, Route, Topic};

/// How many messages one poll takes for other readers before it lets other tasks run.
const MANY: usize = 256;

/// The messages of a conversation.
pub(crate) struct Mail {
    core: Arc<Core>,
    state: Mutex<State>,
    /// Where messages are read that nobody waits for: a `Turn` may be dropped anywhere.
    runtime: Option<Handle>,
}

/// What a reader gets.
type Next<T> = Poll<Option<Result<T, RunError>>>;

struct State {
    outlet: Outlet,
    client: VecDeque<(Message, Topic)>,
    /// Of each `Turn`, by the number of its prompt.
    turns: HashMap<u64, TurnBox>,
    /// The run is over, and whether the client was told of its error.
    ended: Option<(Option<RunError>, bool)>,
}

#[derive(Default)]
struct TurnBox {
    messages: VecDeque<Message>,
    /// The result has come.
    has_ended: bool,
    /// The prompt was taken out of the CLI's queue.
    is_withdrawn: bool,
}

impl Mail {
    pub(crate) fn new(core: Arc<Core>, outlet: Outlet) -> Arc<Self> {
        let state = State { outlet, client: VecDeque::new(), turns: HashMap::new(), ended: None };
        Arc::new(Self { core, state: Mutex::new(state), runtime: Handle::try_current().ok() })
    }

    /// Keeps the messages of the prompt with this number from now on.
    pub(crate) fn open(&self, number: u64) {
        self.state().turns.insert(number, TurnBox::default());
    }

    /// Nobody reads the messages of this prompt any more. Those that are still to come are taken
    /// and dropped, as they would count as unread.
    pub(crate) fn forget(self: &Arc<Self>, number: u64) {
        {
            let state = &mut *self.state();
            let forgotten = state.turns.remove(&number).unwrap_or_default();
            forgotten.messages.iter().for_each(|message| state.outlet.release(message.raw().len()));
            if self.is_over(state, number) {
                return;
            }
        }
        let Some(runtime) = &self.runtime else { return };
        let mail = self.clone();
        runtime.spawn(async move {
            let over = |state: &mut State, _| match mail.is_over(state, number) {
                true => Poll::Ready(None::<Result<(), _>>),
                false => Poll::Pending,
            };
            poll_fn(|cx| mail.poll(Some(number), cx, over)).await
        });
    }

    /// Whether the prompt with this number was found to be withdrawn.
    pub(crate) fn is_withdrawn(&self, number: u64) -> bool {
        self.state().turns.get(&number).is_some_and(|letters| letters.is_withdrawn)
    }

    /// Whether the result of the prompt with this number has come.
    pub(crate) fn is_answered(&self, number: u64) -> bool {
        self.state().turns.get(&number).is_some_and(|letters| letters.has_ended)
    }

    /// The next message of the prompt with this number, or `None` after its last.
    pub(crate) fn poll_turn(&self, number: u64, cx: &mut Context<'_>) -> Next<Message> {
        self.poll(Some(number), cx, |State { outlet, turns, ended, .. }, _| {
            let Some(letters) = turns.get_mut(&number) else { return Poll::Ready(None) };
            if let Some(message) = letters.messages.pop_front() {
                outlet.release(message.raw().len());
                return Poll::Ready(Some(Ok(message)));
            }
            if letters.has_ended {
                return Poll::Ready(None);
            }
            letters.is_withdrawn = !self.core.turns.is_open(number);
            match ended {
                _ if letters.is_withdrawn => Poll::Ready(None),
                Some((error, _)) => {
                    Poll::Ready(error.clone().or_else(|| self.core.lifecycle.death()).map(Err))
                }
                None => Poll::Pending,
            }
        })
    }

    /// The next message for the client. Unless it `waits` for what the CLI may do by itself, `None`
    /// if no more is expected.
    pub(crate) fn poll_client(
        &self,
        waits: bool,
        cx: &mut Context<'_>,
    ) -> Next<(Message, Relevance)> {
        self.poll(None, cx, |state, is_all| {
            if let Some((message, topic)) = state.client.pop_front() {
                state.outlet.release(message.raw().len());
                return Poll::Ready(Some(Ok((message, self.core.turns.judge(topic)))));
            }
            match &mut state.ended {
                Some((error, was_told)) => {
                    if std::mem::replace(was_told, true) {
                        return Poll::Ready(None);
                    }
                    let lacks_a_result = self.core.turns.client_lacks_a_result();
                    let death = || self.core.lifecycle.death().filter(|_| lacks_a_result);
                    Poll::Ready(error.clone().or_else(death).map(Err))
                }
                None if is_all && !waits && !self.core.turns.client_waits() => Poll::Ready(None),
                None => Poll::Pending,
            }
        })
    }

    /// Takes messages from the inbox until `take` gives something. It is told when there are no
    /// more for now.
    fn poll<T>(
        &self,
        reader: Option<u64>,
        cx: &mut Context<'_>,
        take: impl Fn(&mut State, bool) -> Next<T>,
    ) -> Next<T> {
        // Wakers are the user's: they are kept in a list of their own and called without a lock.
        let waiting = &self.core.turns.waiting;
        let ours = Waker::from(waiting.clone());
        for is_noted in [false, true] {
            let mut pulled = Pulled::default();
            let next = {
                let state = &mut *self.state();
                loop {
                    let next = take(state, false);
                    if next.is_ready() || pulled.count == MANY {
                        break next;
                    }
                    if !state.pull(&self.core, &ours, reader, &mut pulled) {
                        break take(state, true);
                    }
                }
            };
            if pulled.is_for_others {
                waiting.wake_all();
            }
            if next.is_ready() {
                return next;
            }
            if pulled.count == MANY {
                cx.waker().wake_by_ref();
                break;
            }
            // The waker misses what came before it was added, so all is read once more.
            if !is_noted {
                waiting.add(reader, cx.waker().clone());
            }
        }
        Poll::Pending
    }

    /// Whether nothing more comes for the prompt with this number.
    fn is_over(&self, state: &State, number: u64) -> bool {
        state.ended.is_some() || !self.core.turns.is_open(number)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one poll has taken from the inbox.
#[derive(Default)]
struct Pulled {
    count: usize,
    /// Something has changed for another reader.
    is_for_others: bool,
}

impl State {
    /// Takes one message from the inbox and puts it into its boxes. False if there is none now.
    fn pull(
        &mut self,
        core: &Core,
        waker: &Waker,
        reader: Option<u64>,
        pulled: &mut Pulled,
    ) -> bool {
        let text = match self.outlet.poll_next(&mut Context::from_waker(waker)) {
            Poll::Pending => return false,
            Poll::Ready(Some(Ok(text))) => text,
            Poll::Ready(end) => {
                self.ended.get_or_insert((end.and_then(Result::err), false));
                pulled.is_for_others = true;
                return true;
            }
        };
        let message = Message::parse(text);
        let Route { client, turn, ended } = core.turns.read(&message);
        pulled.count += 1;
        // News of a prompt may leave the client with nothing to wait for.
        let is_news = matches!(message, Message::Result(_) | Message::CommandLifecycle(_));
        pulled.is_for_others |= is_news || turn != reader;
        for number in ended {
            self.post(number, message.clone(), true);
        }
        // What goes to neither has ended turns, which have got it, or is about one that has ended.
        match (turn, client) {
            (Some(number), _) => self.post(number, message, false),
            (None, Some(topic)) => {
                self.outlet.hold(message.raw().len());
                self.client.push_back((message, topic));
            }
            (None, None) => {}
        }
        true
    }

    /// Gives a message to a `Turn`, unless that was dropped.
    fn post(&mut self, number: u64, message: Message, is_last: bool) {
        if let Some(letters) = self.turns.get_mut(&number) {
            self.outlet.hold(message.raw().len());
            letters.messages.push_back(message);
            letters.has_ended |= is_last;
        }
    }
}

#[cfg(test)]
mod tests;
