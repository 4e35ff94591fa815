//! The table of threats: what a server on a network must withstand. The other rows are in
//! `rows.rs` (source), `connections.rs` (slow clients, shutdown) and docs/bounds.md (memory).

use serde_json::json;

use super::scene::{Scene, call, modern, raw, rest};
use crate::http::Sessions;

/// Row «DNS rebinding»: what a proxy or an attacker says about the host is not believed.
#[tokio::test]
async fn forwarded_headers_are_not_trusted() {
    let scene = Scene::new(|_| {});
    for (host, status) in [("evil.example.com", 403), ("localhost", 200)] {
        for (name, value) in [
            ("x-forwarded-host", "localhost"),
            ("x-forwarded-host", "evil.example.com"),
            ("forwarded", "host=localhost"),
            ("x-original-host", "localhost"),
            ("x-http-method-override", "DELETE"),
        ] {
            let mut request = call("echo", &json!({}));
            request.headers_mut().insert("host", host.parse().unwrap());
            request.headers_mut().insert(name, value.parse().unwrap());
            let (found, body) = scene.ask(request).await;
            assert_eq!(found, status, "{host} {name}: {value}");
            // Whoever is refused without reason learns the option.
            assert_eq!(body.contains("allowed_hosts"), status == 403, "{body}");
        }
    }
}

/// Row «Origin»: every method is checked, before anything else is.
#[tokio::test]
async fn every_method_has_its_origin_checked() {
    for has_sessions in [false, true] {
        let scene = Scene::new(|options| {
            options.sessions = has_sessions.then(Sessions::default);
        });
        for method in ["POST", "GET", "DELETE", "PUT", "OPTIONS"] {
            for origin in ["null", "http://evil.example.com", "http://localhost@evil.example.com"] {
                let request =
                    raw(&format!("{method} /mcp\nHost: localhost\nOrigin: {origin}\nX: y\n\n{{}}"));
                let (status, body) = scene.ask(request).await;
                assert_eq!(status, 403, "{method} {origin}");
                assert!(body.contains("allowed_origins"), "{body}");
            }
        }
    }
}

/// Row «CORS»: off unless a layer in front adds it.
#[tokio::test]
async fn no_answer_allows_web_pages_of_other_origins() {
    let scene = Scene::new(|_| {});
    let preflight = "OPTIONS /mcp\nHost: localhost\nOrigin: http://localhost:3000\n\
        Access-Control-Request-Method: POST\nAccess-Control-Request-Headers: content-type";
    for (request, status) in [
        (raw(preflight), 405),
        (call("echo", &json!({})), 200),
        (call("no such", &json!({})), 200),
        (modern("subscriptions/listen", None, &json!({"notifications": {}})), 200),
        (raw("POST /mcp\nHost: localhost\nOrigin: http://localhost:3000\n\n{}"), 415),
    ] {
        let response = scene.send(request).await;
        assert_eq!(response.status(), status);
        let names: Vec<_> = response.headers().keys().map(|name| name.as_str()).collect();
        assert!(!names.iter().any(|name| name.starts_with("access-control")), "{names:?}");
    }
}

/// Rows «bad arguments, tool failure, panic»: results, which the model reads.
#[tokio::test]
async fn failures_of_tools_are_results() {
    let scene = Scene::new(|_| {});
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let fails = crate::Tool::new("fails", "", schema.clone(), async |_: serde_json::Value, _| {
        Err::<(), _>("no paper".to_owned())
    });
    let panics = crate::Tool::new("panics", "", schema, async |value: serde_json::Value, _| {
        assert!(value.is_null(), "a bug");
        ""
    });
    scene.registry.add(fails).unwrap();
    scene.registry.add(panics).unwrap();
    for (tool, arguments) in [("fails", json!({})), ("panics", json!({}))] {
        let (status, body) = scene.ask(call(tool, &arguments)).await;
        assert!(status == 200 && body.contains(r#""isError":true"#), "{tool}: {status} {body}");
    }
}

/// Each request repairs the first fault of the one before, so the faults have this order.
#[tokio::test]
async fn the_first_of_several_faults_is_answered() {
    let scene = Scene::new(|options| options.max_body = 400);
    let long = "x".repeat(500);
    let meta = |version: &str| {
        format!(
            r#""_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}"#
        )
    };
    let body = |method: &str, meta: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{{"name":"no",{meta}}}}}"#)
    };
    let (old, new) = (meta("2099-01-01"), meta("2026-07-28"));
    let bad = r#"{"jsonrpc":"1.0","id":7,"method":"tools/call"}"#;
    let empty = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"_meta":{}}}"#;
    let unknown = body("no/such", &new);
    let called = body("tools/call", &new);
    let steps: [(&str, &str, &str, u16, i64); 12] = [
        ("Host: a\nHost: a\nOrigin: null", "PUT", &long, 400, -32000),
        ("Host: evil\nOrigin: null", "PUT", &long, 403, -32000),
        ("Host: localhost\nOrigin: null", "PUT", &long, 403, -32000),
        ("Host: localhost\nAccept: a/b", "PUT", &long, 405, -32000),
        ("Host: localhost\nAccept: a/b", "POST", &long, 415, -32000),
        (
            "Host: localhost\nContent-Type: application/json\nAccept: a/b",
            "POST",
            &long,
            406,
            -32000,
        ),
        ("Host: localhost\nContent-Type: application/json", "POST", &long, 413, -32000),
        (
            "Host: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28",
            "POST",
            "{",
            400,
            -32700,
        ),
        (
            "Host: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28",
            "POST",
            bad,
            400,
            -32600,
        ),
        (
            "Host: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28",
            "POST",
            empty,
            400,
            -32602,
        ),
        (
            "Host: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28",
            "POST",
            &body("no/such", &old),
            400,
            -32020,
        ),
        (
            "Host: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2099-01-01",
            "POST",
            &body("no/such", &old),
            400,
            -32022,
        ),
    ];
    for (head, method, body, status, code) in steps {
        let (found, answer) = scene.ask(raw(&format!("{method} /mcp\n{head}\n\n{body}"))).await;
        assert_eq!((found, code_of(&answer)), (status, code), "{method} {head} {body}");
    }
    let modern =
        "Host: localhost\nContent-Type: application/json\nMCP-Protocol-Version: 2026-07-28";
    for (head, body, status, code) in [
        ("", &unknown, 400, -32020),
        ("\nMcp-Method: no/such", &unknown, 404, -32601),
        ("\nMcp-Method: tools/call", &called, 400, -32020),
        ("\nMcp-Method: tools/call\nMcp-Name: no", &called, 200, -32602),
    ] {
        let (found, answer) = scene.ask(raw(&format!("POST /mcp\n{modern}{head}\n\n{body}"))).await;
        assert_eq!((found, code_of(&answer)), (status, code), "{head} {body}");
    }
}

fn code_of(answer: &str) -> i64 {
    let answer: serde_json::Value = serde_json::from_str(answer).unwrap();
    answer["error"]["code"].as_i64().unwrap()
}

/// A request without a session ignores the id of one, in both eras.
#[tokio::test]
async fn a_server_without_sessions_ignores_their_ids() {
    let scene = Scene::new(|_| {});
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for mut request in [super::scene::legacy(&ping), call("echo", &json!({}))] {
        request.headers_mut().insert("mcp-session-id", "left-over".parse().unwrap());
        let response = scene.send(request).await;
        assert_eq!(response.status(), 200);
        assert!(!response.headers().contains_key("mcp-session-id"));
        assert!(rest(response.into_body()).await.contains("result"));
    }
    for method in ["GET", "DELETE"] {
        let request = raw(&format!("{method} /mcp\nHost: localhost\nMcp-Session-Id: left-over"));
        assert_eq!(scene.ask(request).await.0, 405, "{method}");
    }
}
