//! `tools/call` and `prompts/get`: what a request calls by its name.

use super::calls::arguments;
use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::context::Asking;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, ListKind, Request, Revision};
use crate::mcp::registry::{Named, ToolFilter, View};
use crate::mcp::rounds::Owner;
use crate::mcp::span::spanned;
use crate::mcp::tasks::Permit;
use crate::scan;

impl Session {
    pub(super) fn call_named<'a, E: Named>(
        &mut self,
        list: impl Fn(&mut Self) -> &mut View<E>,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Call<'a>, ErrorObject> {
        let target = request.params.name.unwrap_or_default();
        let name = scan::string(target);
        let name = name.ok_or_else(|| ErrorObject::invalid_params("`name` must be a string"))?;
        let arguments = arguments(request)?;
        let filter = self.registry.server().tool_filter.clone();
        let entries = list(self).now(out);
        let Some(entry) = entries.get(&name) else {
            let names = entries.names();
            return Err(self.unknown::<E>(&name, &names));
        };
        let decoder = filter.map_or_else(|| entry.decoder(), |filter| entry.filtered(&filter));
        let (subject, task) = (entry.subject(), entry.task());
        let decoder = spanned(decoder, E::METHOD, self.registry.server().parent.as_ref());
        let asking = Asking::of(request, E::METHOD.name(), target, arguments);
        let tasks = match task {
            Some(support) => self.permit(request, revision, support)?,
            None => None,
        };
        let mut call = self.begin(request, revision, asking, subject, decoder)?;
        call.seed.permit = tasks.map(|tasks| {
            let owner = call.seed.extensions.get::<Owner>().cloned();
            Box::new(Permit { tasks, owner })
        });
        Ok(call)
    }

    #[cold]
    fn unknown<E: Named>(&self, name: &str, names: &str) -> ErrorObject {
        match self.registry.server().tool_filter {
            Some(_) if E::KIND == ListKind::Tools => ToolFilter::unknown(name),
            _ => {
                let noun = E::NOUN;
                ErrorObject::invalid_params(format!("Unknown {noun}: {name}. There are: {names}"))
            }
        }
    }
}
