//! Tokens, scopes, and where clients learn about them.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, Response};
use serde_json::{Value, json};

use super::scene::{Heard, Scene, call, legacy, raw, rest};
use crate::http::{Auth, AuthError, Caller};
use crate::{Context, Tool};

const WHERE: &str = "Bearer resource_metadata=\
    \"https://notes.example.com/.well-known/oauth-protected-resource/mcp\"";

/// The token is the scopes, with dots between them.
async fn verdict(token: String) -> Result<Caller, AuthError> {
    match token.as_str() {
        "bad" => Err(AuthError::Invalid("it is unknown".into())),
        "panics" => panic!("a bug at {token}"),
        "later" => Err(AuthError::Unavailable("the keys are not there".into())),
        "never" => std::future::pending().await,
        "old" => {
            let mut caller = Caller::new("ann").scopes(["base", "notes:write"]);
            caller.expires = Some(SystemTime::now() - Duration::from_secs(1));
            Ok(caller)
        }
        scopes => {
            let mut caller = Caller::new("ann").scopes(scopes.split('.'));
            caller.expires = Some(SystemTime::now() + Duration::from_secs(60));
            Ok(caller)
        }
    }
}

fn scene() -> Scene {
    Scene::new(|options| {
        let auth = Auth::new("HTTPS://Notes.Example.com/mcp/", verdict).unwrap();
        let auth = auth.authorization_server("https://login.example.com").scope("base");
        options.auth = Some(auth);
    })
}

fn with_token(mut request: http::Request<String>, token: &str) -> http::Request<String> {
    let value = format!("Bearer {token}").parse().unwrap();
    request.headers_mut().insert("authorization", value);
    request
}

fn challenge(headers: &HeaderMap) -> &str {
    headers.get("www-authenticate").map_or("", |value| value.to_str().unwrap())
}

async fn json_of(response: Response<Heard>) -> Value {
    assert_eq!(response.headers()["content-type"], "application/json");
    serde_json::from_str(&rest(response.into_body()).await).unwrap()
}

#[tokio::test]
async fn a_request_without_a_good_token_learns_where_to_get_one() {
    let scene = scene();
    let invalid = "error=\"invalid_token\", scope=\"base\"";
    for (line, status, expected) in [
        ("X-Other: 1", 401, format!("{WHERE}, scope=\"base\"")),
        ("Authorization: Bearer bad", 401, format!("{WHERE}, {invalid}")),
        ("Authorization: Bearer old", 401, format!("{WHERE}, {invalid}")),
        ("Authorization: Bearer ", 401, format!("{WHERE}, {invalid}")),
        ("Authorization: Bearer a b", 401, format!("{WHERE}, {invalid}")),
        ("Authorization: Basic YTpi", 401, format!("{WHERE}, {invalid}")),
        (
            "Authorization: Bearer base\nAuthorization: Bearer base",
            401,
            format!("{WHERE}, {invalid}"),
        ),
        ("Authorization: Bearer later", 503, String::new()),
        ("Authorization: Bearer base", 200, String::new()),
        ("AUTHORIZATION: bEARER   base", 200, String::new()),
    ] {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let response = scene
            .send(raw(&format!(
                "POST /mcp?access_token=base\nHost: localhost\nContent-Type: application/json\n\
                 {line}\n\n{body}"
            )))
            .await;
        assert_eq!(response.status(), status, "{line}");
        assert_eq!(challenge(response.headers()), expected, "{line}");
        let answer = json_of(response).await;
        assert_eq!(answer["error"]["code"] == -32000, status != 200, "{line}: {answer}");
    }
}

#[tokio::test]
async fn a_tool_that_prints_its_request_does_not_print_the_token() {
    let scene = scene();
    let shows = Tool::new("shows", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        format!("{:?}", cx.extension::<http::request::Parts>())
    });
    scene.registry.add(shows).unwrap();
    let (_, answer) = scene.ask(with_token(call("shows", &json!({})), "base.hidden")).await;
    assert!(answer.contains("authorization") && !answer.contains("hidden"), "{answer}");
}

#[tokio::test]
async fn a_verifier_that_panics_is_answered_for() {
    let request = with_token(call("echo", &json!({})), "panics");
    let response = scene().send(request).await;
    assert_eq!((response.status().as_u16(), challenge(response.headers())), (503, ""));
    let answer = json_of(response).await;
    assert!(!answer.to_string().contains("a bug"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_verifier_that_never_returns_is_given_up() {
    let response = scene().send(with_token(call("echo", &json!({})), "never")).await;
    assert_eq!((response.status().as_u16(), challenge(response.headers())), (503, ""));
    assert!(json_of(response).await["error"]["message"].to_string().contains("too long"));
}

#[tokio::test]
async fn a_token_is_asked_for_before_all_but_the_source() {
    for (head, status) in [
        ("GET /mcp\nHost: evil.example.com", 403),
        ("GET /mcp\nHost: localhost", 401),
        ("DELETE /mcp\nHost: localhost", 401),
        ("POST /mcp\nHost: localhost\nContent-Type: text/plain", 401),
        ("GET /mcp\nHost: localhost\nAuthorization: Bearer base", 405),
        ("GET /mcp\nHost: localhost\nAuthorization: Bearer notes:write", 403),
    ] {
        assert_eq!(scene().send(raw(head)).await.status(), status, "{head}");
    }
}

#[tokio::test]
async fn a_call_needs_the_scopes_of_its_tool() {
    let scene = scene();
    let arguments = json!({});
    let by_header = || call("writes", &arguments);
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "writes", "arguments": {}}});
    let needed = format!("{WHERE}, error=\"insufficient_scope\", scope=\"base notes:write\"");
    for request in [by_header(), legacy(&body)] {
        let response = scene.send(with_token(request, "base")).await;
        assert_eq!(response.status(), 403);
        assert_eq!(challenge(response.headers()), needed);
        let answer = json_of(response).await;
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(message, "the token does not allow this: it needs base notes:write");
    }
    // What every request needs is not enough, and neither is the rest.
    let response = scene.send(with_token(by_header(), "notes:write")).await;
    assert_eq!((response.status().as_u16(), challenge(response.headers())), (403, &*needed));
    // A client without a token asks for all at once.
    let response = scene.send(by_header()).await;
    let expected = format!("{WHERE}, scope=\"base notes:write\"");
    assert_eq!((response.status().as_u16(), challenge(response.headers())), (401, &*expected));

    for request in [by_header(), legacy(&body)] {
        let response = scene.send(with_token(request, "base.notes:write")).await;
        assert_eq!(response.status(), 200);
        let answer = json_of(response).await;
        assert_eq!(answer["result"]["content"][0]["text"], "ann wrote");
    }
    // Another tool needs less, whatever a legacy client names in a header.
    let response = scene.send(with_token(call("echo", &arguments), "base")).await;
    assert_eq!(response.status(), 200);
}

/// Clients of 2025-11-25 ask for exactly what they are told, and would lose what they have.
#[tokio::test]
async fn a_client_that_needs_more_is_told_what_it_has_too() {
    let scene = scene();
    let reads = Tool::new("reads", "", json!({"type": "object"}), async |_: Value, _| "read");
    scene.registry.add(reads.with_scopes(["notes:read"])).unwrap();
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "writes", "arguments": {}}});
    for request in [call("writes", &json!({})), legacy(&body)] {
        let response = scene.send(with_token(request, "base.notes:read.mail")).await;
        assert_eq!(response.status(), 403);
        let scopes = "scope=\"base notes:write notes:read\"";
        let expected = format!("{WHERE}, error=\"insufficient_scope\", {scopes}");
        assert_eq!(challenge(response.headers()), expected);
        let answer = json_of(response).await;
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(message, "the token does not allow this: it needs base notes:write");
    }
}

#[tokio::test]
async fn no_spelling_of_a_call_evades_its_scopes() {
    for body in [
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"writes"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools\u002fcall","params":{"name":"writ\u0065s"}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","name":"writes"}}"#,
        r#"{"method":"ping","id":7,"jsonrpc":"2.0","params":{"n\u0061me":"writes"},"method":"tools/call"}"#,
        r#" [{"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"writes"}}]"#,
    ] {
        let request = raw(&format!(
            "POST /mcp\nHost: localhost\nContent-Type: application/json\n\
             MCP-Protocol-Version: 2025-03-26\n\n{body}"
        ));
        let response = scene().send(with_token(request, "base")).await;
        assert_eq!(response.status(), 403, "{body}");
        let answer = json_of(response).await;
        let id = if body.starts_with(' ') { Value::Null } else { json!(7) };
        assert_eq!(answer["id"], id, "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_in_a_batch_is_not_searched() {
    let deep = raw(&format!(
        "POST /mcp\nHost: localhost\nContent-Type: application/json\n\
         MCP-Protocol-Version: 2025-03-26\n\n{}",
        "[".repeat(1_000_000)
    ));
    assert_ne!(scene().send(with_token(deep, "base")).await.status(), 403);
}

#[tokio::test]
async fn the_metadata_is_public() {
    let scene = scene();
    for path in ["", "/mcp", "/", "/mcp/"] {
        let request = raw(&format!(
            "GET /.well-known/oauth-protected-resource{path}\nHost: notes.example.com\n\
             Origin: https://inspector.example.com"
        ));
        let response = scene.send(request).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["access-control-allow-origin"], "*");
        assert_eq!(
            json_of(response).await,
            json!({
                "resource": "https://notes.example.com/mcp",
                "authorization_servers": ["https://login.example.com"],
                "scopes_supported": ["base", "notes:write"],
                "bearer_methods_supported": ["header"],
            })
        );
    }
    let options = raw("OPTIONS /.well-known/oauth-protected-resource/mcp\nHost: localhost");
    let response = scene.send(options).await;
    assert_eq!(response.status(), 204);
    assert_eq!(response.headers()["access-control-allow-headers"], "*");
    let post = raw("POST /.well-known/oauth-protected-resource/mcp\nHost: localhost");
    assert_eq!(scene.send(post).await.status(), 405);
    let other = raw("GET /.well-known/oauth-protected-resource/other\nHost: localhost");
    assert_eq!(scene.send(other).await.status(), 401);
}

#[test]
fn the_url_of_a_server_is_checked() {
    for (url, resource) in [
        ("https://Notes.Example.com/MCP/", Some("https://notes.example.com/MCP")),
        ("http://localhost:8080/mcp", Some("http://localhost:8080/mcp")),
        ("https://notes.example.com", Some("https://notes.example.com")),
        ("notes.example.com/mcp", None),
        ("/mcp", None),
        ("ftp://notes.example.com/mcp", None),
        ("https://notes.example.com/mcp?a=b", None),
        ("https://notes.example.com/mcp#a", None),
        ("https://ann@notes.example.com/mcp", None),
        ("https://notes.example.com/\"", None),
        ("", None),
    ] {
        let auth = Auth::new(url, verdict).ok();
        assert_eq!(auth.map(|auth| auth.resource()).as_deref(), resource, "{url}");
    }
}
