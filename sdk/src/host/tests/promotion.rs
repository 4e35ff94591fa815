//! What else happens at the moment at which a call becomes a task. The task is stored first, which
//! takes a while elsewhere; here it takes as long as the test wants. What the test wakes runs in
//! the order in which it wakes it.

mod gated;
mod moment;

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use super::scene::in_time;
use moment::Moment;

/// Of a call whose question is answered without an action.
fn misread() -> Value {
    json!({"name": "ask_elsewhere", "arguments": {}, "inputResponses": {"sure": {}}})
}

#[test]
fn the_result_comes_while_the_task_is_stored() {
    let moment = Moment::of("work");
    moment.go.notify_one();
    moment.settle();
    assert_eq!(moment.answer()["content"][0]["text"], "worked");
    moment.is_over();
}

#[test]
fn the_result_of_a_plain_function_comes_while_the_task_is_stored() {
    in_time(|| {
        let moment = Moment::of("block");
        moment.gate.send(()).unwrap();
        moment.server.runtime.block_on(moment.runner.idle());
        assert_eq!(moment.answer()["content"][0]["text"], "passed");
        moment.is_over();
    });
}

#[test]
fn the_result_and_the_task_come_in_one_turn() {
    let result_first = Moment::of("work");
    result_first.wake(|| result_first.go.notify_one(), || result_first.tasks.begin.open());
    assert_eq!(result_first.answer()["content"][0]["text"], "worked");
    assert_eq!(result_first.server.get(&result_first.id())["code"], -32602);

    let task_first = Moment::of("work");
    task_first.tasks.end.open();
    task_first.wake(|| task_first.tasks.begin.open(), || task_first.go.notify_one());
    assert_eq!(task_first.answer()["resultType"], "task");
    let task = task_first.server.get(&task_first.id());
    assert_eq!(task["result"]["content"][0]["text"], "worked", "{task}");
    for Moment { count, runner, said, .. } in [&result_first, &task_first] {
        assert_eq!((count.load(Ordering::SeqCst), runner.left(), &*said.take()), (0, [0; 4], ""));
    }
}

#[test]
fn the_time_runs_out_while_the_task_is_stored() {
    let moment = Moment::of("late");
    moment.server.pass(Duration::from_secs(5));
    let text = "The tool `late` was stopped: it did not finish within 3s.";
    assert_eq!(moment.answer()["content"][0]["text"], text);
    moment.is_over();
}

#[test]
fn the_time_runs_out_as_soon_as_the_task_has_begun() {
    let moment = Moment::of("late");
    moment.begin();
    moment.tasks.end.open();
    moment.server.pass(Duration::from_secs(5));
    assert_eq!(moment.answer()["resultType"], "task");
    let task = moment.server.get(&moment.id());
    let text = "The tool `late` was stopped: it did not finish within 3s.";
    assert_eq!(task["result"]["content"][0]["text"], text, "{task}");
    let left = (moment.count.load(Ordering::SeqCst), moment.runner.left());
    assert_eq!(left, (0, [0; 4]));
}

/// As where Redis is away.
#[test]
fn the_task_cannot_be_stored() {
    let moment = Moment::of("work");
    moment.tasks.is_away.store(true, Ordering::SeqCst);
    moment.tasks.begin.open();
    moment.settle();
    assert_eq!((&*moment.said.text(), moment.count.load(Ordering::SeqCst)), ("", 1));
    moment.go.notify_one();
    moment.settle();
    assert_eq!(moment.answer()["content"][0]["text"], "worked");
    assert_eq!(moment.runner.left(), [0; 4]);
}

#[test]
fn the_client_cancels_while_the_task_is_stored() {
    let moment = Moment::of("work");
    assert!(moment.cancel());
    moment.settle();
    assert_eq!(moment.count.load(Ordering::SeqCst), 0);
    moment.is_over();
}

#[test]
fn the_client_cancels_the_request_that_the_task_has_just_answered() {
    let moment = Moment::of("work");
    moment.begin();
    assert!(!moment.cancel());
    assert_eq!(moment.status(), "working");
    assert_eq!(moment.count.load(Ordering::SeqCst), 1);
}

#[test]
fn the_connection_closes_while_the_task_is_stored() {
    let moment = Moment::of("work");
    moment.runner.close();
    let text = "The tool `work` was stopped: the server is shutting down.";
    assert_eq!(moment.answer()["content"][0]["text"], text);
    moment.is_over();
}

#[test]
fn the_connection_closes_as_soon_as_the_task_has_begun() {
    let moment = Moment::of("work");
    moment.begin();
    moment.runner.close();
    assert_eq!(moment.answer()["resultType"], "task");
    moment.tasks.end.open();
    moment.settle();
    assert_eq!(moment.status(), "completed");
    let left = (moment.count.load(Ordering::SeqCst), moment.runner.left());
    assert_eq!(left, (0, [0; 4]));
}

#[test]
fn the_call_asks_while_the_task_is_stored() {
    let moment = Moment::of("ask");
    moment.go.notify_one();
    moment.settle();
    let asked = moment.answer();
    assert_eq!([&asked["resultType"], &asked["taskId"]], [&json!("input_required"), &Value::Null]);
    moment.is_over();
    // The next round is a call of its own, which becomes a task.
    let (_runner, said) = moment.server.begin(
        "tools/call",
        json!({
            "name": "ask",
            "arguments": {},
            "requestState": asked["requestState"],
            "inputResponses": {"sure": {"action": "accept"}},
        }),
    );
    moment.server.runtime.block_on(moment.tasks.begin.reached());
    moment.tasks.begin.open();
    moment.tasks.end.open();
    moment.go.notify_one();
    moment.settle();
    assert!(said.take().contains(r#""resultType":"task""#));
    let task = moment.server.get(&moment.id());
    assert_eq!(task["result"]["content"][0]["text"], "true", "{task}");
}

#[test]
fn a_question_that_is_open_when_the_task_begins_waits_in_it() {
    for asks_first in [true, false] {
        let moment = Moment::of("ask_elsewhere");
        let (ask, begin) = (|| moment.go.notify_one(), || moment.tasks.begin.open());
        match asks_first {
            true => moment.wake(ask, begin),
            false => moment.wake(begin, ask),
        }
        assert_eq!(moment.answer()["resultType"], "task", "{asks_first}");
        let task = moment.server.get(&moment.id());
        assert_eq!(task["inputRequests"]["sure"]["params"]["message"], "Sure?", "{task}");
        assert_eq!(moment.tasks.asked.load(Ordering::SeqCst), 1, "{asks_first}");
        moment.tasks.end.open();
        moment.server.update(&moment.id(), json!({"sure": {"action": "accept"}}));
        moment.settle();
        let task = moment.server.get(&moment.id());
        assert_eq!(task["result"]["content"][0]["text"], "true", "{task}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_ends_the_wait_for_it() {
    let moment = Moment::with(misread());
    moment.go.notify_one();
    moment.settle();
    assert_eq!(moment.response()["error"]["code"], -32602);
    moment.is_over();
}

#[test]
fn an_answer_that_cannot_be_read_comes_before_the_task() {
    let moment = Moment::with(misread());
    // The call learns of it after that.
    moment.wake(|| moment.go.notify_one(), || moment.tasks.begin.open());
    assert_eq!(moment.response()["error"]["code"], -32602);
    moment.is_over();
}

#[test]
fn the_client_cancels_the_task_while_its_result_is_stored() {
    let moment = Moment::of("work");
    moment.tasks.begin.open();
    moment.settle();
    assert_eq!(moment.answer()["resultType"], "task");
    moment.go.notify_one();
    moment.server.runtime.block_on(moment.tasks.end.reached());
    assert_eq!(moment.status(), "working");
    moment.server.request("tasks/cancel", json!({"taskId": moment.id()}));
    assert_eq!(moment.status(), "cancelled");
    moment.tasks.end.open();
    moment.settle();
    assert_eq!(moment.status(), "cancelled");
    assert_eq!(moment.runner.left(), [0; 4]);
}
