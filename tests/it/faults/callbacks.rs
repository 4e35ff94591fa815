//! Callbacks that panic, wait, or are no longer wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio::sync::{Barrier, Notify, mpsc};
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{HookContext, HookOutput, Permission, PermissionRequest, query};
use toolwright::{ToolRegistry, tool, tools};

use super::fake::Fake;
use super::{Heard, call, can_use_tool, hook, result, within};

/// Panics before it waits for anything.
#[tool]
async fn boom() -> String {
    panic!("a bug")
}

/// Panics on a thread.
#[tool]
fn bang() -> String {
    panic!("a bug")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_callback_that_blocks_its_thread_does_not_hold_up_another() {
    let fake = Fake::initialized()
        .then("user")
        .ask("a", hook(0))
        .ask("b", hook(0))
        .with("answers", vec!["a", "b"])
        .then("report")
        .say(result());
    let arrived = Arc::new((Mutex::new(0), Condvar::new()));
    let options = fake.options().hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
        let arrived = arrived.clone();
        async move {
            let (count, changed) = &*arrived;
            let mut count = count.lock().unwrap();
            *count += 1;
            changed.notify_all();
            let limit = Duration::from_secs(20);
            let (count, _) = changed.wait_timeout_while(count, limit, |count| *count < 2).unwrap();
            assert_eq!(*count, 2, "the other one has not begun");
            HookOutput::default()
        }
    });
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    let report = heard.report();
    for id in ["a", "b"] {
        assert_eq!(report.answer(id)["subtype"], "success", "{heard:?}");
    }
}

#[tokio::test]
async fn a_panic_in_a_callback_is_an_answer() {
    let mut fake = Fake::initialized().then("user");
    // Twice, as the first panic must not have broken anything.
    for round in 0..2 {
        fake = fake
            .ask(&format!("early{round}"), hook(0))
            .ask(&format!("late{round}"), hook(1))
            .ask(&format!("permission{round}"), can_use_tool("Bash", json!({})))
            .ask(&format!("boom{round}"), call("calc", 2 * round, "boom", json!({})))
            .ask(&format!("bang{round}"), call("calc", 2 * round + 1, "bang", json!({})))
            .with(
                "answers",
                ["early", "late", "permission", "boom", "bang"]
                    .map(|id| format!("{id}{round}"))
                    .to_vec(),
            );
    }
    let fake = fake.then("report").say(result());
    let options = fake
        .options()
        .mcp_server(ToolRegistry::builder("calc").tools(tools![boom, bang]).build().unwrap())
        .can_use_tool(|request: PermissionRequest| async move {
            assert_ne!(request.tool_name, "Bash", "a bug");
            Permission::allow()
        })
        .hook(HookMatcher::pre_tool_use("*"), |input, _: HookContext| {
            assert_ne!(input.tool_name, "Bash", "a bug");
            async { HookOutput::default() }
        })
        .hook(HookMatcher::pre_tool_use("*"), |input, _: HookContext| async move {
            tokio::task::yield_now().await;
            assert_ne!(input.tool_name, "Bash", "a bug");
            HookOutput::default()
        });
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert!(heard.error.is_none(), "{heard:?}");
    let report = heard.report();
    for round in 0..2 {
        for id in ["early", "late", "permission"] {
            assert_eq!(report.answer(&format!("{id}{round}"))["subtype"], "error", "{id}");
        }
        for id in ["boom", "bang"] {
            assert_eq!(
                report.answer(&format!("{id}{round}"))["response"]["mcp_response"]["result"]["isError"],
                true,
                "{id}"
            );
        }
    }
    fake.is_gone().await;
}

#[tokio::test]
async fn callbacks_run_at_the_same_time() {
    // Each waits for all others.
    let barrier = Arc::new(Barrier::new(3));
    let (first, second, third) = (barrier.clone(), barrier.clone(), barrier);
    let fake = Fake::initialized()
        .then("user")
        .ask("h0", hook(0))
        .ask("h1", hook(1))
        .ask("p", can_use_tool("Bash", json!({})))
        .with("answers", json!(["h0", "h1", "p"]))
        .say(result());
    let wait = |barrier: Arc<Barrier>| {
        move |_, _: HookContext| {
            let barrier = barrier.clone();
            async move {
                barrier.wait().await;
                HookOutput::default()
            }
        }
    };
    let options = fake
        .options()
        .hook(HookMatcher::pre_tool_use("*"), wait(first))
        .hook(HookMatcher::pre_tool_use("*"), wait(second))
        .can_use_tool(move |_: PermissionRequest| {
            let barrier = third.clone();
            async move {
                barrier.wait().await;
                Permission::allow()
            }
        });
    let heard = Heard::of(&mut within(query("Go.", options.build().unwrap())).await.unwrap()).await;
    assert_eq!(heard.results().len(), 1);
    fake.is_gone().await;
}

#[tokio::test]
async fn a_request_that_is_taken_back_is_cancelled_and_not_answered() {
    let fake = Fake::initialized()
        .then("user")
        .ask("p", can_use_tool("Bash", json!({})))
        .ask("h", hook(0))
        .asks("begun", can_use_tool("Read", json!({})))
        .say(json!({"type": "control_cancel_request", "request_id": "p"}))
        .say(json!({"type": "control_cancel_request", "request_id": "h"}))
        // Twice, and after the end.
        .say(json!({"type": "control_cancel_request", "request_id": "p"}))
        .say(json!({"type": "control_cancel_request", "request_id": "begun"}))
        .asks("after", can_use_tool("Read", json!({})))
        .then("report")
        .say(result());
    let (tokens, mut begun) = mpsc::unbounded_channel();
    let of_hook = tokens.clone();
    let options = fake
        .options()
        .can_use_tool(move |request: PermissionRequest| {
            let is_read = request.tool_name == "Read";
            if !is_read {
                tokens.send(request.cancel).unwrap();
            }
            async move {
                if !is_read {
                    std::future::pending::<()>().await;
                }
                Permission::allow()
            }
        })
        .hook(HookMatcher::pre_tool_use("*"), move |_, cx: HookContext| {
            of_hook.send(cx.cancel).unwrap();
            std::future::pending::<HookOutput<_>>()
        });
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let report = Heard::of(&mut run).await.report();
    for _ in 0..2 {
        let token = within(begun.recv()).await.unwrap();
        assert!(token.is_cancelled());
        within(token.cancelled()).await;
    }
    assert_eq!((report.answers("p").len(), report.answers("h").len()), (0, 0));
    assert_eq!((report.answers("begun").len(), report.answers("after").len()), (1, 1));
    fake.is_gone().await;
}

#[tokio::test]
async fn a_callback_that_waits_for_its_token_cleans_up_before_the_run_is_closed() {
    let fake = Fake::initialized().then("user").ask("p", can_use_tool("Bash", json!({})));
    let (begun, cleaned) = (Arc::<Notify>::default(), Arc::<AtomicBool>::default());
    let (tell, done) = (begun.clone(), cleaned.clone());
    let options = fake.options().can_use_tool(async move |request| {
        tell.notify_one();
        request.cancel.cancelled().await;
        tokio::task::yield_now().await;
        done.store(true, Ordering::Relaxed);
        Permission::deny("nobody reads this")
    });
    let run = within(query("Go.", options.build().unwrap())).await.unwrap();
    within(begun.notified()).await;
    within(run.close()).await;
    assert!(cleaned.load(Ordering::Relaxed));
    fake.is_gone().await;
}

#[tokio::test]
async fn callbacks_are_cancelled_when_the_cli_dies() {
    let fake = Fake::initialized()
        .then("user")
        .ask("p", can_use_tool("Bash", json!({})))
        .asks("r", can_use_tool("Read", json!({})))
        .with("exit", 1);
    let (tokens, mut begun) = mpsc::unbounded_channel();
    let options = fake.options().can_use_tool(move |request: PermissionRequest| {
        let is_read = request.tool_name == "Read";
        if !is_read {
            tokens.send(request.cancel).unwrap();
        }
        async move {
            if !is_read {
                std::future::pending::<()>().await;
            }
            Permission::allow()
        }
    });
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let token = within(begun.recv()).await.unwrap();
    within(token.cancelled()).await;
    assert!(Heard::of(&mut run).await.error.is_some());
    fake.is_gone().await;
}
