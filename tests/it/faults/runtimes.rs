//! Runtimes that end before the runs in them.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

use serde_json::json;
use tokio::runtime::Builder;
use toolwright::agent::{AgentClient, AgentOptions, ConnectError, ControlError, query};
use toolwright::{Json, ToolRegistry, tool, tools};

use super::fake::Fake;
use super::{Heard, SHORT, call, says, within};

/// Never comes back.
#[tool]
async fn hang() -> Json<()> {
    std::future::pending().await
}

#[test]
fn a_runtime_that_is_shut_down_leaves_nothing() {
    let fakes = [
        Fake::initialized().then("sleep"),
        Fake::new().then("ignore_sigterm").initialize(json!({})).then("sleep"),
        Fake::initialized().then("user").ask("c", call("calc", 1, "hang", json!({}))).then("sleep"),
    ];
    for fake in fakes {
        let registry = ToolRegistry::builder("calc").tools(tools![hang]).build().unwrap();
        let options = fake
            .options()
            .mcp_server(registry)
            .close_grace(SHORT)
            .terminate_grace(SHORT)
            .build()
            .unwrap();
        let first = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let mut client = first.block_on(within(AgentClient::connect(options))).unwrap();
        let handle = client.handle();
        first.block_on(client.query("Go.")).unwrap();
        let waiting = first.spawn(async move { handle.mcp_status().await });
        first.shutdown_background();
        drop(waiting);
        let second = Builder::new_current_thread().enable_all().build().unwrap();
        second.block_on(async {
            fake.is_gone().await;
            let heard = Heard::of_turn(&mut client).await;
            assert!(heard.error.is_some(), "who still waits is told: {heard:?}");
            assert!(matches!(within(client.mcp_status()).await, Err(ControlError::Closed { .. })));
            within(client.close()).await;
        });
    }
}

#[test]
fn a_runtime_that_ends_with_its_thread_leaves_nothing() {
    let fake = Fake::initialized().then("user").say(says("a")).then("sleep");
    let options = fake.options().close_grace(SHORT).terminate_grace(SHORT).build().unwrap();
    let thread = thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut run = within(query("Go.", options)).await.unwrap();
            assert!(within(run.next()).await.unwrap().is_ok());
        });
    });
    thread.join().unwrap();
    Builder::new_current_thread().enable_all().build().unwrap().block_on(fake.is_gone());
}

#[test]
fn a_runtime_that_lacks_something_is_an_error_that_says_so() {
    let builders = [
        (Builder::new_current_thread().enable_io().build(), "enable_time"),
        (Builder::new_current_thread().enable_time().build(), "enable_io"),
        (Builder::new_current_thread().build(), "enable_"),
    ];
    for (runtime, missing) in builders {
        let fake = Fake::initialized().then("sleep");
        let options = fake.options().build().unwrap();
        let runtime = runtime.unwrap();
        let errors = [
            runtime.block_on(AgentClient::connect(options.clone())).map(drop).unwrap_err(),
            runtime.block_on(query("Go.", options)).map(drop).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, ConnectError::Runtime { .. }), "{error:?}");
            assert!(error.to_string().contains(missing), "{error}");
        }
    }
    let connect = AgentClient::connect(AgentOptions::default());
    let mut cx = Context::from_waker(Waker::noop());
    let Poll::Ready(Err(error)) = pin!(connect).as_mut().poll(&mut cx) else { panic!() };
    assert!(matches!(error, ConnectError::Runtime { .. }), "{error:?}");
}

fn hasty(fake: &Fake) -> AgentOptions {
    fake.options().close_grace(SHORT).terminate_grace(SHORT).build().unwrap()
}

#[test]
fn a_run_that_is_dropped_around_the_shutdown_of_its_runtime_leaves_nothing() {
    let stubborn = || Fake::new().then("ignore_sigterm").initialize(json!({})).then("sleep");
    let test = Builder::new_current_thread().enable_all().build().unwrap();
    for is_first in [true, false] {
        let fake = stubborn();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(within(AgentClient::connect(hasty(&fake)))).unwrap();
        if is_first {
            drop(client);
            runtime.shutdown_background();
        } else {
            runtime.shutdown_background();
            drop(client);
        }
        test.block_on(fake.is_gone());
    }
    let fake = stubborn();
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let client = runtime.block_on(within(AgentClient::connect(hasty(&fake)))).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| drop(client));
        runtime.shutdown_background();
    });
    test.block_on(fake.is_gone());
}

#[test]
fn a_run_that_is_dropped_while_its_runtime_does_not_run_leaves_nothing() {
    let fake = Fake::initialized().then("sleep");
    let idle = Builder::new_current_thread().enable_all().build().unwrap();
    let client = idle.block_on(within(AgentClient::connect(hasty(&fake)))).unwrap();
    drop(client);
    Builder::new_current_thread().enable_all().build().unwrap().block_on(fake.is_gone());
    drop(idle);
}
