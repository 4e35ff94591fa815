//! Questions to the client.

use std::sync::{Arc, Mutex};

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::{Context, Tool, ToolRegistry};

use super::harness::World;
use super::toys::Toys;

const PARAMS: &[u8] = br#""message":"Who?","requestedSchema":{"type":"object","properties":{}}"#;

/// A tool that asks who the user is, and how often it was asked and answered.
fn host(log: &Arc<Mutex<Vec<String>>>) -> World {
    let log = log.clone();
    let ask = Tool::new("ask", "", json!({"type": "object"}), move |_: Value, cx: Context| {
        let log = log.clone();
        async move {
            let mut params = |out: &mut Vec<u8>| out.extend_from_slice(PARAMS);
            let answer = cx.ask("elicitation/create", &mut params).await;
            log.lock().unwrap().push(format!("{answer:?}"));
            match answer {
                Ok(answer) => Ok(answer.into_string()),
                Err(error) => Err(error),
            }
        }
    });
    let registry = ToolRegistry::builder("toy").version("1").tool(ask).build().unwrap();
    World::serving(registry, Arc::new(Toys::default()))
}

fn check(script: &str, said: expect_test::Expect, logged: &[&str]) {
    let log = Arc::default();
    let mut world = host(&log);
    said.assert_eq(&world.play(script));
    drop(world);
    assert_eq!(*log.lock().unwrap(), logged);
}

#[test]
fn an_answer_goes_to_the_call_that_has_asked() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           legacy "b" tools/call {"name":"ask"}
           {"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}
           {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"{\"action\":\"accept\"}"}]}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"action\":\"decline\"}"}]}}
        "#]],
        &[r#"Ok("{\"action\":\"accept\"}")"#, r#"Ok("{\"action\":\"decline\"}")"#],
    );
}

#[test]
fn an_error_of_the_client_is_one_of_the_question() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"User rejected"}}
           {"jsonrpc":"2.0","id":1,"result":{}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the client refused: User rejected (-1)"}],"isError":true}}
            -
        "#]],
        &[r#"Err(Refused(ErrorObject { code: -1, message: "User rejected", data: None }))"#],
    );
}

#[test]
fn a_question_is_withdrawn_when_its_call_ends() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           note notifications/cancelled {"requestId":1}
           {"jsonrpc":"2.0","id":1,"result":{}}
           legacy 2 tools/call {"name":"ask"}
           time out 2
           legacy 3 tools/call {"name":"ask"}
           cancel 3
           legacy 4 tools/call {"name":"ask"}
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
            -
            {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The tool `ask` was stopped: it did not finish within 0ns."}],"isError":true}}
            {"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
            {"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"The tool `ask` was stopped: the server is shutting down."}],"isError":true}}
        "#]],
        &[],
    );
}

#[test]
fn a_revision_without_server_requests_cannot_be_asked() {
    check(
        r#"modern 1 tools/call {"name":"ask"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"the client cannot be asked"}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
        &["Err(Unsupported)"],
    );
}
