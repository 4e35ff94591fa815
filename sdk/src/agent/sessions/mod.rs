//! The conversations that the CLI has stored: list, read and change them.
//!
//! ```no_run
//! use toolwright::agent::sessions::Sessions;
//!
//! # fn main() -> Result<(), toolwright::agent::sessions::SessionError> {
//! let sessions = Sessions::of_user()?.in_project("/work/website");
//! for info in sessions.list_sessions(..)? {
//!     println!("{} {}", info.session_id, info.summary);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The CLI writes a transcript of each session into its configuration folder, from which it can be
//! resumed. [`Sessions`] reads and changes these files. A [`SessionStore`] keeps copies elsewhere,
//! in memory, in a database or on a server; [`StoredSessions`] reads and changes them.

// Parts of transcripts, and where they are.
mod folders;
mod page;
mod sanitize;
mod strings;
mod time;
mod worktrees;

// What is read from a transcript, and transcripts in a store.
mod info;
mod prompt;
mod store;
mod error;
mod id;
mod chain;
mod subagent;
mod message;
mod glance;
mod programmatic;
mod continued;
mod transcript;

// What changes a session.
mod change;
mod fork;
mod forked;

// Sessions in files, and in a store.
mod project;
mod files;
mod write;
mod archive;
mod read;
mod stored;
mod import;
mod stores;

pub use error::SessionError;
pub use files::Sessions;
pub(crate) use folders::open as open_file;
pub use fork::Fork;
pub use info::SessionInfo;
pub use message::{SessionMessage, SessionRole};
#[cfg(feature = "object-store")]
#[doc(no_inline)]
pub use object_store;
pub use project::project_key;
pub(crate) use project::{NAME, key_of_folder, named, project_key_with};
pub use store::{
    InMemoryStore, SessionEntry, SessionKey, SessionStore, SessionSummary, StoreError,
    StoredSession, SummaryData, fold_session_summary,
};
pub use stored::StoredSessions;
pub(crate) use stored::{METADATA, in_order, is_elsewhere, metadata};
#[cfg(feature = "object-store")]
pub use stores::BucketStore;
#[cfg(feature = "postgres-store")]
pub use stores::PostgresStore;
#[cfg(feature = "redis-store")]
pub use stores::RedisStore;
#[cfg(feature = "postgres-store")]
#[doc(no_inline)]
pub use tokio_postgres;

#[cfg(test)]
mod tests;
