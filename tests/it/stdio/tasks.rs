//! Calls of a program that go on as tasks.

use std::process::Command;

use serde_json::json;
use toolwright::testing::{TaskStatus, TestClient};

use super::fixture;

fn connect() -> TestClient {
    TestClient::spawn(&mut fixture()).unwrap().tasks()
}

#[test]
fn a_call_of_a_program_goes_on_as_a_task_if_it_takes_long() {
    let mut client = connect();
    let slow = |seconds: u64| json!({"seconds": seconds, "label": "it"});
    // All of them run while the first one is awaited.
    let long = client.start_call("slow_compute", slow(1)).unwrap();
    let failing = client.start_call("failing_job", json!({})).unwrap();
    let lacking = client.start_call("protocol_error_job", json!({})).unwrap();
    assert_eq!(client.call("slow_compute", slow(0)).unwrap().to_text(), "it: done");
    let error = client.task("greet", json!({"name": "Ada"})).unwrap_err().to_string();
    assert!(error.contains("Hello, Ada!"), "{error}");
    assert_eq!(client.finish_call(long).unwrap().to_text(), "it: done");
    let error = client.finish_call(failing).unwrap_err().to_string();
    assert!(error.contains("the job has failed"), "{error}");
    let error = client.finish_call(lacking).unwrap_err().to_string();
    assert!(error.contains("roots"), "{error}");
    assert_eq!(client.notifications().unwrap(), [json!(null); 0]);
    assert!(client.close().unwrap().success());
}

#[test]
fn a_task_of_a_program_asks() {
    let mut client = connect();
    client
        .on_elicit(|asked| match asked.message() {
            "Delete a.txt?" => asked.agree(),
            "Delete b.txt?" => asked.decline(),
            message => asked.accept(json!({"name": message})),
        })
        .unwrap();
    let files = ["a.txt", "b.txt"];
    let calls =
        files.map(|it| client.start_call("confirm_delete", json!({"filename": it})).unwrap());
    let two = client.task("multi_input", json!({})).unwrap();
    assert_eq!(two.wait(&mut client).unwrap(), TaskStatus::InputRequired);
    let text = two.result(&mut client).unwrap().to_text();
    assert_eq!(text, r#""The first name?" and "The second name?""#);
    let texts = calls.map(|id| client.finish_call(id).unwrap().to_text());
    assert_eq!(texts, ["a.txt: deleted", "b.txt: kept"]);
    // It asks in a round, before its task begins.
    let hello = client.call("test_tool_with_task", json!({})).unwrap().to_text();
    assert_eq!(hello, "Hello, What is your name?!");
    assert!(client.close().unwrap().success());
}

#[test]
fn a_program_that_ends_ends_its_tasks() {
    let mut client = connect();
    let forever = json!({"seconds": 600, "label": "it"});
    let cancelled = client.task("slow_compute", &forever).unwrap();
    cancelled.listen(&mut client).unwrap();
    cancelled.cancel(&mut client).unwrap();
    assert_eq!(cancelled.status(&mut client).unwrap(), TaskStatus::Cancelled);
    let told = client.notifications().unwrap().pop().unwrap();
    assert_eq!([&told["method"], &told["params"]["status"]], ["notifications/tasks", "cancelled"]);
    let task = client.task("slow_compute", &forever).unwrap();
    assert_eq!(task.status(&mut client).unwrap(), TaskStatus::Working);
    assert!(client.close().unwrap().success());
}

/// A server of another make tells nobody of its tasks, and shows a question until it has read the
/// answer.
#[test]
fn a_program_that_does_not_tell_of_its_tasks_is_asked() {
    let script = r#"
        gets=0
        while read -r line; do
            id=${line#*\"id\":} id=${id%%,*}
            times='"taskId":"t","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":1'
            case $line in
            *notifications/cancelled*) continue ;;
            *subscriptions/listen*) continue ;;
            *tools/call*) result='"resultType":"task","status":"working",'$times ;;
            *tasks/get*)
                gets=$((gets + 1))
                case $gets in
                1) result='"status":"working",'$times ;;
                [2-5]) result='"status":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}},'$times ;;
                *) result='"status":"completed","result":{"content":[{"type":"text","text":"it is"}]},'$times ;;
                esac ;;
            *) result='"resultType":"complete"' ;;
            esac
            printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\n' "$id" "$result"
        done
    "#;
    let mut command = Command::new("sh");
    command.env_clear().args(["-c", script]);
    let mut client = TestClient::spawn(&mut command).unwrap().tasks();
    let (asked, questions) = std::sync::mpsc::channel();
    client
        .on_elicit(move |question| {
            asked.send(()).unwrap();
            question.agree()
        })
        .unwrap();
    assert_eq!(client.call("any", ()).unwrap().to_text(), "it is");
    assert_eq!(questions.try_iter().count(), 1);
    assert!(client.close().unwrap().success());
}
