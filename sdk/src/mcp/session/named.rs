//! `tools/call` and `prompts/get`: what a request calls by its name.

use super::calls::arguments;
use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::context::Asking;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Request, Revision};
use crate::mcp::registry::{Called, ToolFilter};
use crate::mcp::span::{Method, spanned};
use crate::scan;

impl Session {
    pub(super) fn call_named<'a>(
        &mut self,
        method: Method,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Call<'a>, ErrorObject> {
        let target = request.params.name.unwrap_or_default();
        let name = scan::string(target);
        let name = name.ok_or_else(|| ErrorObject::invalid_params("`name` must be a string"))?;
        let arguments = arguments(request)?;
        let filter = self.registry.server().tool_filter.as_ref();
        let found = match method {
            Method::GetPrompt => self.prompts.now(out).call(&name, None),
            _ => self.tools.now(out).call(&name, filter),
        };
        let found = found.map_err(|names| self.unknown(method, &name, &names));
        let Called { subject, decoder, task } = found?;
        let decoder = spanned(decoder, method, self.registry.server().parent.as_ref());
        let asking = Asking::of(request, method.name(), target, arguments);
        let tasks = match task {
            Some(support) => self.permit(request, revision, support)?,
            None => None,
        };
        let mut call = self.begin(request, revision, asking, subject, decoder)?;
        if let Some(tasks) = tasks {
            call.permit(tasks);
        }
        Ok(call)
    }

    #[cold]
    fn unknown(&self, method: Method, name: &str, names: &str) -> ErrorObject {
        let noun = match (method, &self.registry.server().tool_filter) {
            (Method::GetPrompt, _) => "prompt",
            (_, None) => "tool",
            (_, Some(_)) => return ToolFilter::unknown(name),
        };
        ErrorObject::invalid_params(format!("Unknown {noun}: {name}. There are: {names}"))
    }
}
