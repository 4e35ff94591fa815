//! Values of any type that belong to a server, a session or a call.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One value of each type. A value that is not found here is looked up in the outer extensions:
/// those of a call are within its session's, and these within its server's.
///
/// ```
/// use toolwright::mcp::Extensions;
///
/// #[derive(Debug, PartialEq)]
/// struct Tenant(&'static str);
///
/// let mut extensions = Extensions::default();
/// extensions.insert(Tenant("acme"));
/// assert_eq!(extensions.get(), Some(&Tenant("acme")));
/// assert_eq!(extensions.get_arc().as_deref(), Some(&Tenant("acme")));
/// assert_eq!(extensions.get::<String>(), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Extensions {
    values: BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>,
    outer: Option<Arc<Self>>,
}

impl Extensions {
    /// Empty extensions within `outer`.
    pub fn within(outer: &Arc<Self>) -> Self {
        // Empty extensions need not be searched.
        let is_empty = outer.values.is_empty() && outer.outer.is_none();
        Self { values: BTreeMap::new(), outer: (!is_empty).then(|| outer.clone()) }
    }

    /// Adds a value; returns the previous value of its type, if there was one here.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> Option<Arc<T>> {
        self.values.insert(TypeId::of::<T>(), Arc::new(value))?.downcast().ok()
    }

    /// The innermost value of this type.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        match self.values.get(&TypeId::of::<T>()) {
            Some(value) => value.downcast_ref(),
            None => self.outer.as_ref()?.get(),
        }
    }

    /// Like [`Extensions::get`], for a value that is kept beyond the extensions.
    pub fn get_arc<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        match self.values.get(&TypeId::of::<T>()) {
            Some(value) => Arc::clone(value).downcast().ok(),
            None => self.outer.as_ref()?.get_arc(),
        }
    }
}
