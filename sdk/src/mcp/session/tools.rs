//! `tools/list` and `tools/call`.

use super::calls::arguments;
use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Request, Revision};
use crate::mcp::span::spanned;
use crate::scan;

impl Session {
    pub(super) fn list_tools(
        &mut self,
        request: &Request<'_>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let tools = self.tools.now(out).clone();
        let page = tools.page(revision, cursor(request)?.as_deref()).ok_or_else(|| {
            ErrorObject::invalid_params(
                "`cursor` is none that this server gave for its present tools",
            )
        })?;
        let profile = revision.profile();
        out.result(&request.id, None, revision, |out| {
            self.complete(profile, None, out, |out| {
                out.extend_from_slice(page);
                if profile.has_caching_hints {
                    out.extend_from_slice(b",\"ttlMs\":0,\"cacheScope\":\"private\"");
                }
            });
        });
        Ok(())
    }

    pub(super) fn call_tool<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Call<'a>, ErrorObject> {
        let name = request.params.name.and_then(scan::string);
        let name = name.ok_or_else(|| ErrorObject::invalid_params("`name` must be a string"))?;
        let arguments = arguments(request)?;
        let tools = self.tools.now(out);
        let tool = tools.get(&name).ok_or_else(|| {
            ErrorObject::invalid_params(format!(
                "Unknown tool: {name}. There are: {}",
                tools.names()
            ))
        })?;
        let parent = self.registry.server().parent.as_ref();
        let (subject, decoder) = (tool.subject(), spanned(tool.decoder(), parent));
        self.begin(request, revision, arguments, subject, decoder)
    }
}

/// The cursor of a list's next page.
fn cursor<'a>(request: &Request<'a>) -> Result<Option<std::borrow::Cow<'a, str>>, ErrorObject> {
    match request.params.get("cursor") {
        None | Some("null") => Ok(None),
        Some(raw) => scan::string(raw)
            .map(Some)
            .ok_or_else(|| ErrorObject::invalid_params("`cursor` must be a string")),
    }
}
