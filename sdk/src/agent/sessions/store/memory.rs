use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use super::{
    SessionEntry, SessionKey, SessionStore, SessionSummary, StoreError, StoredSession,
    fold_session_summary,
};
use crate::agent::sessions::time::Clock;

/// A [`SessionStore`] in the memory of this program, for tests. It has no bound.
///
/// ```
/// use std::sync::Arc;
///
/// use toolwright::agent::sessions::InMemoryStore;
///
/// let store = Arc::new(InMemoryStore::default());
/// # drop(store);
/// ```
#[derive(Debug, Default)]
pub struct InMemoryStore(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    transcripts: BTreeMap<SessionKey, Transcript>,
    summaries: BTreeMap<(String, String), SessionSummary>,
    clock: Clock,
}

#[derive(Debug, Default)]
struct Transcript {
    entries: Vec<SessionEntry>,
    uuids: HashSet<String>,
    modified: u64,
}

impl InMemoryStore {
    /// All transcripts that it has, in the order of their keys.
    pub fn keys(&self) -> Vec<SessionKey> {
        self.state().transcripts.keys().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The transcripts of a session's subagents and the like.
    fn below<'a>(&'a self, project: &'a str, session: &'a str) -> impl Iterator<Item = &'a str> {
        self.transcripts
            .keys()
            .filter(move |key| key.project_key == project && key.session_id == session)
            .filter_map(|key| key.subpath.as_deref())
    }
}

#[async_trait]
impl SessionStore for InMemoryStore {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let state = &mut *self.state();
        let now = state.clock.now();
        let transcript = state.transcripts.entry(key.clone()).or_default();
        transcript.modified = now;
        let uuids = &mut transcript.uuids;
        let is_new =
            |entry: &&SessionEntry| entry.uuid().is_none_or(|uuid| uuids.insert(uuid.into()));
        let new: Vec<_> = entries.iter().filter(is_new).cloned().collect();
        transcript.entries.extend_from_slice(&new);
        if key.subpath.is_none() {
            let place = (key.project_key.clone(), key.session_id.clone());
            let mut summary = fold_session_summary(state.summaries.get(&place), key, &new);
            summary.mtime = now;
            state.summaries.insert(place, summary);
        }
        Ok(())
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        Ok(self.state().transcripts.get(key).map(|transcript| transcript.entries.clone()))
    }

    async fn list_sessions(&self, project_key: &str) -> Result<Vec<StoredSession>, StoreError> {
        let state = self.state();
        let sessions = state
            .transcripts
            .iter()
            .filter(|(key, _)| key.project_key == project_key && key.subpath.is_none());
        let listed = sessions.map(|(key, transcript)| StoredSession {
            session_id: key.session_id.clone(),
            mtime: transcript.modified,
        });
        Ok(listed.collect())
    }

    async fn list_session_summaries(
        &self,
        project_key: &str,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let state = self.state();
        let summaries = state.summaries.iter().filter(|((project, _), _)| project == project_key);
        Ok(summaries.map(|(_, summary)| summary.clone()).collect())
    }

    async fn delete(&self, key: &SessionKey) -> Result<(), StoreError> {
        let state = &mut *self.state();
        if key.subpath.is_none() {
            state.summaries.remove(&(key.project_key.clone(), key.session_id.clone()));
            let below: Vec<_> = state
                .below(&key.project_key, &key.session_id)
                .map(|subpath| key.with_subpath(subpath))
                .collect();
            below.iter().for_each(|key| drop(state.transcripts.remove(key)));
        }
        state.transcripts.remove(key);
        Ok(())
    }

    async fn list_subkeys(
        &self,
        project_key: &str,
        session_id: &str,
    ) -> Result<Vec<String>, StoreError> {
        Ok(self.state().below(project_key, session_id).map(str::to_owned).collect())
    }
}
