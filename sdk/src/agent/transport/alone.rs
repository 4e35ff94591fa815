//! How processes are started on systems that cannot create a pipe close-on-exec.

use std::sync::{Mutex, MutexGuard, PoisonError};

static STARTING: Mutex<()> = Mutex::new(());

/// Held while pipes are created and a process is started. macOS sets close-on-exec on a pipe only
/// after creating it. A process that is started in between inherits the pipe, whose end the reader
/// then never sees.
pub(crate) fn alone() -> Option<MutexGuard<'static, ()>> {
    cfg!(target_os = "macos").then(|| STARTING.lock().unwrap_or_else(PoisonError::into_inner))
}
