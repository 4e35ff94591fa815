//! Setters for session stores.

use std::sync::Arc;
use std::time::Duration;

use super::AgentOptionsBuilder;
use crate::agent::options::store::{SharedStore, StoreFlush};
use crate::agent::sessions::SessionStore;
use crate::agent::setters::setters;

setters! {
    /// Where transcripts are kept beside the CLI's own files (feature `sessions`).
    impl AgentOptionsBuilder, options = self.options.session.store;

    /// Copies the transcripts of the run to a store, also those of subagents, and resumes from it:
    /// [`resume`](Self::resume) with the id of a session that the store has, or
    /// [`continue_conversation`](Self::continue_conversation), which takes the latest session that
    /// it has of the working folder, and begins a new one if it has none. A session whose id is
    /// given and that it does not have is first copied into it from the CLI's own files on this
    /// machine, as it would have nothing of what was said before. With a title
    /// [`resume`](Self::resume) finds sessions in those files only, and copies nothing:
    /// [`import_session_to_store`](crate::agent::sessions::Sessions::import_session_to_store) does.
    ///
    /// A session that moves to another folder stays under its first one in the store: to resume it,
    /// [`cwd`](Self::cwd) is that one.
    ///
    /// A result is delivered once the store has the turn. Each call of the store may take 60 s, and
    /// of those that fail the first is repeated twice; then a
    /// [`MirrorError`](crate::agent::message::SystemMessage::MirrorError) comes before the result,
    /// and the run goes on. What the store has not got comes again before the next entries of the
    /// transcript, or behind them if the store takes only these at first, so that a store that
    /// returns has no gap: up to 64 MiB, and for the last time at the end of the run. At most
    /// 64 MiB more wait for a slow store. To close a run waits for the store, too.
    ///
    /// To resume, the CLI gets a configuration folder of its own: the transcripts, and copies of
    /// the user's settings without plugins, of `.claude.json` or `.config.json`, and of the
    /// credentials without the refresh token. So a sign-in that expires meanwhile is not renewed.
    /// What the [`user`](Self::user) of the run could not read is left out, except the session to
    /// resume: if that is looked for in the CLI's own files, the run does not start. The folder is
    /// deleted after the end of the run, once the store was given all; what it has not taken then
    /// is lost.
    ///
    /// Cannot be combined with [`enable_file_checkpointing`](Self::enable_file_checkpointing), as
    /// checkpoints are on this machine only, nor with
    /// [`persist_session(false)`](Self::persist_session).
    session_store(store: Arc<dyn SessionStore>) { options.store = Some(SharedStore(store)) }
    /// When the store gets what the CLI has written. Default: [`StoreFlush::Batched`].
    session_store_flush(flush: StoreFlush) { options.flush = flush }
    /// How long each call of the store may take when a session is resumed. Default: 60 s.
    load_timeout(timeout: Duration) { options.load_timeout = timeout }
}
