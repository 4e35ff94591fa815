use std::fmt;
use std::sync::{Arc, Mutex};

/// What callbacks have to tell the test.
#[derive(Debug)]
pub(super) struct Log<T>(Arc<Mutex<Vec<T>>>);

impl<T> Log<T> {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    pub(super) fn note(&self, entry: T) {
        self.0.lock().unwrap().push(entry);
    }

    pub(super) fn take(&self) -> Vec<T> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// The one entry.
    pub(super) fn one(&self) -> T
    where
        T: fmt::Debug,
    {
        let mut entries = self.take();
        assert_eq!(entries.len(), 1, "{entries:#?}");
        entries.remove(0)
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
