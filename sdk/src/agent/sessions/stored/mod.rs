//! Sessions in a store.

mod order;
mod listing;
mod write;

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeBounds;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub(crate) use order::in_order;
use serde_json::Value;

use super::chain::Chain;
use super::error::SessionError;
use super::glance::Glance;
use super::page::page;
use super::subagent::{self, Parent};
use super::{SessionEntry, SessionInfo, SessionKey, SessionMessage, SessionStore, StoreError};
use super::{id, project, time};

/// The sessions of a working folder in a [`SessionStore`].
///
/// ```
/// use std::sync::Arc;
///
/// use toolwright::agent::sessions::{InMemoryStore, SessionError, StoredSessions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), SessionError> {
/// let store = Arc::new(InMemoryStore::default());
/// let sessions = StoredSessions::of(store, "/work/website");
/// for info in sessions.list_sessions(..10).await? {
///     println!("{}: {}", info.session_id, info.summary);
/// }
/// # Ok(())
/// # }
/// ```
///
/// It has the methods of [`Sessions`](super::Sessions), but for the archive, the import into a
/// store and `without_programmatic`. The results for the same transcripts are the same, except that
/// it lists sessions that go on in another one, too, and knows no title that only a file beside the
/// transcript has. There are no worktrees: the store has sessions by the key of their working
/// folder, and one that has moved by that of its first. To resume a session, give the run this
/// folder, not [`SessionInfo::cwd`].
#[derive(Clone)]
pub struct StoredSessions {
    store: Arc<dyn SessionStore>,
    folder: PathBuf,
    with_system_messages: bool,
}

impl StoredSessions {
    /// The sessions of this working folder.
    pub fn of(store: Arc<dyn SessionStore>, folder: impl Into<PathBuf>) -> Self {
        Self { store, folder: folder.into(), with_system_messages: false }
    }

    /// Reads the messages of the CLI itself, too; see
    /// [`Sessions::with_system_messages`](super::Sessions::with_system_messages).
    pub fn with_system_messages(&self) -> Self {
        Self { with_system_messages: true, ..self.clone() }
    }

    /// What is known of one session. `None` if nothing was said in it, and for a transcript of a
    /// subagent.
    ///
    /// # Errors
    ///
    /// There is no such session, or the store failed.
    pub async fn session_info(&self, id: &str) -> Result<Option<SessionInfo>, SessionError> {
        let entries = self.load(id).await?;
        let time = |entry: &SessionEntry| time::millis(&entry.text("timestamp")?);
        // The last one that the store has taken need not be the latest.
        let last = entries.iter().filter_map(time).max();
        let modified = last.unwrap_or_else(|| time::millis_of(SystemTime::now()));
        Ok(info(id, &entries, modified, &project::canonical(&self.folder)))
    }

    /// The messages of the user and the model in a session, in order; see
    /// [`Sessions::session_messages`](super::Sessions::session_messages).
    ///
    /// # Errors
    ///
    /// There is no such session, or the store failed.
    pub async fn session_messages(
        &self,
        id: &str,
        range: impl RangeBounds<usize>,
    ) -> Result<Vec<SessionMessage>, SessionError> {
        let entries = in_order(&self.load(id).await?);
        let wanted = page(chain(&entries).conversation(self.with_system_messages), range);
        Ok(messages(&entries, &wanted, &Parent::default()))
    }

    /// The ids of a session's subagents.
    ///
    /// # Errors
    ///
    /// The store failed, or does not have the method `list_subkeys`.
    pub async fn list_subagents(&self, id: &str) -> Result<Vec<String>, SessionError> {
        let subpaths = self.subagents(id).await?;
        let mut seen = HashSet::new();
        let ids = subpaths.iter().filter_map(|subpath| agent_id(subpath));
        Ok(ids.filter(|id| seen.insert(*id)).map(str::to_owned).collect())
    }

    /// The messages of a subagent, in order.
    ///
    /// # Errors
    ///
    /// There is no such subagent, or the store failed.
    pub async fn subagent_messages(
        &self,
        id: &str,
        agent: &str,
        range: impl RangeBounds<usize>,
    ) -> Result<Vec<SessionMessage>, SessionError> {
        let missing = || SessionError::NoSubagent { id: id.to_owned(), agent: agent.to_owned() };
        let is_its = |subpath: &String| agent_id(subpath) == Some(agent);
        let subpath = match self.subagents(id).await {
            Ok(all) => all.into_iter().find(is_its),
            Err(SessionError::Store(StoreError::Unsupported { .. })) => {
                Some(format!("subagents/agent-{agent}")).filter(is_its)
            }
            Err(error) => return Err(error),
        };
        let subpath = subpath.ok_or_else(missing)?;
        let entries = self.store.load(&self.key(id).with_subpath(subpath)).await?;
        let entries = in_order(&entries.ok_or_else(missing)?);
        let parent = metadata(&entries).map(|noted| Parent::of(&noted)).unwrap_or_default();
        let wanted = page(chain(&entries).subagent(), range);
        Ok(messages(&entries, &wanted, &parent))
    }

    /// The subpaths of the transcripts of subagents.
    async fn subagents(&self, id: &str) -> Result<Vec<String>, SessionError> {
        id::check(id)?;
        let mut subpaths = self.store.list_subkeys(&project::project_key(&self.folder), id).await?;
        subpaths.retain(|subpath| agent_id(subpath).is_some());
        subpaths.sort();
        Ok(subpaths)
    }

    fn key(&self, id: &str) -> SessionKey {
        SessionKey::new(project::project_key(&self.folder), id)
    }

    /// The entries of a conversation, of which there is at least one.
    async fn load(&self, id: &str) -> Result<Vec<SessionEntry>, SessionError> {
        id::check(id)?;
        let entries = self.store.load(&self.key(id)).await?.filter(|entries| !entries.is_empty());
        entries.ok_or_else(|| SessionError::NotFound { id: id.to_owned() })
    }
}

/// What a list shows of a session with these entries.
fn info(id: &str, entries: &[SessionEntry], modified: u64, project: &str) -> Option<SessionInfo> {
    let info = Glance::of(entries, modified).info(id, Some(project))?;
    Some(SessionInfo { file_size: None, ..info })
}

fn chain(entries: &[SessionEntry]) -> Chain<usize> {
    let mut chain = Chain::default();
    for (at, entry) in entries.iter().enumerate() {
        chain.push(entry.get(), at);
    }
    chain
}

fn messages(entries: &[SessionEntry], wanted: &[usize], parent: &Parent) -> Vec<SessionMessage> {
    let lines = wanted.iter().filter_map(|at| entries.get(*at));
    lines.map(|entry| SessionMessage::of_line(entry.get(), parent)).collect()
}

/// The subagent's id in a subpath. A store may make a path of its own of a subpath, so that no id
/// has what separates or ends one.
fn agent_id(subpath: &str) -> Option<&str> {
    let (_, name) = subpath.strip_prefix("subagents")?.rsplit_once('/')?;
    subagent::id(name).filter(|id| !id.contains(['\\', '\0']))
}

/// Whether a session with these entries is of another folder than this one, with the same key.
pub(crate) fn is_elsewhere(entries: &[SessionEntry], folder: &Path) -> bool {
    let cwd = Glance::of(entries, 0).cwd();
    project::is_elsewhere(cwd.as_deref(), &project::canonical(folder), &[])
}

/// What the CLI has noted of a subagent: the last such entry counts.
pub(crate) fn metadata(entries: &[SessionEntry]) -> Option<Value> {
    entries.iter().rfind(|entry| entry.kind() == METADATA)?.decode().ok()
}

/// The kind of the entry that stands for the file beside a subagent's transcript.
pub(crate) const METADATA: &str = "agent_metadata";

impl fmt::Debug for StoredSessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredSessions").field("folder", &self.folder).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
