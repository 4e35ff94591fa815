//! The sessions of a service.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep};

use super::super::exchange::Shared;
use super::super::options::Sessions;
use super::id::{Ids, Key};
use super::session::Session;

/// How many ids of deleted sessions are remembered: a valid id would revive them otherwise.
const TOMBSTONES: usize = 4_096;
/// The shortest time between two looks for sessions that have expired.
const OFTEN: Duration = Duration::from_millis(100);

/// Sessions by their ids. No session is created, closed or dropped under the lock.
pub(in super::super) struct Store {
    pub(super) options: Sessions,
    ids: Ids,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    sessions: HashMap<Key, Entry>,
    /// The ids by when they were used last.
    order: BTreeMap<u64, Key>,
    next: u64,
    deleted: HashSet<Key>,
    /// The ids of `deleted`, the oldest first.
    tombstones: VecDeque<Key>,
    /// Looks for sessions that have expired. It may end with its runtime.
    sweeper: Option<AbortHandle>,
}

struct Entry {
    session: Arc<Session>,
    /// How many responses belong to it now.
    uses: usize,
    /// When the last of them ended.
    since: Instant,
    /// Its key in the order.
    position: u64,
}

/// A session that a response belongs to. It does not expire before this is dropped.
pub(super) struct Use {
    store: Arc<Store>,
    pub(super) key: Key,
    pub(super) session: Arc<Session>,
}

impl Store {
    pub(in super::super) fn new(options: Sessions) -> Arc<Self> {
        let ids = Ids::new(options.key.as_ref());
        Arc::new(Self { options, ids, state: Mutex::default() })
    }

    /// Adds a session whose revision and capabilities are settled, under a new id.
    pub(super) fn add(
        self: &Arc<Self>,
        session: Arc<Session>,
        (version, capabilities): (&str, &str),
        owner: Option<Arc<str>>,
    ) -> Result<Use, getrandom::Error> {
        let key = self.ids.make(version, capabilities, owner)?;
        Ok(self.insert(self.lock(), key, session))
    }

    /// The session of this id. One that another replica has made, or that was lost, is revived if
    /// its id proves it.
    pub(super) fn find(self: &Arc<Self>, shared: &Shared, key: &Key) -> Option<Use> {
        let mut state = self.lock();
        let expired = match state.sessions.get(key) {
            Some(entry) if !self.has_expired(entry) => return self.hold(&mut state, key),
            Some(_) => state.remove(key),
            None => None,
        };
        let is_deleted = state.deleted.contains(key);
        drop(state);
        expired.iter().for_each(|session| session.close());
        let handshake = self.ids.read(key).filter(|_| !is_deleted)?;
        self.revive(key, Arc::new(Session::revived(shared, &self.options, &handshake)))
    }

    /// Ends the session of this id. Returns whether there was one.
    pub(super) fn delete(&self, key: &Key) -> bool {
        let mut state = self.lock();
        let session = state.remove(key);
        let is_valid = self.ids.read(key).is_some();
        let is_known = session.is_some() || (is_valid && !state.deleted.contains(key));
        if is_known && is_valid {
            state.bury(key.clone());
        }
        drop(state);
        session.iter().for_each(|session| session.close());
        is_known
    }

    /// Adds a session that was begun under this id, unless its client has ended it meanwhile.
    fn revive(self: &Arc<Self>, key: &Key, session: Arc<Session>) -> Option<Use> {
        let mut state = self.lock();
        if state.deleted.contains(key) {
            return None;
        }
        // Two requests may revive one session at once.
        match self.hold(&mut state, key) {
            Some(found) => Some(found),
            None => Some(self.insert(state, key.clone(), session)),
        }
    }

    fn insert(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        key: Key,
        session: Arc<Session>,
    ) -> Use {
        let mut removed = Vec::new();
        while state.sessions.len() >= self.options.max.max(1) {
            let Some(key) = state.least_needed() else { break };
            removed.extend(state.remove(&key));
        }
        state.next += 1;
        let position = state.next;
        state.order.insert(position, key.clone());
        let entry = Entry { session: session.clone(), uses: 1, since: Instant::now(), position };
        state.sessions.insert(key.clone(), entry);
        if state.sweeper.as_ref().is_none_or(AbortHandle::is_finished) {
            state.sweeper = Some(self.sweep_regularly());
        }
        drop(state);
        removed.iter().for_each(|session| session.close());
        Use { store: self.clone(), key, session }
    }

    /// Uses a session.
    fn hold(self: &Arc<Self>, state: &mut State, key: &Key) -> Option<Use> {
        let (key, session) = state.touch(key, |entry| entry.uses += 1)?;
        Some(Use { store: self.clone(), key, session })
    }

    fn has_expired(&self, entry: &Entry) -> bool {
        let Entry { session, uses, since, .. } = entry;
        *uses == 0
            && !session.has_calls()
            && session.last_used(*since).elapsed() >= self.options.idle
    }

    /// Removes sessions that have expired, without a request that asks for them.
    fn sweep_regularly(self: &Arc<Self>) -> AbortHandle {
        let period = self.options.idle.min(self.options.replay_for).max(OFTEN);
        let store = Arc::downgrade(self);
        let sweeper = tokio::spawn(async move {
            loop {
                sleep(period).await;
                match store.upgrade() {
                    Some(store) if store.sweep() => {}
                    _ => return,
                }
            }
        });
        sweeper.abort_handle()
    }

    /// Returns whether any session is left.
    fn sweep(&self) -> bool {
        let mut state = self.lock();
        let expired = state.sessions.iter().filter(|(_, entry)| self.has_expired(entry));
        let expired: Vec<_> = expired.map(|(id, _)| id.clone()).collect();
        let expired: Vec<_> = expired.iter().filter_map(|id| state.remove(id)).collect();
        let left: Vec<_> = state.sessions.values().map(|entry| entry.session.clone()).collect();
        if left.is_empty() {
            state.sweeper = None;
        }
        drop(state);
        expired.iter().for_each(|session| session.close());
        for session in &left {
            session.give_up_questions(self.options.idle);
            session.streams.forget();
        }
        !left.is_empty()
    }

    #[cfg(test)]
    pub(in super::super) fn len(&self) -> usize {
        self.lock().sessions.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Changes an entry, which becomes the one used last.
    fn touch(&mut self, key: &Key, change: impl FnOnce(&mut Entry)) -> Option<(Key, Arc<Session>)> {
        let entry = self.sessions.get_mut(key)?;
        let key = self.order.remove(&entry.position)?;
        self.next += 1;
        entry.position = self.next;
        self.order.insert(entry.position, key.clone());
        change(entry);
        Some((key, entry.session.clone()))
    }

    fn remove(&mut self, key: &Key) -> Option<Arc<Session>> {
        let entry = self.sessions.remove(key)?;
        self.order.remove(&entry.position);
        Some(entry.session)
    }

    /// The session that was not used for the longest time, if there is one without a response or a
    /// running call; otherwise one without a running call.
    fn least_needed(&self) -> Option<Key> {
        let is_needed = |key: &Key| match self.sessions.get(key) {
            Some(entry) if entry.session.has_calls() => 2,
            Some(entry) => u8::from(entry.uses > 0),
            None => 0,
        };
        let mut found = None;
        for id in self.order.values() {
            let need = is_needed(id);
            if found.as_ref().is_none_or(|(least, _)| need < *least) {
                found = Some((need, id));
            }
            if need == 0 {
                break;
            }
        }
        found.map(|(_, id)| id.clone())
    }

    /// Remembers that a session has ended.
    fn bury(&mut self, key: Key) {
        if self.tombstones.len() >= TOMBSTONES
            && let Some(oldest) = self.tombstones.pop_front()
        {
            self.deleted.remove(&oldest);
        }
        if self.deleted.insert(key.clone()) {
            self.tombstones.push_back(key);
        }
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        let mut state = self.store.lock();
        // The id may have a new session by now.
        let is_same = |entry: &Entry| Arc::ptr_eq(&entry.session, &self.session);
        let last = match state.sessions.get(&self.key).is_some_and(is_same) {
            true => state.touch(&self.key, |entry| {
                entry.uses -= 1;
                entry.since = Instant::now();
            }),
            false => None,
        };
        drop(state);
        drop(last);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::super::super::accept::Accepts;
    use super::super::super::exchange::Posted;
    use super::super::id::Handshake;
    use super::super::requests::{Named, post};
    use super::*;
    use crate::ToolRegistry;
    use crate::host::Threads;
    use crate::http::Options;
    use crate::mcp::Extensions;
    use crate::mcp::protocol::Message;

    fn shared() -> Shared {
        let registry = ToolRegistry::builder("toy").build().unwrap();
        let (options, open) = (Options::default(), Arc::default());
        let threads = Threads::new(options.limits.sync_threads);
        Shared { registry, options, threads, open, keeper: None }
    }

    fn of(version: &'static str) -> Handshake {
        Handshake { version, capabilities: "{}".to_owned() }
    }

    #[tokio::test]
    async fn no_message_is_taken_for_a_session_that_ends_meanwhile() {
        let (shared, store) = (shared(), Store::new(Sessions::default()));
        let session = Arc::new(Session::revived(&shared, &store.options, &of("2025-03-26")));
        let used = store.add(session, ("2025-03-26", "{}"), None).unwrap();
        // As if another request had ended it once it was found.
        used.session.close();
        let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        for text in [ping, &format!("[{ping}]"), r#"{"jsonrpc":"2.0","method":"n"}"#] {
            let mut headers = HeaderMap::new();
            headers.insert("mcp-session-id", used.key.id.parse().unwrap());
            let posted = Posted {
                message: Message::read(text),
                text,
                accepts: Accepts { json: true, stream: true },
                extensions: |_: &mut Extensions| {},
                admitted: shared.open.admit(1, || false).ok().unwrap(),
            };
            let named = Named::read(&headers, None);
            let status = post(&store, &shared, named, posted).map(|_| ()).map_err(|it| it.status);
            assert_eq!(status, Err(http::StatusCode::NOT_FOUND), "{text}");
        }
    }

    #[tokio::test]
    async fn the_end_of_a_response_leaves_a_later_session_of_its_id_alone() {
        let shared = shared();
        let store = Store::new(Sessions { key: Some([7; 32]), max: 1, ..Sessions::default() });
        let [one, other] = [(); 2].map(|()| store.ids.make("2025-11-25", "{}", None).unwrap());
        let before = store.find(&shared, &one).unwrap();
        // It takes the place of the first.
        drop(store.find(&shared, &other).unwrap());
        let after = store.find(&shared, &one).unwrap();
        assert!(!Arc::ptr_eq(&before.session, &after.session));
        drop(before);
        assert_eq!(store.lock().sessions[&one].uses, 1);
        drop(after);
        assert_eq!(store.lock().sessions[&one].uses, 0);
    }

    #[tokio::test]
    async fn a_session_that_is_deleted_while_it_is_revived_stays_deleted() {
        let shared = shared();
        let store = Store::new(Sessions { key: Some([7; 32]), ..Sessions::default() });
        let key = store.ids.make("2025-11-25", "{}", None).unwrap();
        let session = Session::revived(&shared, &store.options, &of("2025-11-25"));
        assert!(store.delete(&key));
        assert!(store.revive(&key, Arc::new(session)).is_none());
        assert!(store.find(&shared, &key).is_none() && store.len() == 0);
    }
}
