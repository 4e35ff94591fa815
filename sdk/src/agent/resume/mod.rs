//! Resumes a session from a store: the CLI gets a configuration folder of its own with the
//! transcripts in it.

mod adopt;
mod config;
mod limit;
mod surroundings;
mod write;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use self::adopt::adopt;
use self::limit::Limited;
use self::surroundings::Surroundings;
use self::write::{write, write_lines};
use super::error::ConnectError;
use super::options::{AgentOptions, Folder};
use super::sessions::{
    METADATA, NAME, SessionEntry, SessionKey, SessionStore, StoreError, StoredSession, in_order,
    is_elsewhere, metadata,
};
use super::transport::{LaunchFile, NamedBy};
use super::uuid::is_uuid;

/// Names the configuration folder.
const CONFIG: &str = "CLAUDE_CONFIG_DIR";

/// The options with which the session is resumed from a folder, and the folder. There is none if
/// the store is not asked, or if neither it nor the CLI's own files have the session: then the CLI
/// says so. Where the latest of the store was to go on and there is none, a new one begins.
pub(super) async fn from_store(
    mut options: AgentOptions,
) -> Result<(AgentOptions, Option<Folder>), ConnectError> {
    let Some(store) = Limited::of(&options.session.store) else { return Ok((options, None)) };
    let user = options.user()?;
    let mut found = find(&store, &options).await.map_err(ConnectError::Store)?;
    if found.is_none()
        && let Some(key) = adopt(&store, &options, user).await.map_err(ConnectError::Store)?
    {
        found = load(&store, key).await.map_err(ConnectError::Store)?;
    }
    let Some((key, entries)) = found else {
        let session = &mut options.session;
        if session.continue_conversation {
            // The latest conversation in the CLI's own files may be another user's.
            (session.continue_conversation, session.fork) = (false, false);
        }
        return Ok((options, None));
    };
    let folder = Folder::create().map_err(ConnectError::TemporaryFile)?;
    // The CLI looks below its working folder, also for what the store has under another one.
    let local = SessionKey::new(options.project_key(), &*key.session_id);
    let file = folder.path().join("projects").join(local.to_string() + ".jsonl");
    write_lines(&file, &entries).map_err(ConnectError::TemporaryFile)?;
    write_subagents(&store, &key, &file.with_extension("")).await?;
    let surroundings = Surroundings::of(&options.process.env);
    config::copy(&surroundings, folder.path(), user).await.map_err(ConnectError::TemporaryFile)?;
    if let Some(user) = user {
        folder.give_to(user).map_err(ConnectError::TemporaryFile)?;
    }
    if surroundings.config.is_none() {
        // What does not count without such a folder must not begin to.
        options.process.env.change(NAME.as_ref(), None);
    }
    let path = folder.path().as_os_str().to_owned();
    options.process.env.change(CONFIG.as_ref(), Some(path));
    options.session.store.project = Some(key.project_key);
    options.session.resume = Some(key.session_id);
    options.session.continue_conversation = false;
    Ok((options, Some(folder)))
}

/// The folder as the transport sees it.
pub(super) fn launch_file(folder: &Folder) -> LaunchFile {
    LaunchFile { path: folder.path().to_owned(), named_by: NamedBy::Env(CONFIG.into()) }
}

/// The session that the options name and its entries, of which there is at least one.
async fn find(
    store: &Limited,
    options: &AgentOptions,
) -> Result<Option<(SessionKey, Vec<SessionEntry>)>, StoreError> {
    let session = &options.session;
    match (&session.resume, session.continue_conversation) {
        (Some(id), _) if is_uuid(id) => {
            load(store, SessionKey::new(options.project_key(), id)).await
        }
        (Some(_), _) | (None, false) => Ok(None),
        (None, true) => {
            let project = options.project_key();
            let mut sessions = store.list_sessions(&project).await?;
            sessions.sort_by_key(|StoredSession { mtime, .. }| std::cmp::Reverse(*mtime));
            for StoredSession { session_id, .. } in
                sessions.iter().filter(|found| is_uuid(&found.session_id))
            {
                let found = load(store, SessionKey::new(&*project, session_id)).await?;
                if let Some((key, entries)) = found
                    && !is_sidechain(&entries)
                    && !is_elsewhere(&entries, options.folder())
                {
                    return Ok(Some((key, entries)));
                }
            }
            Ok(None)
        }
    }
}

/// Whether it is a conversation of the CLI's with itself.
fn is_sidechain(entries: &[SessionEntry]) -> bool {
    let first = entries.first().map(SessionEntry::get).unwrap_or_default();
    crate::scan::member(first, "isSidechain") == Some("true")
}

async fn load(
    store: &Limited,
    key: SessionKey,
) -> Result<Option<(SessionKey, Vec<SessionEntry>)>, StoreError> {
    let entries = store.load(&key).await?.filter(|entries| !entries.is_empty());
    Ok(entries.map(|entries| (key, in_order(&entries))))
}

/// Writes what the store has of a session beside the conversation itself.
async fn write_subagents(
    store: &Limited,
    key: &SessionKey,
    folder: &Path,
) -> Result<(), ConnectError> {
    let subpaths = match store.list_subkeys(&key.project_key, &key.session_id).await {
        Err(StoreError::Unsupported { .. }) => return Ok(()),
        subpaths => subpaths.map_err(ConnectError::Store)?,
    };
    // A store may list one more than once.
    for subpath in BTreeSet::from_iter(subpaths) {
        if !is_below(&subpath) {
            tracing::warn!(subpath, "a transcript of a session store has an unsafe name");
            continue;
        }
        let loaded = load(store, key.with_subpath(&*subpath)).await.map_err(ConnectError::Store)?;
        let Some((_, mut entries)) = loaded else { continue };
        let noted = metadata(&entries);
        entries.retain(|entry| entry.kind() != METADATA);
        let written = || -> io::Result<()> {
            if !entries.is_empty() {
                write_lines(&folder.join(subpath.clone() + ".jsonl"), &entries)?;
            }
            if let Some(serde_json::Value::Object(mut noted)) = noted {
                noted.retain(|name, _| name != "type");
                let noted = serde_json::Value::Object(noted).to_string();
                write(&folder.join(subpath.clone() + ".meta.json"), noted.as_bytes())?;
            }
            Ok(())
        };
        written().map_err(ConnectError::TemporaryFile)?;
    }
    Ok(())
}

/// Whether a name from a store, as a path, leads to a file below the folder.
fn is_below(subpath: &str) -> bool {
    !subpath.contains(['\\', '\0', ':'])
        && !subpath.split('/').any(|part| matches!(part, "" | "." | ".."))
}

#[cfg(test)]
mod tests;
