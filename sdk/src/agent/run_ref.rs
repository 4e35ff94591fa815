//! The run that something belongs to, for modules that the run is made of.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Weak};

/// A run, which this does not keep in memory. Empty outside of one.
#[derive(Clone, Default)]
pub(crate) struct RunRef(Option<Weak<dyn Any + Send + Sync>>);

impl RunRef {
    pub(crate) fn to<T: Send + Sync + 'static>(run: Weak<T>) -> Self {
        Self(Some(run))
    }

    /// The run, unless it is over and gone.
    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.as_ref()?.upgrade()?.downcast().ok()
    }
}

impl fmt::Debug for RunRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunRef")
    }
}
