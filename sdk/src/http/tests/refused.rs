//! What those learn whose requests are refused.

use serde_json::{Value, json};

use super::scene::{MODERN, Scene, legacy};
use crate::Eras;

#[tokio::test]
async fn a_client_learns_what_is_wrong_with_its_message() {
    let scene = Scene::new(|_| {});
    for (message, fault) in [
        (json!({"jsonrpc": "2.0", "id": null, "method": "ping"}), "`id` must be"),
        (json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}), "`id` must be"),
        (json!({}), "`jsonrpc` must be"),
        (json!(17), "the body must be an object"),
    ] {
        let (status, text) = scene.ask(legacy(&message)).await;
        assert!(status == 400 && text.contains(fault), "{message}: {text}");
    }
}

#[tokio::test]
async fn a_client_that_begins_a_handshake_learns_the_versions_of_a_modern_server() {
    let initialize = |version: &'static str| {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"}});
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params});
        let mut request = legacy(&message);
        request.headers_mut().remove("mcp-protocol-version");
        if !version.is_empty() {
            request.headers_mut().insert("mcp-protocol-version", version.parse().unwrap());
        }
        request
    };
    let error = |(status, text): (u16, String)| {
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, &answer["id"]), (400, &json!(7)), "{text}");
        answer["error"].clone()
    };
    let scene = Scene::of(|registry| registry.eras(Eras::Modern), |_| {});
    for version in ["", "2025-06-18", MODERN] {
        let error = error(scene.ask(initialize(version)).await);
        let data = json!({"supported": [MODERN], "requested": "2025-06-18"});
        assert_eq!((&error["code"], &error["data"]), (&json!(-32022), &data), "{version}");
    }
    // A server of both eras takes the header at its word.
    let error = error(Scene::new(|_| {}).ask(initialize(MODERN)).await);
    assert_eq!(error["code"], json!(-32602));
}
