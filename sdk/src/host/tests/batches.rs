//! Batches: the calls of one run at the same time, within the bounds of all calls.

use serde_json::{Value, json};
use toolwright::host::{Limits, Received};
use toolwright::{Context, Tool, ToolRegistry, tool, tools};

use super::scene::{Scene, in_time};

#[tool]
async fn quick() -> &'static str {
    "quick"
}

/// A plain function.
#[tool]
fn plain() -> &'static str {
    "plain"
}

#[tool(timeout = "1ms")]
async fn limited() {
    std::future::pending::<()>().await;
}

fn scene(limits: Limits) -> Scene {
    let schema = json!({"type": "object"});
    let waits = Tool::new("waits", "", schema, async |_: Value, _: Context| {
        std::future::pending::<()>().await;
    });
    let registry = ToolRegistry::builder("toy").tools(tools![quick, plain, limited]).tool(waits);
    let scene = Scene::new(&registry.build().unwrap(), limits);
    scene.line(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#);
    scene.said.take();
    scene
}

fn call(id: u64, tool: &str) -> String {
    let params = format!(r#"{{"name":"{tool}"}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

/// The ids of each line that was said, with a text that was part of the answer.
fn said(scene: &Scene) -> Vec<Vec<(u64, String)>> {
    let of = |answer: &Value| {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        (answer["id"].as_u64().unwrap(), text.to_owned())
    };
    let line = |line: &str| match serde_json::from_str(line).unwrap() {
        Value::Array(answers) => answers.iter().map(of).collect(),
        answer => vec![of(&answer)],
    };
    scene.said.take().lines().map(line).collect()
}

fn ids(scene: &Scene) -> Vec<Vec<u64>> {
    let ids = |line: Vec<(u64, String)>| {
        let mut ids: Vec<_> = line.into_iter().map(|(id, _)| id).collect();
        ids.sort_unstable();
        ids
    };
    said(scene).into_iter().map(ids).collect()
}

#[test]
fn calls_of_a_batch_run_wherever_they_belong() {
    in_time(|| {
        let scene = scene(Limits::default());
        let calls = [call(1, "quick"), call(2, "plain"), call(3, "limited"), call(4, "none")];
        scene.line(&format!("[{}]", calls.join(",")));
        scene.settle();
        let mut answers = said(&scene).remove(0);
        answers.sort();
        let texts: Vec<_> = answers.iter().map(|(_, text)| text.as_str()).collect();
        let late = "The tool `limited` was stopped: it did not finish within 1ms.";
        assert_eq!(texts, ["quick", "plain", late, ""]);
        assert_eq!(scene.runner.left(), [0; 4]);
    });
}

#[test]
fn a_call_that_waits_holds_up_no_other_line() {
    in_time(|| {
        let scene = scene(Limits::default());
        scene.line(&format!("[{},{}]", call(1, "waits"), call(2, "quick")));
        scene.line(&format!("[{}]", call(3, "quick")));
        scene.line(&call(4, "quick"));
        scene.runtime.block_on(async {
            while scene.said.text().lines().count() < 2 {
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(ids(&scene), [[3], [4]]);
        scene.cancel(1);
        assert_eq!(ids(&scene), [[2]]);
        assert_eq!(scene.runner.left(), [0; 4]);
    });
}

#[test]
fn calls_of_a_batch_keep_the_bounds() {
    in_time(|| {
        let mut limits = Limits::default();
        (limits.max_running, limits.max_waiting_calls) = (1, 2);
        let scene = scene(limits);
        let calls: Vec<_> = (1..=5).map(|id| call(id, "waits")).collect();
        scene.line(&format!("[{}]", calls.join(",")));
        let [running, waiting, ..] = scene.runner.left();
        assert_eq!((running, waiting), (1, 2));
        assert_eq!(said(&scene), [] as [Vec<(u64, String)>; 0]);
        (1..=3).for_each(|id| scene.cancel(id));
        let full = "The tool `waits` was not called: too many calls wait already.".to_owned();
        assert_eq!(said(&scene), [[(4, full.clone()), (5, full)]]);
        assert_eq!(scene.runner.left(), [0; 4]);
    });
}

#[test]
fn whether_a_call_will_wait_is_known_of_one_outside_of_a_batch() {
    in_time(|| {
        let scene = scene(Limits::default());
        let (line, batch) = (call(1, "quick"), format!("[{}]", call(2, "quick")));
        let Received::Call(call) = scene.runner.receive(line.as_bytes()) else { panic!() };
        assert!(!call.will_wait());
        let Received::Batch(batch) = scene.runner.receive(batch.as_bytes()) else { panic!() };
        assert!(batch.calls[0].will_wait(), "of each in a batch it is said");
    });
}

#[test]
fn the_bytes_of_a_batch_count_once() {
    in_time(|| {
        let calls: Vec<_> = (1..=5).map(|id| call(id, "waits")).collect();
        let batch = format!("[{}]", calls.join(","));
        let mut limits = Limits::default();
        (limits.max_running, limits.max_waiting) = (1, batch.len());
        let scene = scene(limits);
        scene.line(&batch);
        let [running, waiting, bytes, _] = scene.runner.left();
        assert_eq!((running, waiting, bytes), (1, 4, batch.len() / 5 * 4));
    });
}

#[test]
fn a_batch_may_cancel_calls_and_the_end_answers_what_is_left() {
    in_time(|| {
        let scene = scene(Limits::default());
        scene.line(&call(1, "waits"));
        let cancelled =
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
        scene.line(&format!("[{cancelled},{ping}]"));
        assert_eq!(ids(&scene), [[2]]);
        assert_eq!(scene.runner.left(), [0; 4]);
        scene.line(&format!("[{},{}]", call(3, "waits"), call(4, "waits")));
        scene.runner.close();
        assert_eq!(ids(&scene), [[3, 4]]);
    });
}
