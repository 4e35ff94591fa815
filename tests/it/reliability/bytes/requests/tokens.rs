use super::super::case::{Case, How};
use super::{PING, RESULT, UNAUTHORIZED, none};

/// Requests to a server that wants a token with the scope `use`: `good` has it, `narrow` lacks it,
/// and `old` has expired.
pub(super) fn tokens() -> Vec<Case> {
    let free = |name, headers, right| {
        Case::post(name, headers, PING, right).sent(How::Guarded { target: "POST /mcp", headers })
    };
    let ping = |name, headers, right| free(name, headers, right).demanded();
    let bare = |name, target, headers| {
        none(name, "", UNAUTHORIZED).sent(How::Guarded { target, headers }).demanded()
    };
    vec![
        ping("a token", &[], RESULT),
        ping("a token behind bearer in lower case", &["authorization: bearer good"], RESULT),
        ping("no token", &["authorization:"], UNAUTHORIZED),
        ping("a token that nobody gave out", &["authorization: Bearer bad"], UNAUTHORIZED),
        ping("a token that has expired", &["authorization: Bearer old"], UNAUTHORIZED),
        ping("a token behind Basic", &["authorization: Basic good"], UNAUTHORIZED),
        free("a token and one that nobody gave out", TWO, &["400*", "401 challenge*"]),
        ping("a token without the scope", &["authorization: Bearer narrow"], &["403*"]),
        bare("a token in the query", "POST /mcp?access_token=good", &["authorization:"]),
        bare("GET without a token", "GET /mcp", &["authorization:", "accept: text/event-stream"]),
        bare("DELETE without a token", "DELETE /mcp", &["authorization:"]),
    ]
}

const TWO: &[&str] = &["authorization: Bearer good\r\nauthorization: Bearer bad"];
