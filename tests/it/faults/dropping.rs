//! Everything can be dropped at any time, and then nothing is left running.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{
    AgentClient, AgentOptions, ControlError, Handle, HookContext, HookOutput, query,
};
use toolwright::{Json, ToolRegistry, tool, tools};

use super::fake::Fake;
use super::{Heard, SHORT, TOO_LONG, call, hook, result, says, within};

fn hasty(fake: &Fake) -> AgentOptions {
    fake.options().close_grace(SHORT).terminate_grace(SHORT).build().unwrap()
}

/// Never comes back.
#[tool]
async fn hang() -> Json<()> {
    std::future::pending().await
}

#[tokio::test]
async fn a_connecting_that_is_dropped_leaves_nothing() {
    for fake in [
        Fake::new().then("sleep"),
        Fake::new().with("control", "initialize").then("sleep"),
        Fake::new()
            .with("control", "initialize")
            .asks("m", super::rpc("calc", json!({"jsonrpc": "2.0", "id": 0, "method": "ping"})))
            .then("sleep"),
    ] {
        let registry = ToolRegistry::builder("calc").build().unwrap();
        let options = fake
            .options()
            .mcp_server(registry)
            .close_grace(SHORT)
            .terminate_grace(SHORT)
            .build()
            .unwrap();
        let connecting = tokio::time::timeout(TOO_LONG, AgentClient::connect(options));
        tokio::select! {
            biased;
            _ = connecting => panic!("it is ready"),
            () = fake.is_there() => {}
        }
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_query_that_is_polled_once_leaves_nothing() {
    let fake = Fake::initialized();
    {
        let mut starting = pin!(query("Go.", hasty(&fake)));
        std::future::poll_fn(|cx| {
            assert!(starting.as_mut().poll(cx).is_pending());
            std::task::Poll::Ready(())
        })
        .await;
    }
    fake.is_gone().await;
}

#[tokio::test]
async fn a_run_that_is_dropped_leaves_nothing() {
    let never = Fake::initialized().then("sleep");
    drop(within(query("Go.", hasty(&never))).await.unwrap());
    never.is_gone().await;

    let in_a_turn = Fake::initialized().then("user").say(says("a")).say(says("b")).then("sleep");
    let mut run = within(query("Go.", hasty(&in_a_turn))).await.unwrap();
    assert!(within(run.next()).await.unwrap().is_ok());
    drop(run);
    in_a_turn.is_gone().await;
}

#[tokio::test]
async fn a_run_that_is_dropped_closes_the_input_at_once() {
    // The graces are so long that only the end of the input can be what ends it.
    let fake = Fake::initialized().then("user").say(says("a"));
    let options = fake
        .options()
        .mcp_server(ToolRegistry::builder("calc").build().unwrap())
        .close_grace(10 * TOO_LONG)
        .build()
        .unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    assert!(within(run.next()).await.unwrap().is_ok());
    drop(run);
    fake.is_gone().await;
}

#[tokio::test]
async fn a_client_that_is_dropped_leaves_nothing_and_its_handles_know() {
    let fake = Fake::initialized().with("control", "set_model").then("sleep");
    let client = within(AgentClient::connect(hasty(&fake))).await.unwrap();
    let handle = client.handle();
    let request = tokio::spawn({
        let handle = handle.clone();
        async move { handle.set_model(None).await }
    });
    tokio::task::yield_now().await;
    drop(client);
    assert!(matches!(within(request).await.unwrap(), Err(ControlError::Closed { .. })));
    assert!(matches!(within(handle.interrupt()).await, Err(ControlError::Closed { .. })));
    fake.is_gone().await;
    assert!(handle.exit().is_some());
}

#[tokio::test]
async fn a_close_that_is_dropped_goes_on() {
    let fake = Fake::initialized().then("sleep");
    let client = within(AgentClient::connect(hasty(&fake))).await.unwrap();
    assert!(tokio::time::timeout(Duration::ZERO, client.close()).await.is_err());
    fake.is_gone().await;
}

#[tokio::test]
async fn a_request_that_is_dropped_is_withdrawn() {
    let fake = Fake::initialized()
        .with("control", "set_model")
        .say(says("got it"))
        .with("hears", "control_cancel_request")
        .with("reply", json!({}))
        .then("user")
        .then("report")
        .say(result());
    let mut client = fake.connect().await;
    let handle = client.handle();
    let mut messages = client.messages();
    tokio::select! {
        biased;
        answer = handle.set_model(None) => panic!("{answer:?}"),
        _ = messages.next() => {}
    }
    client.query("Go.").await.unwrap();
    let report = Heard::of_turn(&mut client).await.report();
    let cancelled = report.of_type("control_cancel_request");
    assert!(matches!(cancelled[..], [cancel] if cancel["request_id"] == "req_2"), "{report:?}");
    within(client.close()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_read_that_is_dropped_loses_nothing() {
    let fake = Fake::initialized()
        .then("user")
        .with("repeat", json!([1_000, "{\"type\":\"tick\",\"n\":{n}}"]))
        .say(result());
    let mut run = fake.query().await;
    let mut read = 0;
    while read < 1_000 {
        match tokio::time::timeout(Duration::ZERO, run.next()).await {
            Err(_) => tokio::task::yield_now().await,
            Ok(message) => {
                assert!(message.unwrap().unwrap().raw().ends_with(&format!(":{read}}}")));
                read += 1;
            }
        }
    }
    assert_eq!(Heard::of(&mut run).await.results().len(), 1);
}

#[tokio::test]
async fn callbacks_that_run_are_dropped_with_the_run() {
    /// Says that it was dropped.
    struct Witness(Arc<Notify>);
    impl Drop for Witness {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let (begun, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let fake = Fake::initialized()
        .then("user")
        .ask("h", hook(0))
        .ask("c", call("calc", 1, "hang", json!({})))
        .then("sleep");
    let (begins, drops) = (begun.clone(), dropped.clone());
    let options = fake
        .options()
        .mcp_server(ToolRegistry::builder("calc").tools(tools![hang]).build().unwrap())
        .hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
            let witness = Witness(drops.clone());
            begins.notify_one();
            async move {
                std::future::pending::<()>().await;
                drop(witness);
                HookOutput::default()
            }
        })
        .close_grace(SHORT)
        .terminate_grace(SHORT);
    let run = within(query("Go.", options.build().unwrap())).await.unwrap();
    within(begun.notified()).await;
    drop(run);
    within(dropped.notified()).await;
    fake.is_gone().await;
}

#[tokio::test]
async fn a_callback_that_has_a_handle_of_its_run_does_not_outlive_it() {
    let fake = Fake::initialized().turn([says("hi")]);
    let slot = Arc::new(std::sync::OnceLock::<Handle>::new());
    let (weak, inside) = (Arc::downgrade(&slot), slot.clone());
    let tool_slot = slot.clone();
    let tool = toolwright::Tool::new(
        "t",
        "t",
        json!({"type": "object"}),
        move |_: toolwright::Value, _: toolwright::Context| {
            let known = tool_slot.get().is_some();
            async move { known }
        },
    );
    let registry = ToolRegistry::builder("calc").tool(tool).build().unwrap();
    let options = fake.options().mcp_server(registry).hook(
        HookMatcher::pre_tool_use("*"),
        move |_, _: HookContext| {
            let known = inside.get().is_some();
            async move { HookOutput::default().with("known", known) }
        },
    );
    let client = within(AgentClient::connect(options.build().unwrap())).await.unwrap();
    assert!(slot.set(client.handle()).is_ok());
    drop(slot);
    within(client.close()).await;
    fake.is_gone().await;
    assert_eq!(weak.strong_count(), 0, "the run, the callbacks and the handle keep each other");
}
