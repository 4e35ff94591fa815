//! Takes over a session that only the CLI's own files have.

use super::limit::Limited;
use super::surroundings::Surroundings;
use crate::agent::options::AgentOptions;
use crate::agent::sessions::{SessionError, SessionKey, Sessions, StoreError, named};
use crate::agent::user::User;
use crate::agent::uuid::is_uuid;

/// Copies the session whose id is given into the store, which does not have it, and gives its key
/// if there is one. Without that the store would get only what is said from now on, and the
/// next run would know nothing else of the session.
pub(super) async fn adopt(
    store: &Limited,
    options: &AgentOptions,
    user: Option<User>,
) -> Result<Option<SessionKey>, StoreError> {
    let id = options.session.resume.clone().filter(|id| is_uuid(id));
    let Some(id) = id else { return Ok(None) };
    let Some(config) = Surroundings::of(&options.process.env).folder() else { return Ok(None) };
    let named = named(|name| options.process.env.told(name));
    let sessions = Sessions::at(config).in_folder_named(named);
    let sessions = sessions.in_project(options.folder()).without_worktrees();
    sessions.hand_over(id, options.project_key(), store, user).await.map_err(|error| match error {
        SessionError::Store(error) => error,
        error => StoreError::failed(error),
    })
}
