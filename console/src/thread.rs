//! The threads of a server.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// A thread that ends by itself.
#[derive(Debug)]
pub struct Thread(Arc<End>);

#[derive(Debug, Default)]
struct End {
    has_come: Mutex<bool>,
    changed: Condvar,
}

/// Announces the end when it is dropped, also by a panic.
struct AtEnd(Arc<End>);

impl Thread {
    /// Starts a thread. Its work is boxed, so that the standard library's code for threads is
    /// compiled once.
    ///
    /// # Errors
    ///
    /// The system has no thread to give.
    pub fn spawn(thread: Builder, work: Box<dyn FnOnce() + Send>) -> io::Result<Self> {
        let end = Arc::<End>::default();
        let at_end = AtEnd(end.clone());
        let work: Box<dyn FnOnce() + Send> = Box::new(move || {
            let _at_end = at_end;
            work();
        });
        thread.spawn(work)?;
        Ok(Self(end))
    }

    /// Waits until its work has ended, but not longer than this.
    pub fn wait(&self, most: Duration) {
        let has_come = self.0.has_come.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.0.changed.wait_timeout_while(has_come, most, |has_come| !*has_come);
    }
}

impl Drop for AtEnd {
    fn drop(&mut self) {
        *self.0.has_come.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}
