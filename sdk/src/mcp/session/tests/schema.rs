//! The judge of messages, judged.

use serde_json::{Value, json};

use crate::judge::{Kind, complaints};

fn verdict(revision: &str, kind: Kind<'_>, message: Value) -> Vec<String> {
    complaints(revision, kind, &message).unwrap()
}

fn response(result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "result": result})
}

#[test]
fn the_judges_know_a_good_message() {
    let text = json!([{"type": "text", "text": "4"}]);
    let call = Kind::Result("tools/call");
    assert_eq!(verdict("2025-11-25", call, response(json!({"content": text}))), [""; 0]);
    assert_eq!(
        verdict(
            "2026-07-28",
            call,
            response(json!({"resultType": "complete", "content": text, "structuredContent": [1]}))
        ),
        [""; 0]
    );
}

#[test]
fn the_judges_know_a_bad_message() {
    let text = json!([{"type": "text", "text": "4"}]);
    let call = Kind::Result("tools/call");
    let list = Kind::Result("tools/list");
    let listed = |member: &str, value: Value| {
        let mut tool = json!({"name": "a", "inputSchema": {"type": "object"}});
        tool[member] = value;
        response(json!({"tools": [tool]}))
    };
    let progress = Kind::Notification("notifications/progress");
    let half = json!({"progressToken": 1, "progress": 1, "message": "half"});
    let half = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": half});
    let audio = json!([{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}]);
    let link = json!([{"type": "resource_link", "uri": "file:///a", "name": "a"}]);
    let dated = json!([{"type": "text", "text": "4", "annotations": {"lastModified": "2026"}}]);
    let icon = json!([{"src": "data:,x"}]);
    let booleans = json!({"type": "object", "properties": {"a": true}});
    let bad = [
        ("2024-11-05", call, response(json!({"content": audio}))),
        ("2024-11-05", progress, half),
        ("2024-11-05", list, listed("annotations", json!({}))),
        ("2025-03-26", call, response(json!({"content": link}))),
        ("2025-03-26", call, response(json!({"content": dated}))),
        ("2025-03-26", call, response(json!({"content": [], "structuredContent": {}}))),
        ("2025-03-26", list, listed("title", json!("A"))),
        ("2025-03-26", list, listed("_meta", json!({}))),
        ("2025-06-18", list, listed("icons", icon)),
        ("2025-06-18", list, listed("inputSchema", booleans.clone())),
        ("2025-11-25", list, listed("inputSchema", booleans)),
        ("2025-11-25", call, response(json!({}))),
        ("2025-11-25", call, response(json!({"content": [{"type": "txt", "text": "4"}]}))),
        ("2025-11-25", call, response(json!({"content": text, "structuredContent": [1]}))),
        ("2025-11-25", call, response(json!({"content": text, "isError": null}))),
        ("2025-11-25", call, response(json!({"content": text, "resultType": "complete"}))),
        (
            "2025-11-25",
            call,
            json!({"jsonrpc": "2.0", "id": 1, "result": {"content": text}, "extra": 1}),
        ),
        ("2025-11-25", call, json!({"jsonrpc": "2.0", "id": null, "result": {"content": text}})),
        ("2025-11-25", call, json!({"jsonrpc": "2.0", "id": 1.5, "result": {"content": text}})),
        ("2026-07-28", call, response(json!({"content": text}))),
        (
            "2026-07-28",
            Kind::Result("tools/list"),
            response(json!({"resultType": "complete", "tools": []})),
        ),
        (
            "2025-11-25",
            Kind::Result("tools/list"),
            response(json!({"tools": [{"name": "a", "inputSchema": {"type": "array"}}]})),
        ),
        (
            "2025-11-25",
            Kind::Result("tools/list"),
            response(
                json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}, "title": null}]}),
            ),
        ),
        (
            "2026-07-28",
            Kind::Result("subscriptions/listen"),
            response(json!({"resultType": "complete"})),
        ),
        (
            "2026-07-28",
            Kind::Error,
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "-32600", "message": "no"}}),
        ),
        (
            "2026-07-28",
            Kind::UnsupportedVersion,
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no"}}),
        ),
        (
            "2025-11-25",
            Kind::Notification("notifications/progress"),
            json!({"jsonrpc": "2.0", "method": "notifications/progress"}),
        ),
    ];
    for (revision, kind, message) in bad {
        assert_ne!(
            verdict(revision, kind, message.clone()),
            [""; 0],
            "{revision:?} {kind:?}: {message}"
        );
    }
    assert_eq!(complaints("2026-07-28", Kind::Result("ping"), &response(json!({}))), None);
    assert_eq!(
        complaints("2025-11-25", Kind::Result("server/discover"), &response(json!({}))),
        None
    );
}
