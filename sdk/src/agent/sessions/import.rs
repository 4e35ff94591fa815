//! Copies sessions from files into a store.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use tokio::task::spawn_blocking;

use super::error::SessionError;
use super::files::{Found, Sessions};
use super::glance::Glance;
use super::transcript::FileLines;
use super::{SessionEntry, SessionKey, SessionStore, folders, project, stored, subagent};
use crate::agent::user::User;

/// What one call of the store may have.
#[derive(Clone, Copy)]
struct Most {
    entries: usize,
    /// At so many no further entry begins.
    bytes: usize,
}

const PIECES: Most = Most { entries: 500, bytes: 1024 * 1024 };
const WHOLE: Most = Most { entries: usize::MAX, bytes: usize::MAX };

impl Sessions {
    /// Copies a session and its subagents into a store, from which it can be resumed as if it had
    /// been mirrored. It also repairs the copy of a session after a
    /// [`MirrorError`](crate::agent::message::system::MirrorErrorMessage), if the store keeps
    /// entries with one id once; but not of a run that was itself resumed from a store, whose files
    /// are temporary. Titles and other entries without an id are added unless the copy has them. A
    /// session that has moved to another folder is put where the store has it: where it is now, or
    /// else under its first one; and where it is now if the store has none.
    ///
    /// # Errors
    ///
    /// There is no such session, a file cannot be read, or the store failed. Part of the session
    /// may be in the store then.
    pub async fn import_session_to_store(
        &self,
        id: &str,
        store: &dyn SessionStore,
    ) -> Result<(), SessionError> {
        let Found { path, project } = self.transcript(id)?;
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let project = project.or_else(|| project::cwd(&path)).unwrap_or_default();
        let project = project::sanitized(&project);
        let key = SessionKey::new(project::key_of_folder(&folder, &project), id);
        let key = match earlier(&path, &key, store).await? {
            // A run looks under the present folder first.
            Some(earlier) if !has(store, &key).await? => earlier,
            _ => key,
        };
        import_subagents(&path, &key, store, None).await?;
        import(&path, &key, store, PIECES, None, None).await
    }

    /// Copies the session with this id into a store that does not have it under this project, and
    /// gives its key there. One that has moved may be there under that of its first folder, and is
    /// not copied again. `None` if there is no such session. The conversation comes last and in one
    /// call: if the copy fails, the store must not have the beginning only. It fails at a
    /// transcript that the user that is given could not read.
    pub(crate) async fn hand_over(
        self,
        id: String,
        project_key: String,
        store: &dyn SessionStore,
        user: Option<User>,
    ) -> Result<Option<SessionKey>, SessionError> {
        let key = SessionKey::new(project_key, &*id);
        // It may wait for the disk.
        let found = spawn_blocking(move || self.transcript(&id)).await;
        let path = match found {
            Ok(Ok(Found { path, .. })) => path,
            Ok(Err(SessionError::NotFound { .. })) | Err(_) => return Ok(None),
            Ok(Err(error)) => return Err(error),
        };
        // Before anything is read.
        folders::open(&path, user).map_err(SessionError::at(&path))?;
        if let Some(earlier) = earlier(&path, &key, store).await? {
            return Ok(Some(earlier));
        }
        import_subagents(&path, &key, store, user).await?;
        import(&path, &key, store, WHOLE, None, user).await?;
        Ok(Some(key))
    }
}

/// The key under which a store has a session that has moved to the folder of this key.
async fn earlier(
    path: &Path,
    key: &SessionKey,
    store: &dyn SessionStore,
) -> Result<Option<SessionKey>, SessionError> {
    let glance = Glance::read(path).map_err(SessionError::at(path))?;
    let Some(first) = glance.and_then(|glance| glance.first_cwd()) else { return Ok(None) };
    let first = project::sanitized(&project::composed(Path::new(&first)));
    let earlier = SessionKey { project_key: first, ..key.clone() };
    let is_there = earlier != *key && has(store, &earlier).await?;
    Ok(is_there.then_some(earlier))
}

async fn has(store: &dyn SessionStore, key: &SessionKey) -> Result<bool, SessionError> {
    Ok(store.load(key).await?.is_some_and(|entries| !entries.is_empty()))
}

async fn import_subagents(
    path: &Path,
    key: &SessionKey,
    store: &dyn SessionStore,
    user: Option<User>,
) -> Result<(), SessionError> {
    let session = path.with_extension("");
    for path in folders::below(&session.join("subagents")) {
        let subpath = path.strip_prefix(&session).unwrap_or(&path).with_extension("");
        let key = key.with_subpath(subpath.to_string_lossy());
        let mut noted = subagent::noted(&path, user).filter(Value::is_object);
        if let Some(noted) = &mut noted {
            noted["type"] = json!(stored::METADATA);
        }
        let noted = noted.map(|noted| SessionEntry::of_object(&noted.to_string()));
        import(&path, &key, store, PIECES, noted, user).await?;
    }
    Ok(())
}

/// Copies the entries of a file, and one behind them.
async fn import(
    path: &Path,
    key: &SessionKey,
    store: &dyn SessionStore,
    most: Most,
    last: Option<SessionEntry>,
    user: Option<User>,
) -> Result<(), SessionError> {
    // What the store does not know by an id is left out as often as it has it already: what was
    // added to the copy since, such as a title, is newer.
    let mut known: HashMap<Value, usize> = HashMap::new();
    for entry in store.load(key).await?.iter().flatten().filter(|entry| entry.uuid().is_none()) {
        *known.entry(value(entry)).or_default() += 1;
    }
    let mut is_new = |entry: &SessionEntry| {
        entry.uuid().is_some()
            || match known.get_mut(&value(entry)) {
                None | Some(0) => true,
                Some(count) => {
                    *count -= 1;
                    false
                }
            }
    };
    let failed = || SessionError::at(path);
    let file = folders::open(path, user).map_err(failed())?;
    let mut lines = FileLines::of(&file);
    let (mut entries, mut length) = (Vec::new(), 0);
    while let Some(line) = lines.next().map_err(failed())? {
        // A line that the CLI is writing is not whole yet.
        let Some(entry) = SessionEntry::parse(&line.text).ok().filter(&mut is_new) else {
            continue;
        };
        length += line.length;
        entries.push(entry);
        if entries.len() >= most.entries || length >= most.bytes {
            store.append(key, &entries).await?;
            (entries, length) = (Vec::new(), 0);
        }
    }
    entries.extend(last.filter(is_new));
    if !entries.is_empty() {
        store.append(key, &entries).await?;
    }
    Ok(())
}

/// The value of an entry, as a store may give its members in another order; the text of one that
/// has no value, such as one with half a character.
fn value(entry: &SessionEntry) -> Value {
    entry.decode().unwrap_or_else(|_| entry.get().into())
}
