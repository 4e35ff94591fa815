//! `tools/list`, `prompts/list`, `resources/list` and `resources/templates/list`.

use std::borrow::Cow;
use std::sync::Arc;

use super::state::Session;
use super::told::{About, Told};
use crate::mcp::args::BadArguments;
use crate::mcp::call::{Begun, Call, Decoder, Ended, Outcome, Subject};
use crate::mcp::context::{Asking, Caller, Context};
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{Caching, ErrorObject, ListKind, Request, Revision};
use crate::mcp::registry::{Entry, List, ToolFilter, View};
use crate::mcp::tool::Tool;
use crate::scan;

const ABOUT: About = About("the tools");

/// A request for the tools that are there for whoever makes it. The filter is user code, so this
/// is a call.
struct FilteredTools {
    tools: Arc<List<Tool>>,
    filter: ToolFilter,
    revision: Revision,
    cursor: Option<String>,
    caching: Caching,
}

impl Session {
    /// Answers with a page of a list of this session.
    pub(super) fn list<E: Entry>(
        &mut self,
        list: fn(&mut Self) -> &mut View<E>,
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
        let page = page.ok_or_else(|| bad_cursor(kind))?;
        let (profile, caching) = (revision.profile(), self.registry.server().caching_of(kind));
        out.result(&request.id, None, revision, &mut |out| {
            self.complete(profile, None, out, &mut |out| {
                out.extend_from_slice(page);
                caching.write(profile, out);
            });
        });
        Ok(())
    }

    /// The call that answers with a page of the tools that a filter shows.
    pub(super) fn list_filtered<'a>(
        &mut self,
        filter: ToolFilter,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Call<'a>, ErrorObject> {
        let cursor = cursor(request)?.map(Cow::into_owned);
        let tools = self.tools.now(out).clone();
        // No cache may give the list of one user to another one.
        let caching = self.registry.server().caching_of(ListKind::Tools).of_user();
        let listed = FilteredTools { tools, filter, revision, cursor, caching };
        self.begin(request, revision, Asking::nothing(), Arc::new(ABOUT), Arc::new(listed))
    }
}

impl FilteredTools {
    /// The members of the result.
    fn page(&self, context: &Context) -> Option<Vec<u8>> {
        let is_shown = |tool: &Tool| self.filter.shows(tool, context);
        let mut members = self.tools.page_of(is_shown, self.revision, self.cursor.as_deref())?;
        self.caching.write(self.revision.profile(), &mut members);
        Some(members)
    }
}

impl Decoder for FilteredTools {
    fn subject(&self) -> &dyn Subject {
        &ABOUT
    }

    fn decode(&self, _: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let ended = match self.page(&caller.context()) {
            Some(members) => Ended(Ok(Outcome::Complete(Box::new(Told(members))))),
            None => Ended::refused(bad_cursor(ListKind::Tools)),
        };
        Ok(Begun::ended(ended))
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

fn bad_cursor(kind: ListKind) -> ErrorObject {
    ErrorObject::invalid_params(format!(
        "`cursor` is none that this server gave for its present {}",
        kind.as_str()
    ))
}
