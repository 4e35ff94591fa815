//! Lists the sessions of a store.

use std::collections::{HashMap, HashSet};
use std::ops::RangeBounds;

use tokio::task::JoinSet;

use super::{StoredSessions, info};
use crate::agent::sessions::page::page;
use crate::agent::sessions::store::StoredSession;
use crate::agent::sessions::{
    SessionEntry, SessionError, SessionInfo, SessionKey, SessionSummary, StoreError, project,
};
use crate::agent::uuid::is_uuid;

/// How many transcripts are loaded at the same time.
pub(super) const AT_ONCE: usize = 16;

/// A session in a list.
struct Row {
    id: String,
    modified: u64,
    /// `None` while its transcript must be loaded.
    info: Option<SessionInfo>,
}

impl StoredSessions {
    /// What is known of each session, the last written one first. Transcripts of subagents are left
    /// out, and so are sessions in which nothing was said.
    ///
    /// A store is asked for its summaries and for its sessions. For sessions without a summary, or
    /// with an older one, the transcripts are loaded, 16 at a time. Of one that cannot be loaded
    /// only the id and the time are known. Where summaries are missing, a page can be shorter than
    /// the range.
    ///
    /// # Errors
    ///
    /// The store failed, or has neither of the methods `list_sessions` and
    /// `list_session_summaries`.
    pub async fn list_sessions(
        &self,
        range: impl RangeBounds<usize>,
    ) -> Result<Vec<SessionInfo>, SessionError> {
        let project = project::canonical(&self.folder);
        let key = project::project_key(&self.folder);
        let summaries = supported(self.store.list_session_summaries(&key).await)?;
        let sessions = match self.store.list_sessions(&key).await {
            Err(StoreError::Unsupported { .. }) if summaries.is_some() => None,
            listed => Some(listed?),
        };
        // No method takes another id, as ids become parts of paths.
        let sessions = sessions.map(|mut all| {
            all.retain(|session| is_uuid(&session.session_id));
            all
        });
        let latest_first = |a: &Row, b: &Row| (b.modified, &a.id).cmp(&(a.modified, &b.id));
        let Some(mut summaries) = summaries else {
            let mut rows: Vec<_> = sessions.into_iter().flatten().map(Row::of).collect();
            rows.sort_by(latest_first);
            self.fill(&mut rows, &project).await;
            return Ok(page(rows.into_iter().filter_map(|row| row.info).collect(), range));
        };
        summaries.retain(|summary| is_uuid(&summary.session_id));
        let mut rows = rows(summaries, sessions, &project);
        rows.sort_by(latest_first);
        let mut rows = page(rows, range);
        self.fill(&mut rows, &project).await;
        Ok(rows.into_iter().filter_map(|row| row.info).collect())
    }

    /// Loads what is missing.
    async fn fill(&self, rows: &mut [Row], project: &str) {
        let key = project::project_key(&self.folder);
        let missing = rows.iter().enumerate().filter(|(_, row)| row.info.is_none());
        let missing: Vec<_> = missing.map(|(at, row)| (at, row.id.clone())).collect();
        let mut missing = missing.into_iter();
        let mut loads = JoinSet::new();
        loop {
            while loads.len() < AT_ONCE
                && let Some((at, id)) = missing.next()
            {
                let (store, key) = (self.store.clone(), SessionKey::new(&*key, id));
                loads.spawn(async move { (at, store.load(&key).await) });
            }
            match loads.join_next().await {
                // At once, so that no more transcripts are in memory than are loaded at a time.
                Some(Ok((at, entries))) => rows[at].fill(entries, project),
                Some(Err(error)) => tracing::warn!(%error, "a session store panicked"),
                None => break,
            }
        }
    }
}

/// The sessions that have a summary, and those that need one. A summary of a session that is gone
/// does not count, nor does one that is older than the session.
fn rows(
    summaries: Vec<SessionSummary>,
    sessions: Option<Vec<StoredSession>>,
    project: &str,
) -> Vec<Row> {
    let times: Option<HashMap<_, _>> = sessions
        .as_ref()
        .map(|all| all.iter().map(|session| (&*session.session_id, session.mtime)).collect());
    let is_fresh = |summary: &&SessionSummary| match &times {
        Some(times) => times.get(&*summary.session_id).is_some_and(|time| summary.mtime >= *time),
        None => true,
    };
    let fresh: Vec<_> = summaries.iter().filter(is_fresh).collect();
    let known: HashSet<_> = fresh.iter().map(|summary| &*summary.session_id).collect();
    let infos = fresh.iter().filter_map(|summary| summary.info(project));
    let rows = infos.filter(|info| is_here(info, project)).map(|info| Row {
        id: info.session_id.clone(),
        modified: info.last_modified,
        info: Some(info),
    });
    let unknown = sessions.iter().flatten().filter(|session| !known.contains(&*session.session_id));
    rows.chain(unknown.cloned().map(Row::of)).collect()
}

impl Row {
    fn of(session: StoredSession) -> Self {
        Self { id: session.session_id, modified: session.mtime, info: None }
    }

    fn fill(&mut self, entries: Result<Option<Vec<SessionEntry>>, StoreError>, project: &str) {
        self.info = match entries {
            Ok(Some(entries)) if !entries.is_empty() => {
                let info = info(&self.id, &entries, self.modified, project);
                info.filter(|info| is_here(info, project))
            }
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(%error, session = self.id, "a session cannot be loaded");
                Some(SessionInfo {
                    session_id: self.id.clone(),
                    last_modified: self.modified,
                    ..SessionInfo::default()
                })
            }
        };
    }
}

/// Whether it is of the project, and not of another one with the same key.
fn is_here(info: &SessionInfo, project: &str) -> bool {
    !project::is_elsewhere(info.cwd.as_deref(), project, &[])
}

/// `None` if the store does not have the method.
fn supported<T>(result: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match result {
        Err(StoreError::Unsupported { .. }) => Ok(None),
        result => result.map(Some),
    }
}
