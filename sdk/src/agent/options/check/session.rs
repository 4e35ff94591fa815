//! Checks of the session.

use super::complaints::Complaints;
use crate::agent::options::session::SessionOptions;
use crate::agent::uuid::is_uuid;

pub(super) fn check(options: &SessionOptions, complaints: &mut Complaints) {
    let SessionOptions {
        continue_conversation,
        resume,
        resume_session_at,
        resume_drops_turn,
        fork,
        session_id,
        ..
    } = options;
    let goes_on = *continue_conversation || resume.is_some();
    complaints.when(
        *continue_conversation && resume.is_some(),
        "continue_conversation: resume says which conversation goes on",
    );
    complaints.when(
        *fork && !goes_on,
        "fork_session: there is nothing to fork without resume or continue_conversation",
    );
    complaints.when(
        session_id.is_some() && goes_on && !fork,
        "session_id: a conversation that goes on keeps its id, unless fork_session makes it \
         another one",
    );
    complaints.when(
        resume_session_at.is_some() && resume.is_none(),
        "resume_session_at: it needs resume",
    );
    complaints.when(
        resume_drops_turn.is_some() && resume_session_at.is_none(),
        "resume_drops_turn: it needs resume_session_at",
    );
    let drops = resume_drops_turn.as_ref().filter(|id| !id.is_empty());
    for (setter, id) in [
        ("session_id", session_id.as_ref()),
        ("resume_session_at", resume_session_at.as_ref()),
        ("resume_drops_turn", drops),
    ] {
        if let Some(id) = id.filter(|id| !is_uuid(id)) {
            complaints.add(format!("{setter}: {id:?} is no UUID"));
        }
    }
}

/// The CLI writes no transcript that could be copied, or more than transcripts.
#[cfg(feature = "sessions")]
pub(super) fn check_store(
    options: &crate::agent::options::AgentOptions,
    complaints: &mut Complaints,
) {
    let has_store = options.session.store.store.is_some();
    complaints.when(
        has_store && options.session.no_persistence,
        "session_store: without persist_session there is nothing to store",
    );
    complaints.when(
        has_store && options.tools.file_checkpointing,
        "session_store: the checkpoints of enable_file_checkpointing would stay on this machine",
    );
}
