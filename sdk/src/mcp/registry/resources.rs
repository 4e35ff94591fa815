//! The resources of a registry.

use std::borrow::Cow;

use super::check::{BuildError, Check};
use super::list::Entry;
use super::tool_registry::ToolRegistry;
use crate::mcp::protocol::{ListKind, Profile, Topic, app, encoded_uri, write_json};
use crate::mcp::resource::{Resource, canonical};

impl ToolRegistry {
    /// Adds a resource, or a template of resources, while sessions run, and notifies the clients
    /// that listen for changes.
    ///
    /// # Errors
    ///
    /// The URI is taken, `build` would refuse the resource, or the registry was built without
    /// resources, which its clients know: give its builder `.resources([])`.
    #[inline]
    pub fn add_resource(&self, resource: Resource) -> Result<(), BuildError> {
        let server = self.server();
        let values = server.values();
        let mut check = Check::new(Vec::new(), &values);
        if !server.offers.resources {
            check.complain(
                "the registry was built without resources: call `.resources([])` on its builder",
            );
        }
        let (completes, is_view) = (resource.completes(), app::is_view(resource.uri()));
        let list = match resource.is_template() {
            true => self.template_list(),
            false => self.resource_list(),
        };
        list.change(|resources| {
            let known = resources.len();
            resources.push(resource);
            check.resources(resources, known);
            check.finish()
        })?;
        server.add_offers(completes, is_view);
        self.changed(&Topic::List(ListKind::Resources));
        Ok(())
    }

    /// Removes the resource, or the template of resources, that was given with this URI, and
    /// notifies the clients that listen for changes. Returns whether it existed.
    #[inline]
    pub fn remove_resource(&self, uri: &str) -> bool {
        let is_removed = self.resource_list().remove(|resource| resource.uri() == uri)
            || self.template_list().remove(|resource| resource.uri() == uri);
        if is_removed {
            self.changed(&Topic::List(ListKind::Resources));
        }
        is_removed
    }

    /// The resources, in the order in which they were added, and then the templates.
    pub fn resources(&self) -> Vec<Resource> {
        let (resources, templates) = (self.resource_list().now(), self.template_list().now());
        let mut all = resources.entries().to_vec();
        all.extend_from_slice(templates.entries());
        all
    }

    /// Notifies the clients that have subscribed to exactly this URI that its content has changed.
    /// It costs little if there are none. A tool that changes the resource has the registry as a
    /// [`WeakToolRegistry`](crate::WeakToolRegistry) in a state.
    pub fn resource_updated(&self, uri: impl AsRef<str>) {
        self.changed(&Topic::Resource(Some(canonical(uri.as_ref()).into())));
    }
}

impl Entry for Resource {
    const KIND: ListKind = ListKind::Resources;

    /// The URI as clients see it.
    fn key(&self) -> Cow<'_, str> {
        match self.is_template() {
            true => encoded_uri(self.uri(), true),
            false => canonical(self.uri()),
        }
    }

    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        write_json(out, &self.definition().info(profile));
    }
}
