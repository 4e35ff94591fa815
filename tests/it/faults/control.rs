//! Control requests that are not as they should be.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio::sync::Semaphore;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{
    AgentOptionsBuilder, HookContext, HookOutput, Permission, PermissionRequest, query,
};
use toolwright::{ToolRegistry, tool, tools};

use super::fake::Fake;
use super::{Heard, Report, call, can_use_tool, hook, result, rpc, within};

/// Add two numbers.
#[tool(read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Options with one of each that the CLI can ask for.
fn with_all(options: AgentOptionsBuilder) -> AgentOptionsBuilder {
    options
        .mcp_server(ToolRegistry::builder("calc").tools(tools![add]).build().unwrap())
        .can_use_tool(|_: PermissionRequest| async { Permission::allow() })
        .hook(HookMatcher::pre_tool_use("*"), |_, _: HookContext| async { HookOutput::default() })
}

/// What the fake heard in a turn in which it said and asked these things.
async fn report(steps: impl FnOnce(Fake) -> Fake) -> Report {
    let fake = steps(Fake::initialized().then("user")).then("report").say(result());
    let mut run = within(query("Go.", with_all(fake.options()).build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert_eq!(heard.results().len(), 1, "{heard:?}");
    assert!(heard.error.is_none(), "{heard:?}");
    fake.is_gone().await;
    heard.report()
}

#[tokio::test]
async fn control_messages_without_an_id_are_passed_over() {
    let lines = [
        json!({"type": "control_request"}),
        json!({"type": "control_request", "request_id": 7, "request": {"subtype": "can_use_tool"}}),
        json!({"type": "control_request", "request": {"subtype": "hook_callback"}}),
        json!({"type": "control_response"}),
        json!({"type": "control_response", "response": 5}),
        json!({"type": "control_response", "response": {"subtype": "success"}}),
        json!({"type": "control_cancel_request"}),
        json!({"type": "control_cancel_request", "request_id": null}),
        json!({"type": "control_cancel_request", "request_id": "of nobody"}),
        json!({"type": "control_response", "response": {"subtype": "success", "request_id": "of nobody", "response": {}}}),
        json!({"type": "control_response", "response": {"subtype": "success", "request_id": "req_1", "response": {}}}),
    ];
    let report = report(|fake| lines.into_iter().fold(fake, Fake::say).asks("h", hook(0))).await;
    assert_eq!(
        report.of_type("control_response").len(),
        2,
        "that of the server's initialize and that of the hook: {report:?}"
    );
}

#[tokio::test]
async fn requests_that_cannot_be_read_are_refused_by_their_id() {
    let requests = [
        json!(5),
        json!("can_use_tool"),
        json!(null),
        json!([]),
        json!({}),
        json!({"subtype": 5}),
        json!({"subtype": "hook_callback"}),
        json!({"subtype": "hook_callback", "callback_id": 5}),
        json!({"subtype": "hook_callback", "callback_id": "hook_9"}),
        json!({"subtype": "mcp_message"}),
        json!({"subtype": "mcp_message", "server_name": "calc"}),
        json!({"subtype": "mcp_message", "server_name": "nobody", "message": {}}),
        json!({"subtype": "can_use_tool"}),
        json!({"subtype": "can_use_tool", "tool_name": 5, "input": {}}),
        json!({"subtype": "can_use_tool", "tool_name": "Bash"}),
        json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": "rm"}),
        json!({"subtype": "levitate"}),
    ];
    let ids: Vec<_> = (0..requests.len()).map(|at| format!("r{at}")).collect();
    let report = report(|fake| {
        let fake = ids.iter().zip(&requests).fold(fake, |fake, (id, request)| fake.ask(id, request.clone()));
        let fake = fake.say(json!({"type": "control_request", "request_id": "without"}));
        fake.text("{\"type\":\"control_request\",\"request_id\":\"torn\",\"request\":{\"subtype\":\"can_use\n")
            .with("answers", ids.clone())
            .with("answers", json!(["without", "torn"]))
    })
    .await;
    for id in ids.iter().map(String::as_str).chain(["without", "torn"]) {
        assert_eq!(report.answer(id)["subtype"], "error", "{id}");
        assert!(report.answer(id)["error"].as_str().is_some_and(|error| !error.is_empty()), "{id}");
    }
    let unknown = report.answer(ids.last().unwrap());
    assert_eq!(
        (&unknown["error"], &unknown["error_code"]),
        (&json!("Unsupported control request subtype: levitate"), &json!("unsupported_request"))
    );
}

#[tokio::test]
async fn some_requests_are_for_others_to_answer() {
    let report = report(|fake| {
        let fake = fake
            .ask("d", json!({"subtype": "request_user_dialog", "dialog_kind": "x", "payload": {}}));
        fake.ask("t", json!({"subtype": "remote_tool_call"}))
            .asks("e", json!({"subtype": "elicitation", "message": "Who?"}))
            .asks("h", hook(0))
    })
    .await;
    assert_eq!((report.answers("d").len(), report.answers("t").len()), (0, 0));
    assert_eq!(report.answer("e")["response"], json!({"action": "cancel"}));
}

#[tokio::test]
async fn a_request_without_anybody_to_answer_it_is_refused() {
    let fake = Fake::initialized()
        .then("user")
        .asks("p", can_use_tool("Bash", json!({})))
        .asks("h", hook(0))
        .then("report")
        .say(result());
    let mut client = fake.connect().await;
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    assert_eq!(report.answer("p")["error"], "canUseTool callback is not provided");
    assert_eq!(report.answer("h")["subtype"], "error");
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn the_same_request_is_answered_once_while_it_runs() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    // Closed once the repetitions are there, as lines are read in their order.
    let gate = Arc::new(Semaphore::new(0));
    let opened = gate.clone();
    let bad = json!({"type": "control_request", "request_id": "twice", "request": 5});
    let fake = Fake::initialized()
        .then("user")
        .ask("twice", hook(0))
        .ask("twice", hook(0))
        .say(bad)
        .ask("twice", json!({"subtype": "levitate"}))
        .ask("open", hook(1))
        .with("answers", json!(["twice"]))
        .asks("twice", hook(0))
        .asks("barrier", hook(0))
        .then("report")
        .say(result());
    let options = fake.options().hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
        let (counted, gate) = (counted.clone(), gate.clone());
        async move {
            gate.acquire().await.unwrap_err();
            counted.fetch_add(1, Ordering::Relaxed);
            HookOutput::default()
        }
    });
    let options = options.hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
        opened.close();
        async { HookOutput::default() }
    });
    let report = Heard::of(&mut within(query("Go.", options.build().unwrap())).await.unwrap())
        .await
        .report();
    let answers = report.answers("twice");
    assert_eq!(answers.len(), 2, "one each time: {answers:?}");
    assert!(answers.iter().all(|answer| answer["subtype"] == "success"), "{answers:?}");
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn broken_messages_to_a_server_are_acknowledged_or_answered() {
    let messages = [
        (json!(5), None),
        (json!("x"), None),
        (json!([]), Some(-32600)),
        (json!({}), None),
        (json!({"jsonrpc": "2.0", "id": 1}), Some(-32600)),
        (json!({"jsonrpc": "2.0", "id": 2, "method": 5}), Some(-32600)),
        (json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": 5}), Some(-32602)),
        (json!({"jsonrpc": "2.0", "id": 4, "method": "levitate"}), Some(-32601)),
        (json!({"jsonrpc": "2.0", "method": "notifications/levitated"}), None),
        (json!({"jsonrpc": "2.0", "id": 5, "result": {}}), None),
    ];
    let report = report(|fake| {
        let fake = messages.iter().enumerate().fold(fake, |fake, (at, (message, _))| {
            fake.asks(&format!("m{at}"), rpc("calc", message.clone()))
        });
        fake.asks("c", call("calc", 9, "add", json!({"a": 1, "b": 2})))
    })
    .await;
    for (at, (message, code)) in messages.iter().enumerate() {
        let answer = report.answer(&format!("m{at}"));
        assert_eq!(answer["subtype"], "success", "{message}: {answer}");
        let answer = &answer["response"]["mcp_response"];
        assert_eq!(answer["jsonrpc"], "2.0", "{message}: {answer}");
        match code {
            Some(code) => assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&message["id"], &json!(code)),
                "{message}: {answer}"
            ),
            None => assert_eq!(answer["result"], json!({}), "{message}: {answer}"),
        }
    }
    assert_eq!(report.answer("c")["response"]["mcp_response"]["result"]["content"][0]["text"], "3");
}
