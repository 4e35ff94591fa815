//! Changes the sessions of a store.

use serde_json::{Value, json};

use super::{StoredSessions, in_order};
use crate::agent::sessions::forked::Forked;
use crate::agent::sessions::glance::Glance;
use crate::agent::sessions::{Fork, SessionEntry, SessionError, change, id, time};
use crate::agent::uuid;

impl StoredSessions {
    /// Gives a session a title, which wins over the one that the CLI generates. Spaces around it
    /// are removed.
    ///
    /// # Errors
    ///
    /// There is no such session, nothing but spaces is in the title, or the store failed.
    pub async fn rename_session(&self, id: &str, title: &str) -> Result<(), SessionError> {
        self.append(id, change::title(id, title)?).await
    }

    /// Gives a session a tag, or with `None` takes it away. Characters that cannot be seen are
    /// removed from it.
    ///
    /// # Errors
    ///
    /// There is no such session, nothing that can be seen is in the tag, or the store failed.
    pub async fn tag_session(&self, id: &str, tag: Option<&str>) -> Result<(), SessionError> {
        self.append(id, change::tag(id, tag)?).await
    }

    /// Deletes a session and, as far as the store does, the transcripts of its subagents.
    ///
    /// # Errors
    ///
    /// The store failed, or does not have the method `delete`.
    pub async fn delete_session(&self, id: &str) -> Result<(), SessionError> {
        id::check(id)?;
        Ok(self.store.delete(&self.key(id)).await?)
    }

    /// Copies a session into a new one and returns its id; see
    /// [`Sessions::fork_session`](super::super::Sessions::fork_session).
    ///
    /// # Errors
    ///
    /// There is no such session, it has no messages or not the one at which the copy shall end, or
    /// the store failed.
    pub async fn fork_session(&self, id: &str, fork: Fork) -> Result<String, SessionError> {
        let entries = in_order(&self.load(id).await?);
        let mut forked = Forked::new(id, fork);
        entries.iter().for_each(|entry| forked.read(entry.get()));
        forked.plan()?;
        let mut lines: Vec<_> =
            entries.iter().filter_map(|entry| forked.copy(entry.get())).collect();
        lines.extend(forked.end(|| Ok(Glance::of(&entries, 0).name()))?);
        let copies: Vec<_> = lines.iter().map(|line| SessionEntry::of_object(line)).collect();
        self.store.append(&self.key(forked.id()), &copies).await?;
        Ok(forked.id().to_owned())
    }

    async fn append(&self, id: &str, mut entry: Value) -> Result<(), SessionError> {
        // One that was deleted is not made again.
        self.load(id).await?;
        // By which the store knows an entry that comes twice.
        entry["uuid"] = json!(uuid::random());
        entry["timestamp"] = json!(time::now());
        let entry = SessionEntry::of_object(&entry.to_string());
        Ok(self.store.append(&self.key(id), &[entry]).await?)
    }
}
