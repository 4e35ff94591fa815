//! Values of any type that belong to a server, a session or a call.

use std::any::{Any, TypeId, type_name};
use std::mem;
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
    values: Vec<Entry>,
    outer: Option<Arc<Self>>,
}

#[derive(Debug, Clone)]
struct Entry {
    of: TypeId,
    value: Arc<dyn Any + Send + Sync>,
    /// Puts a clone of `value`, as an `Arc<T>`, into an `Option<Arc<T>>`. Thus also a caller whose
    /// `T` may be unsized gets it, which cannot downcast it.
    share: fn(&Arc<dyn Any + Send + Sync>, &mut dyn Any),
}

/// A type whose value a tool takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Need {
    pub(crate) name: &'static str,
    /// Those of `T` and `Arc<T>`: a value of either is as good.
    types: [TypeId; 2],
}

impl Extensions {
    /// Empty extensions within `outer`.
    pub fn within(outer: &Arc<Self>) -> Self {
        // Empty extensions need not be searched.
        let is_empty = outer.values.is_empty() && outer.outer.is_none();
        Self { values: Vec::new(), outer: (!is_empty).then(|| outer.clone()) }
    }

    /// Adds a value; returns the previous value of its type, if there was one here.
    pub fn insert<T: Send + Sync + 'static>(&mut self, value: T) -> Option<Arc<T>> {
        let entry = Entry { of: TypeId::of::<T>(), value: Arc::new(value), share: share::<T> };
        self.put(entry)?.value.downcast().ok()
    }

    /// The innermost value of this type. A value that was given in an `Arc` counts, too.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        if let Some(entry) = self.find(TypeId::of::<T>()) {
            return entry.value.downcast_ref();
        }
        match self.find(TypeId::of::<Arc<T>>()) {
            Some(entry) => entry.value.downcast_ref::<Arc<T>>().map(Arc::as_ref),
            None => self.outer.as_ref()?.get(),
        }
    }

    /// Like [`Extensions::get`], for a value that is kept beyond the extensions. Of a type that is
    /// `dyn`, it was given in an `Arc`.
    pub fn get_arc<T: ?Sized + Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let [plain, in_arc] = Need::of::<T>().types.map(|id| self.find(id));
        match (plain, in_arc) {
            (Some(entry), _) => {
                let mut shared = None;
                (entry.share)(&entry.value, &mut shared);
                shared
            }
            (None, Some(entry)) => entry.value.downcast_ref::<Arc<T>>().cloned(),
            (None, None) => self.outer.as_ref()?.get_arc(),
        }
    }

    /// True if there is a value for this need.
    pub(crate) fn meet(&self, need: &Need) -> bool {
        need.types.iter().any(|id| self.find(*id).is_some())
            || self.outer.as_ref().is_some_and(|outer| outer.meet(need))
    }

    fn find(&self, of: TypeId) -> Option<&Entry> {
        self.values.iter().find(|entry| entry.of == of)
    }

    /// Adds an entry, or replaces the one of its type and returns that.
    #[inline]
    fn put(&mut self, new: Entry) -> Option<Entry> {
        match self.values.iter_mut().find(|entry| entry.of == new.of) {
            Some(entry) => Some(mem::replace(entry, new)),
            None => {
                self.values.push(new);
                None
            }
        }
    }
}

fn share<T: Send + Sync + 'static>(value: &Arc<dyn Any + Send + Sync>, into: &mut dyn Any) {
    if let Some(into) = into.downcast_mut::<Option<Arc<T>>>() {
        *into = Arc::clone(value).downcast().ok();
    }
}

impl Need {
    pub(crate) fn of<T: ?Sized + 'static>() -> Self {
        Self { name: type_name::<T>(), types: [TypeId::of::<T>(), TypeId::of::<Arc<T>>()] }
    }

    /// True if one value could be meant for both.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.types.iter().any(|id| other.types.contains(id))
    }
}

impl PartialEq for Need {
    fn eq(&self, other: &Self) -> bool {
        self.types == other.types
    }
}
