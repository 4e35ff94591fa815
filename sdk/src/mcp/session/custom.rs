//! Requests by methods outside of the protocol.

use std::sync::Arc;

use super::state::Session;
use crate::mcp::call::Call;
use crate::mcp::context::Asking;
use crate::mcp::custom::CustomRequest;
use crate::mcp::protocol::{ErrorObject, Request, Revision};

impl Session {
    pub(super) fn custom_request<'a>(
        &mut self,
        custom: CustomRequest,
        request: &Request<'a>,
        revision: Revision,
    ) -> Result<Call<'a>, ErrorObject> {
        let asking = Asking::by_requests(request, revision);
        self.begin(request, revision, asking, custom.method.clone(), Arc::new(custom))
    }
}
