use std::sync::{Arc, Weak};

use super::tool_registry::{Shared, ToolRegistry};

/// A [`ToolRegistry`] for its own tools, from [`ToolRegistry::downgrade`]: it keeps neither the
/// registry nor its states, as a clone of the registry in one of its states would.
///
/// ```
/// use std::sync::{Arc, OnceLock};
///
/// use toolwright::{State, ToolRegistry, WeakToolRegistry, resource, resources, tool, tools};
///
/// #[derive(Default)]
/// struct Notes {
///     registry: OnceLock<WeakToolRegistry>,
/// }
///
/// #[resource("notes://today")]
/// async fn today() -> &'static str {
///     "Buy milk."
/// }
///
/// /// Write today's note.
/// #[tool]
/// async fn write(notes: State<Notes>) {
///     // Clients that have subscribed to the resource read it again.
///     if let Some(registry) = notes.registry.get().and_then(WeakToolRegistry::upgrade) {
///         registry.resource_updated("notes://today");
///     }
/// }
///
/// let notes = Arc::new(Notes::default());
/// let registry = ToolRegistry::builder("notes")
///     .state(notes.clone())
///     .tools(tools![write])
///     .resources(resources![today])
///     .build()?;
/// notes.registry.get_or_init(|| registry.downgrade());
/// drop(registry);
/// assert!(notes.registry.get().is_some_and(|registry| registry.upgrade().is_none()));
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct WeakToolRegistry(Weak<Shared>);

impl ToolRegistry {
    /// The registry for a state of its own, or for whatever else must not keep it.
    pub fn downgrade(&self) -> WeakToolRegistry {
        WeakToolRegistry(Arc::downgrade(&self.0))
    }
}

impl WeakToolRegistry {
    /// The registry; `None` once nobody has it and no session serves it.
    pub fn upgrade(&self) -> Option<ToolRegistry> {
        self.0.upgrade().map(ToolRegistry)
    }
}
