//! The entries of the lists of resources.

use std::borrow::Cow;

use super::list::Entry;
use crate::mcp::protocol::{ListKind, Profile, encoded_uri, write_json};
use crate::mcp::resource::{Resource, canonical};

/// A resource that is a template of URIs: an entry of `resources/templates/list`.
#[derive(Clone)]
pub(crate) struct Template(pub(crate) Resource);

impl Entry for Resource {
    const KIND: ListKind = ListKind::Resources;

    fn key(&self) -> Cow<'_, str> {
        canonical(self.uri())
    }

    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        write_json(out, &self.definition().info(profile));
    }
}

impl Entry for Template {
    const KIND: ListKind = ListKind::Resources;
    const MEMBER: &'static str = "resourceTemplates";

    fn key(&self) -> Cow<'_, str> {
        encoded_uri(self.0.uri(), true)
    }

    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        write_json(out, &self.0.definition().info(profile));
    }
}
