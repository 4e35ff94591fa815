//! A store in S3 and the like.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use futures_core::Stream;
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore, ObjectStoreExt};
use percent_encoding::percent_decode_str;
use tokio::task::JoinSet;

use crate::agent::sessions::time::Clock;
use crate::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError, StoredSession};
use crate::agent::uuid;

/// A [`SessionStore`] in a bucket of S3, of a server with its API, of Google or Azure, or in a
/// local folder: in any [`ObjectStore`] of the crate `object_store` (feature `object-store`).
///
/// ```no_run
/// use std::sync::Arc;
///
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::sessions::BucketStore;
/// use toolwright::agent::sessions::object_store::memory::InMemory;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bucket = InMemory::new();
/// let store = Arc::new(BucketStore::of(Arc::new(bucket), "sessions"));
/// let options = AgentOptions::builder().session_store(store).build()?;
/// # Ok(())
/// # }
/// ```
///
/// The crate is re-exported as
/// [`sessions::object_store`](crate::agent::sessions::object_store). For S3, Google or Azure add
/// `object_store` 0.14 with its feature `aws`, `gcp` or `azure` to your program.
///
/// Each call to append is an object of its own, because objects cannot grow. It comes behind all
/// that are there, for which a call asks the bucket first; the order of those that are written at
/// the same time is that of the clocks of the machines that write them. A list reads the names of
/// all objects of a project, and loads its sessions: there are no summaries.
pub struct BucketStore {
    bucket: Arc<dyn ObjectStore>,
    prefix: Path,
    /// No two objects have the same time in their names.
    clock: Clock,
}

/// How many objects are asked for at the same time.
const AT_ONCE: usize = 16;
/// The folder of a session's conversation, and that of all its other transcripts.
const CONVERSATION: &str = "main";
const BESIDE: &str = "beside";
/// How many digits of the name of an object are its time, in milliseconds since 1970.
const DIGITS: usize = 13;

impl BucketStore {
    /// A store in this bucket, below this path.
    pub fn of(bucket: Arc<dyn ObjectStore>, prefix: &str) -> Self {
        Self { bucket, prefix: Path::from(prefix), clock: Clock::default() }
    }

    fn project(&self, project: &str) -> Path {
        self.prefix.clone().join(project)
    }

    fn session(&self, project: &str, session: &str) -> Path {
        self.project(project).join(session)
    }

    /// The folder of a transcript.
    fn folder(&self, key: &SessionKey) -> Path {
        let session = self.session(&key.project_key, &key.session_id);
        match &key.subpath {
            None => session.join(CONVERSATION),
            Some(subpath) => subpath.split('/').fold(session.join(BESIDE), Path::join),
        }
    }

    /// What is in a folder and all folders in it.
    async fn list(&self, folder: &Path) -> Result<Vec<ObjectMeta>, StoreError> {
        gathered(self.bucket.list(Some(folder))).await
    }

    /// A time behind those of all objects in a folder. The clock of another machine that has
    /// written there may be ahead.
    async fn next_time(&self, folder: &Path) -> Result<u64, StoreError> {
        let now = self.clock.now();
        let offset = folder.clone().join(format!("{now:0DIGITS$}"));
        let ahead = self.bucket.list_with_offset(Some(folder), &offset);
        let times = gathered(ahead)
            .await?
            .into_iter()
            .filter_map(|object| time_in(object.location.prefix_match(folder)?.next()?.as_ref()));
        Ok(times.max().map_or(now, |latest| self.clock.after(latest)))
    }

    /// The names of the objects of one transcript, in order.
    async fn parts(&self, key: &SessionKey) -> Result<Vec<Path>, StoreError> {
        let folder = self.folder(key);
        let depth = folder.parts().count() + 1;
        let all = self.list(&folder).await?.into_iter().map(|object| object.location);
        let mut parts: Vec<_> = all.filter(|path| path.parts().count() == depth).collect();
        parts.sort();
        Ok(parts)
    }
}

#[async_trait]
impl SessionStore for BucketStore {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let folder = self.folder(key);
        let time = self.next_time(&folder).await?;
        let name = format!("{time:0DIGITS$}-{}.jsonl", uuid::random());
        let lines: String = entries.iter().flat_map(|entry| [entry.get(), "\n"]).collect();
        let stored = self.bucket.put(&folder.join(name), lines.into()).await;
        stored.map(drop).map_err(StoreError::failed)
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        let mut names = self.parts(key).await?.into_iter().enumerate();
        let (mut loads, mut loaded) = (JoinSet::new(), BTreeMap::new());
        loop {
            while loads.len() < AT_ONCE
                && let Some((at, name)) = names.next()
            {
                let bucket = self.bucket.clone();
                loads.spawn(async move { Ok((at, bucket.get(&name).await?.bytes().await?)) });
            }
            let Some(load) = loads.join_next().await else { break };
            let load: Result<_, object_store::Error> = load.map_err(StoreError::failed)?;
            let (at, bytes) = load.map_err(StoreError::failed)?;
            loaded.insert(at, bytes);
        }
        let mut entries = Vec::new();
        let mut seen = HashSet::new();
        for bytes in loaded.values() {
            let text = std::str::from_utf8(bytes).map_err(StoreError::failed)?;
            for line in text.lines() {
                let entry = SessionEntry::parse(line).map_err(StoreError::failed)?;
                // A call that was repeated has stored it twice.
                let is_new = entry.uuid().is_none_or(|uuid| seen.insert(uuid.into_owned()));
                entries.extend(is_new.then_some(entry));
            }
        }
        Ok((!loaded.is_empty()).then_some(entries))
    }

    async fn list_sessions(&self, project_key: &str) -> Result<Vec<StoredSession>, StoreError> {
        let project = self.project(project_key);
        let depth = project.parts().count();
        let mut sessions = BTreeMap::new();
        for object in self.list(&project).await? {
            let parts: Vec<_> = object.location.parts().skip(depth).collect();
            if let [session, folder, name] = &*parts
                && folder.as_ref() == CONVERSATION
            {
                // That of the bucket may be in whole seconds.
                let written = || object.last_modified.timestamp_millis().try_into().ok();
                let time = time_in(name.as_ref()).or_else(written).unwrap_or_default();
                let latest = sessions.entry(decoded(session.as_ref())).or_insert(0);
                *latest = time.max(*latest);
            }
        }
        let session = |(session_id, mtime)| StoredSession { session_id, mtime };
        Ok(sessions.into_iter().map(session).collect())
    }

    async fn delete(&self, key: &SessionKey) -> Result<(), StoreError> {
        let names = match &key.subpath {
            Some(_) => self.parts(key).await?,
            None => {
                let session = self.session(&key.project_key, &key.session_id);
                self.list(&session).await?.into_iter().map(|object| object.location).collect()
            }
        };
        for name in names {
            match self.bucket.delete(&name).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
                Err(error) => return Err(StoreError::failed(error)),
            }
        }
        Ok(())
    }

    async fn list_subkeys(
        &self,
        project_key: &str,
        session_id: &str,
    ) -> Result<Vec<String>, StoreError> {
        let folder = self.session(project_key, session_id).join(BESIDE);
        let depth = folder.parts().count();
        let mut subpaths = HashSet::new();
        for object in self.list(&folder).await? {
            let parts: Vec<_> = object.location.parts().skip(depth).collect();
            let Some((_, folders)) = parts.split_last() else { continue };
            let folders: Vec<_> = folders.iter().map(|part| decoded(part.as_ref())).collect();
            subpaths.insert(folders.join("/"));
        }
        Ok(subpaths.into_iter().collect())
    }
}

/// All that a stream of objects has.
async fn gathered(
    mut stream: Pin<Box<impl Stream<Item = object_store::Result<ObjectMeta>> + ?Sized>>,
) -> Result<Vec<ObjectMeta>, StoreError> {
    let mut found = Vec::new();
    while let Some(next) = poll_fn(|cx| stream.as_mut().poll_next(cx)).await {
        found.push(next.map_err(StoreError::failed)?);
    }
    Ok(found)
}

/// The time in the name of an object.
fn time_in(name: &str) -> Option<u64> {
    name.get(..DIGITS)?.parse().ok()
}

/// A name without the percent-encoding that [`Path`] has given it.
fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

impl fmt::Debug for BucketStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketStore").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
