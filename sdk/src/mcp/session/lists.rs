//! `tools/list`, `prompts/list`, `resources/list` and `resources/templates/list`.

use std::borrow::Cow;

use super::state::Session;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, ListKind, Request, Revision};
use crate::mcp::registry::{Entry, View};
use crate::scan;

impl Session {
    /// Answers with a page of a list of this session.
    pub(super) fn list<E: Entry>(
        &mut self,
        list: impl FnOnce(&mut Self) -> &mut View<E>,
        request: &Request<'_>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let entries = list(self).now(out).clone();
        let page = entries.page(revision, cursor(request)?.as_deref());
        self.answer_page(E::KIND, page, request, revision, out)
    }

    fn answer_page(
        &self,
        kind: ListKind,
        page: Option<&[u8]>,
        request: &Request<'_>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let page = page.ok_or_else(|| {
            ErrorObject::invalid_params(format!(
                "`cursor` is none that this server gave for its present {}",
                kind.as_str()
            ))
        })?;
        let (profile, caching) = (revision.profile(), self.registry.server().caching_of(kind));
        out.result(&request.id, None, revision, &mut |out| {
            self.complete(profile, None, out, &mut |out| {
                out.extend_from_slice(page);
                caching.write(profile, out);
            });
        });
        Ok(())
    }
}

/// The cursor of a list's next page.
fn cursor<'a>(request: &Request<'a>) -> Result<Option<Cow<'a, str>>, ErrorObject> {
    match request.params.get("cursor") {
        None | Some("null") => Ok(None),
        Some(raw) => scan::string(raw)
            .map(Some)
            .ok_or_else(|| ErrorObject::invalid_params("`cursor` must be a string")),
    }
}
