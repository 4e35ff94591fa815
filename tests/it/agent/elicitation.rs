//! Questions of MCP servers to the user.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio::sync::{Barrier, mpsc};
use toolwright::agent::elicitation::ElicitationKind;
use toolwright::agent::options::McpServer;
use toolwright::agent::{AgentClient, HookMatcher, HookOutput};
use toolwright::testing::Reply;
use toolwright::{Context, Value};

use super::calc;
use super::log::Log;
use super::scene::{Scene, say, turn, within};

/// A server whose tools ask, and return what they are answered. It speaks 2025-11-25.
const SHOP: &str = r#"
while IFS= read -r line; do
    id=${line##*'"id":'} id=${id%%[,\}]*}
    case $line in
    *'"method":"initialize"'*) reply='"result":{"protocolVersion":"2025-11-25",
        "capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}' ;;
    *'"method":"tools/list"'*) reply='"result":{"tools":[
        {"name":"order","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
        {"name":"pay","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}' ;;
    *'"method":"tools/call"'*'"name":"order"'*) id=\"of-$id\"
        reply='"method":"elicitation/create","params":{"message":"Who are you?",
        "requestedSchema":{"type":"object","properties":{
        "name":{"type":"string"},"age":{"type":"integer"}}},
        "_meta":{"anthropic/permissionDisplay":{"title":"Your name"}}}' ;;
    *'"method":"tools/call"'*) id=\"of-$id\"
        reply='"method":"elicitation/create","params":{"mode":"url","message":"Pay, please.",
        "url":"https://shop.example/pay","elicitationId":"e1"}' ;;
    *'"method":"notifications/'*) continue ;;
    *'"method":'*) reply='"error":{"code":-32601,"message":"there is no such method"}' ;;
    *) id=${id#'"of-'} id=${id%'"'} answer=${line#*'"result":'}
        reply='"result":{"content":[],"structuredContent":'${answer%',"jsonrpc"'*}'}' ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$(printf %s "$reply" | tr '\n' ' ')"
done
"#;

#[tokio::test]
async fn the_questions_of_a_server_are_answered_and_withdrawn() {
    let Some(scene) = Scene::open().await else { return };
    let asked = Log::new();
    let (events, mut heard) = mpsc::unbounded_channel();
    let mut client = {
        let (log, both, count) =
            (asked.clone(), Arc::new(Barrier::new(2)), Arc::new(AtomicUsize::new(0)));
        let options = scene.options().on_elicitation(move |question| {
            log.note(question.clone());
            let (at, both) = (count.fetch_add(1, Ordering::Relaxed), both.clone());
            let guard = Guard(events.clone());
            async move {
                match at {
                    // Each is answered once both are asked.
                    0 | 1 => {
                        both.wait().await;
                        question.accept(json!({"name": "Ann", "age": "not told"}))
                    }
                    2 => question.decline(),
                    3 => panic!("a panic that the test asked for"),
                    _ => {
                        guard.0.send("began").unwrap();
                        let _guard = guard;
                        pending().await
                    }
                }
            }
        });
        let server = McpServer::stdio("shop", "/bin/sh").args(["-c", SHOP]);
        let sure = calc::reader("sure", async |_: Value, cx: Context| cx.confirm("Sure?").await);
        let options = options.mcp_server(server).mcp_server(calc::with([sure]));
        let options = options.allowed_tools(["mcp__shop__*", "mcp__calc__*"]).build().unwrap();
        AgentClient::connect(options).await.unwrap()
    };

    let calls = Reply::new().call("mcp__shop__order", json!({})).call("mcp__shop__pay", json!({}));
    scene.model.reply(calls).say("Paid.");
    say(&mut client, "Order and pay.").await;
    for end in ["declined", "cancelled"] {
        scene.model.call("mcp__shop__order", json!({})).say(end);
        say(&mut client, "Order.").await;
    }
    let mut results: Vec<_> = scene.results().into_iter().map(|result| result.text).collect();
    // Of calls that run at the same time the first result is that of the first to end.
    results[..2].sort_by_key(|result| !result.contains("content"));
    assert_eq!(
        results,
        [
            r#"{"action":"accept","content":{"name":"Ann","age":"not told"}}"#,
            r#"{"action":"accept"}"#,
            r#"{"action":"decline"}"#,
            r#"{"action":"cancel"}"#,
        ]
    );
    let asked = asked.take();
    assert_eq!(asked.len(), 4);
    let form = asked.iter().find(|question| question.message == "Who are you?").unwrap();
    assert_eq!((form.mcp_server_name.as_str(), form.title.as_deref()), ("shop", Some("Your name")));
    let ElicitationKind::Form { requested_schema, property_order, .. } = &form.kind else {
        panic!("{form:?}");
    };
    assert_eq!(property_order, &["name", "age"]);
    assert_eq!(requested_schema.to_value()["properties"]["age"]["type"], "integer");
    let page = asked.iter().find_map(|question| match &question.kind {
        ElicitationKind::Url { url, elicitation_id, .. } => Some((url, elicitation_id)),
        _ => None,
    });
    assert_eq!(page, Some((&"https://shop.example/pay".into(), &Some("e1".into()))));

    while heard.try_recv().is_ok() {}
    for tool in ["mcp__shop__order", "mcp__calc__sure"] {
        scene.model.call(tool, json!({}));
        client.query("Ask.").await.unwrap();
        assert_eq!(within(heard.recv()).await, Some("began"));
        within(client.interrupt()).await.unwrap();
        assert_eq!(within(heard.recv()).await, Some("dropped"));
        assert_eq!(turn(&mut client).await.result().subtype, "error_during_execution");
    }
    within(client.close()).await;
}

#[tokio::test]
async fn hooks_answer_before_the_callback_and_change_its_answers() {
    let Some(scene) = Scene::open().await else { return };
    let asked = Log::new();
    let log = asked.clone();
    let options = scene.options().on_elicitation(async move |question| {
        log.note(question.message.clone());
        question.agree()
    });
    let options = options
        .hook(HookMatcher::elicitation(), async |input, _| match input.message.as_str() {
            "Who are you?" => HookOutput::default().accept(json!({"name": "Ann"})),
            _ => HookOutput::default(),
        })
        .hook(HookMatcher::elicitation_result(), async |_, _| HookOutput::default().decline());
    let options = options.mcp_server(McpServer::stdio("shop", "/bin/sh").args(["-c", SHOP]));
    let options = options.allowed_tools(["mcp__shop__*"]).build().unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    scene.model.call("mcp__shop__order", json!({})).call("mcp__shop__pay", json!({})).say("Paid.");
    say(&mut client, "Order, then pay.").await;
    let results: Vec<_> = scene.results().into_iter().map(|result| result.text).collect();
    assert_eq!(
        results,
        [r#"{"action":"accept","content":{"name":"Ann"}}"#, r#"{"action":"decline"}"#]
    );
    assert_eq!(asked.one(), "Pay, please.");
    within(client.close()).await;
}

/// Tells when it is dropped.
struct Guard(mpsc::UnboundedSender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}
