//! Which tools a request calls.

use http::HeaderMap;

use crate::http::routing;
use crate::mcp::protocol::{Message, RequestId};
use crate::scan::{self, Elements};

/// The tool that the headers name, before the body says the same.
pub(super) fn by_headers(headers: &HeaderMap) -> Option<String> {
    let (method, name) = routing::target(headers);
    name.filter(|_| method == Some(b"tools/call")).map(|name| name.into_owned())
}

/// The id of the request in a body, which a batch has not, and the tools that it calls.
pub(super) fn by_body(body: &str) -> (Option<RequestId>, Vec<String>) {
    let Ok(mut elements) = Elements::of(body.trim_start()) else {
        return call(body).map_or((None, Vec::new()), |(id, tool)| (Some(id), vec![tool]));
    };
    let mut tools = Vec::new();
    while let Ok(true) = elements.next() {
        let Some(element) = scan::value(elements.rest()) else { break };
        tools.extend(call(element).map(|(_, tool)| tool));
        elements.advance(element.len());
    }
    (None, tools)
}

fn call(text: &str) -> Option<(RequestId, String)> {
    match Message::read(text, |method| method == "tools/call") {
        Message::Request(request) if request.method == "tools/call" => {
            let tool = request.params.name.and_then(scan::string)?;
            Some((request.id, tool.into_owned()))
        }
        _ => None,
    }
}
