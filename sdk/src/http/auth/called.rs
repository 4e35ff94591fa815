//! Which tools the body of a request calls.

use crate::mcp::protocol::{Message, RequestId};
use crate::scan;

/// The id of the request in a body, which a batch has not, and the tools that it calls.
pub(super) fn by_body(body: &str) -> (Option<RequestId>, Vec<String>) {
    match scan::elements(body) {
        Ok(elements) => (None, elements.filter_map(call).map(|(_, tool)| tool).collect()),
        Err(_) => call(body).map_or((None, Vec::new()), |(id, tool)| (Some(id), vec![tool])),
    }
}

fn call(text: &str) -> Option<(RequestId, String)> {
    match Message::read(text) {
        Message::Request(request) if request.method == "tools/call" => {
            let tool = request.params.name.and_then(scan::string)?;
            Some((request.id, tool.into_owned()))
        }
        _ => None,
    }
}
