//! A registry gives the same over stdio and in its process, in both eras.

use std::process::Command;

use serde_json::{Value, json};
use toolwright::ToolRegistry;
use toolwright::mcp::Asked;
use toolwright::testing::{TaskStatus, TestClient};
use toolwright_tests::fixture::{Flags, registry};

/// The tools whose results depend on the client, or on nothing, with their arguments.
fn calls() -> Vec<(&'static str, Value)> {
    let mut calls = vec![
        ("test_simple_text", json!({})),
        ("test_image_content", json!({})),
        ("test_audio_content", json!({})),
        ("test_embedded_resource", json!({})),
        ("test_multiple_content_types", json!({})),
        ("test_error_handling", json!({})),
        ("test_sampling", json!({"prompt": "Say something"})),
        ("test_elicitation", json!({"message": "Who?"})),
    ];
    let questions = [
        "test_elicitation_sep1034_defaults",
        "test_elicitation_sep1330_enums",
        "test_missing_capability",
        "test_input_required_result_elicitation",
        "test_input_required_result_sampling",
        "test_input_required_result_list_roots",
        "test_input_required_result_request_state",
        "test_input_required_result_multiple_inputs",
        "test_input_required_result_multi_round",
        "test_input_required_result_tampered_state",
        "test_input_required_result_capabilities",
        "come_back",
        "ask_twice",
    ];
    calls.extend(questions.map(|name| (name, json!({}))));
    calls
}

/// Everything that a client hears of the fixture, with the questions that it is asked.
fn heard(mut client: TestClient) -> Vec<Value> {
    let (asked, questions) = std::sync::mpsc::channel();
    let of_model = asked.clone();
    let note = move |question: &Asked, to: &std::sync::mpsc::Sender<Value>| {
        to.send(json!({"method": question.method(), "params": question.params()})).unwrap();
    };
    client
        .on_elicit(move |question| {
            note(&question, &asked);
            question.accept(json!({
                "name": "Ada", "username": "ada", "email": "ada@example.com", "ok": true,
                "color": "blue", "context": "tests",
            }))
        })
        .unwrap();
    client
        .on_sample(move |question| {
            note(&question, &of_model);
            question.say("Paris")
        })
        .unwrap();
    client.roots(["file:///project"]).unwrap();
    let mut heard = Vec::new();
    for (name, arguments) in calls() {
        heard.push(json!([name, client.call_tool(name, arguments).unwrap()]));
    }
    for (name, arguments) in [
        ("test_simple_prompt", json!({})),
        ("test_prompt_with_arguments", json!({"arg1": "a", "arg2": "b"})),
        ("test_prompt_with_embedded_resource", json!({"resourceUri": "test://x"})),
        ("test_prompt_with_image", json!({})),
        ("test_input_required_result_prompt", json!({})),
    ] {
        heard.push(json!([name, client.get_prompt(name, arguments).unwrap()]));
    }
    for uri in ["test://static-text", "test://static-binary", "test://template/123/data"] {
        heard.push(json!([uri, client.read_resource(uri).unwrap()]));
    }
    heard.push(json!(client.list_tools().unwrap()));
    heard.push(json!(client.list_prompts().unwrap()));
    heard.push(json!(client.list_resources().unwrap()));
    heard.push(json!(client.list_resource_templates().unwrap()));
    heard.push(json!(client.complete_prompt("test_prompt_with_arguments", "arg1", "par").unwrap()));
    drop(client);
    heard.extend(questions);
    heard
}

fn over_stdio(flags: &[&str]) -> TestClient {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fixture"));
    TestClient::spawn(command.args(flags).env_clear()).unwrap()
}

#[test]
fn a_registry_gives_the_same_over_stdio_and_in_its_process() {
    let fixture: ToolRegistry = registry(&Flags::default()).unwrap();
    let mut legacy = over_stdio(&[]);
    legacy.initialize().unwrap();
    let mut in_process = TestClient::in_memory(&fixture).unwrap();
    assert_eq!(heard(legacy), heard(in_process));
    in_process = TestClient::in_memory(&fixture).unwrap().modern();
    assert_eq!(heard(over_stdio(&[]).modern()), heard(in_process));
}

/// The tools whose calls go on as tasks, with their arguments.
pub(crate) fn long_calls() -> [(&'static str, Value); 6] {
    [
        ("slow_compute", json!({"seconds": 1, "label": "it"})),
        ("failing_job", json!({})),
        ("protocol_error_job", json!({})),
        ("confirm_delete", json!({"filename": "a.txt"})),
        ("multi_input", json!({})),
        ("test_tool_with_task", json!({})),
    ]
}

/// What a client answers to every question.
pub(crate) fn ada() -> Value {
    json!({"action": "accept", "content": {"name": "Ada"}})
}

/// The state of a task without what differs from one task to another.
pub(crate) fn lasting(mut state: Value) -> Value {
    let members = state.as_object_mut().unwrap();
    for name in ["taskId", "createdAt", "lastUpdatedAt"] {
        assert!(members.remove(name).is_some(), "{name}");
    }
    state
}

/// What a client hears of the tasks of the fixture whenever one asks or has ended. It answers one
/// question at a time.
pub(crate) fn states(mut client: TestClient) -> Vec<Value> {
    client = client.tasks();
    client.on_elicit(|asked| asked.result(ada())).unwrap();
    let begin = |(name, arguments)| client.task(name, arguments).unwrap();
    let tasks = long_calls().map(begin);
    let mut states = Vec::new();
    for task in tasks {
        loop {
            let status = task.wait(&mut client).unwrap();
            let state = lasting(task.get(&mut client).unwrap());
            let key =
                state["inputRequests"].as_object().and_then(|open| open.keys().next().cloned());
            states.push(state);
            match (status, key) {
                (TaskStatus::InputRequired, Some(key)) => {
                    task.update(&mut client, json!({key: ada()})).unwrap();
                }
                _ => break,
            }
        }
    }
    states
}

#[test]
fn tasks_are_the_same_over_stdio_and_in_their_process() {
    let in_process = TestClient::in_memory(&registry(&Flags::default()).unwrap()).unwrap();
    let in_process = states(in_process);
    assert_eq!(in_process.len(), 9);
    assert_eq!(states(over_stdio(&[])), in_process);
}
