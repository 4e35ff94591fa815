//! Many calls at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio::sync::Barrier;
use toolwright::testing::TestClient;
use toolwright::{Context, ToolRegistry, tool, tools};

const CALLS: usize = 1_000;

/// Waits until all calls are here.
#[tool]
async fn meet(number: usize, cx: &Context) -> Result<usize, &'static str> {
    let gate = cx.extension::<Arc<Barrier>>().ok_or("there is no gate")?;
    cx.progress(0.5, "waiting");
    gate.wait().await;
    Ok(number)
}

#[tool]
fn plain(number: usize) -> usize {
    number
}

#[tool]
async fn falls(number: usize) {
    std::panic::resume_unwind(Box::new(number));
}

#[test]
fn a_thousand_calls_run_at_once() {
    let registry = ToolRegistry::builder("toy")
        .tools(tools![meet])
        .extension(Arc::new(Barrier::new(CALLS)))
        .build()
        .unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    let calls: Vec<_> =
        (0..CALLS).map(|at| client.start_call("meet", json!({"number": at})).unwrap()).collect();
    // Answers are taken in another order than they were asked for.
    for (at, id) in calls.into_iter().enumerate().rev() {
        assert_eq!(client.finish_call(id).unwrap().to_text(), at.to_string());
    }
    assert_eq!(client.progress().unwrap().len(), CALLS);
    assert!(client.close().unwrap().success());
}

#[test]
fn a_storm_of_calls_of_every_kind_is_answered() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    struct Alive;

    impl Drop for Alive {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[tool]
    async fn hangs() {
        let _alive = Alive;
        std::future::pending::<()>().await;
    }

    let registry = ToolRegistry::builder("toy").tools(tools![plain, falls, hangs]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    let mut calls = Vec::new();
    for at in 0..CALLS {
        let tool = ["plain", "falls", "hangs", "unknown"][at % 4];
        let arguments = if tool == "hangs" { json!({}) } else { json!({"number": at}) };
        calls.push((at, tool, client.start_call(tool, arguments).unwrap()));
    }
    for (at, tool, id) in calls {
        match tool {
            "hangs" => client.cancel(id).unwrap(),
            "plain" => assert_eq!(client.finish_call(id).unwrap().to_text(), at.to_string()),
            _ => assert!(client.finish_call(id).is_err()),
        }
    }
    assert_eq!(DROPPED.load(Ordering::SeqCst), CALLS / 4);
    let left = client.request("ping", json!({})).unwrap();
    assert_eq!(left["result"], json!({}));
    client.end_input();
    assert_eq!(client.receive().unwrap(), None);
}
