//! `resources/read`, `resources/subscribe` and `resources/unsubscribe`.

use std::borrow::Cow;

use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::context::Asking;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Request, Revision};
use crate::mcp::resource::{Resource, canonical, not_found};
use crate::mcp::span::{Method, spanned};
use crate::scan;

impl Session {
    pub(super) fn read_resource<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Call<'a>, ErrorObject> {
        let uri = uri(request)?;
        let resource = self.resource(&uri, out);
        let resource = resource.ok_or_else(|| not_found(&uri).within(revision.profile()))?;
        let parent = self.registry.server().parent.as_ref();
        let (subject, decoder) =
            (resource.subject(), spanned(resource.decoder(), Method::ReadResource, parent));
        let target = request.params.get("uri").unwrap_or_default();
        let asking = Asking::of(request, Method::ReadResource.name(), target, Some(target));
        let call = self.begin(request, revision, asking, subject, decoder);
        // It may be the last handle of a resource that was removed, which holds user code.
        out.later(move || drop(resource));
        call
    }

    pub(super) fn subscribe(
        &mut self,
        request: &Request<'_>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let uri = uri(request)?;
        match &*request.method {
            "resources/subscribe" => self.subscriptions.subscribe(&uri)?,
            _ => self.subscriptions.unsubscribe(&uri),
        }
        out.result(&request.id, None, revision, &mut |_| {});
        Ok(())
    }

    /// The resource with this URI, else the first template that it fits.
    fn resource(&mut self, uri: &str, out: &mut Outbox) -> Option<Resource> {
        let direct = self.resources.now(out).get(&canonical(uri)).cloned();
        direct.or_else(|| {
            let mut templates = self.templates.now(out).entries().iter();
            templates.find(|template| template.has(uri)).cloned()
        })
    }
}

/// The URI that a request names.
fn uri<'a>(request: &Request<'a>) -> Result<Cow<'a, str>, ErrorObject> {
    let uri = request.params.get("uri").and_then(scan::string);
    uri.ok_or_else(|| ErrorObject::invalid_params("`uri` must be a string"))
}
