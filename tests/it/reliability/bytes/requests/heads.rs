use super::super::case::{Case, How};
use super::super::lines::hello;
use super::{
    ACCEPT, FORBIDDEN, HOST, METHOD, NONE, ORIGIN, PING, RESULT, STALE, STREAM, TYPE, bare, body,
    head,
};

pub(super) fn heads() -> Vec<Case> {
    let hello = hello("1", "2025-11-25");
    vec![
        head("Content-Type: text/plain", &["content-type: text/plain"], TYPE),
        head("no Content-Type", &["content-type:"], TYPE),
        head(
            "Content-Type: Application/JSON; charset=utf-8",
            &["content-type: Application/JSON; charset=utf-8"],
            RESULT,
        ),
        head("no Accept", &["accept:"], RESULT),
        head("Accept: */*", &["accept: */*"], RESULT),
        head("Accept: application/json", &["accept: application/json"], RESULT),
        head("Accept: text/event-stream", &["accept: text/event-stream"], RESULT),
        head("Accept: text/html", &["accept: text/html"], ACCEPT),
        head("Accept: */*;q=0", &["accept: */*;q=0"], ACCEPT),
        head("Host: evil.example.com", &["host: evil.example.com"], FORBIDDEN),
        head(
            "Host: localhost@evil.example.com",
            &["host: localhost@evil.example.com"],
            &["403 error -32000, no id", "400 error -32000, no id"],
        ),
        head("two Host lines", &["host: localhost\r\nhost: localhost"], HOST).demanded(),
        head("no Host", &["host:"], HOST).demanded(),
        head("Origin: http://evil.example.com", &["origin: http://evil.example.com"], ORIGIN)
            .demanded(),
        head(
            "Origin: http://localhost@evil.example.com",
            &["origin: http://localhost@evil.example.com"],
            ORIGIN,
        )
        .demanded(),
        head("Origin: null", &["origin: null"], ORIGIN).demanded(),
        head("MCP-Protocol-Version: 1999-01-01", &["mcp-protocol-version: 1999-01-01"], &["400*"])
            .demanded(),
        head(
            "no session id",
            &[NONE],
            &["400 error -32000", "400 error -32000, no id", "200 result"],
        ),
        head("an unknown session id", STALE, &["404 error -32000", "404 error -32000, no id"]),
        Case::post("a handshake with an unknown session id", STALE, hello, RESULT),
        bare("GET", "GET /mcp", &["accept: text/event-stream"], STREAM).demanded(),
        bare(
            "GET without Accept",
            "GET /mcp",
            &["accept:"],
            &["406 error -32000, no id", "405 error -32000, no id", "200 stream"],
        ),
        bare(
            "GET with an unknown Last-Event-ID",
            "GET /mcp",
            &["accept: text/event-stream", "last-event-id: none"],
            &["200 stream", "400 error -32000, no id"],
        ),
        bare(
            "GET with a bad Origin",
            "GET /mcp",
            &["accept: text/event-stream", "origin: null"],
            ORIGIN,
        )
        .demanded(),
        bare("DELETE with a bad Origin", "DELETE /mcp", &["origin: null"], ORIGIN).demanded(),
        bare("PUT", "PUT /mcp", &[], METHOD),
        bare("PATCH", "PATCH /mcp", &[], METHOD),
        bare("OPTIONS", "OPTIONS /mcp", &[], METHOD),
        bare("HEAD", "HEAD /mcp", &[], &["405"]),
        body("another path", PING, &["404 error -32000, no id", "404", "404 text"])
            .sent(How::Request { target: "POST /other", headers: &[] }),
    ]
}
