//! `tools/call`.

use super::calls::arguments;
use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Request, Revision};
use crate::mcp::span::{Method, spanned};
use crate::scan;

impl Session {
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
        let (subject, decoder) =
            (tool.subject(), spanned(tool.decoder(), Method::CallTool, parent));
        self.begin(request, revision, arguments, subject, decoder)
    }
}
