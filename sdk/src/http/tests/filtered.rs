//! Each token has its tools.

use http::Request;
use serde_json::{Value, json};

use super::scene::{Scene, legacy, modern};
use crate::http::{Auth, AuthError, Caller};

/// The token is the scopes.
async fn verify(token: String) -> Result<Caller, AuthError> {
    Ok(Caller::new("ann").scopes(token.split('.')))
}

/// A server that shows the tools that a token allows.
fn scene() -> Scene {
    Scene::of(
        |registry| {
            registry.tool_filter(|tool, cx| {
                tool.scopes().iter().all(|scope| cx.caller().is_some_and(|it| it.may(scope)))
            })
        },
        |options| {
            options.auth = Some(Auth::new("https://notes.example.com/mcp", verify).unwrap());
        },
    )
}

fn with_token(mut request: Request<String>, token: &str) -> Request<String> {
    let value = format!("Bearer {token}").parse().unwrap();
    request.headers_mut().insert("authorization", value);
    request
}

#[tokio::test]
async fn a_token_sees_the_tools_that_it_allows() {
    let scene = scene();
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let modern: fn(&Value) -> Request<String> = |_| modern("tools/list", None, &json!({}));
    for request in [modern, legacy] {
        for (token, is_there) in [("notes:read", false), ("notes:read.notes:write", true)] {
            let (status, answer) = scene.ask(with_token(request(&list), token)).await;
            let answer: Value = serde_json::from_str(&answer).unwrap();
            let tools = answer["result"]["tools"].as_array().unwrap();
            let has = |name: &str| tools.iter().any(|tool| tool["name"] == name);
            assert_eq!((status, has("echo"), has("writes")), (200, true, is_there), "{token}");
        }
    }
}
