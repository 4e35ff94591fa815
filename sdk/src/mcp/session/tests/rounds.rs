//! Questions in 2026-07-28: results that ask, and requests that answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll, Waker};

use serde_json::{Value, json};
use toolwright::{AskError, Context, State, ToolRegistry, tool, tools};

use super::askers::{KEPT, name};
use super::client::{Client, text};

fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

#[test]
fn a_question_ends_the_round_and_the_answer_ends_the_call() {
    let mut client = Client::new();
    let asks = client.call("greet", json!({}));
    assert_eq!(asks["resultType"], "input_required");
    let question = json!({
        "method": "elicitation/create",
        "params": {"mode": "form", "message": "What is your name?", "requestedSchema": name()},
    });
    assert_eq!(asks["inputRequests"], json!({"user_name": question}));
    let answers = json!({
        "inputResponses": {"user_name": accept(json!({"name": "Alice"})), "other": {}},
        "requestState": asks["requestState"],
    });
    assert_eq!(text(&client.call("greet", answers.clone())), "Hello, Alice!");
    // The answer was lost: the same round once more.
    assert_eq!(text(&client.call("greet", answers)), "Hello, Alice!");
}

#[test]
fn an_answer_without_a_state_is_taken_by_its_key() {
    let mut client = Client::new();
    let answers = json!({"user_name": accept(json!({"name": "Bob"})), "extra": {"action": "x"}});
    assert_eq!(text(&client.call("greet", json!({"inputResponses": answers}))), "Hello, Bob!");
    let wrong = json!({"inputResponses": {"name": accept(json!({"name": "Bob"}))}});
    assert_eq!(client.call("greet", wrong)["resultType"], "input_required");
}

#[test]
fn each_round_has_what_earlier_rounds_have_settled() {
    let mut client = Client::new();
    let first = client.call("ship", json!({}));
    let state = &first["requestState"];
    let to = json!({"elicitation-1": accept(json!({"city": "Bonn"}))});
    let second = client.call("ship", json!({"inputResponses": to, "requestState": state}));
    let message = &second["inputRequests"]["elicitation-2"]["params"]["message"];
    assert_eq!(message, "Ship 7 to \"Bonn\"?");
    assert_ne!(state, &second["requestState"]);
    // The answer to the second round was lost. Another answer to a settled question has no effect.
    let to = json!({"elicitation-1": accept(json!({"city": "Rome"}))});
    let again = client.call("ship", json!({"inputResponses": to, "requestState": state}));
    assert_eq!(again["inputRequests"], second["inputRequests"]);
    let yes = json!({"elicitation-2": {"action": "accept"}});
    for state in [&second["requestState"], &again["requestState"]] {
        let more = json!({"inputResponses": yes, "requestState": state});
        assert_eq!(text(&client.call("ship", more)), "7 to \"Bonn\", label 1: true");
    }
    assert_eq!(client.prints.load(Ordering::Relaxed), 1);
}

#[test]
fn questions_that_are_awaited_together_go_out_together() {
    let mut client = Client::new();
    let asks = client.call("both", json!({}));
    let methods: Vec<_> = asks["inputRequests"].as_object().unwrap().values().collect();
    assert_eq!(methods[0]["method"], "elicitation/create");
    assert_eq!(methods[1], &json!({"method": "roots/list", "params": {}}));
    // Of two answers one may come later.
    let roots = json!({"roots-1": {"roots": [{"uri": "file:///a"}]}});
    let more = json!({"inputResponses": roots, "requestState": asks["requestState"]});
    let asks = client.call("both", more);
    assert_eq!(asks["inputRequests"].as_object().unwrap().len(), 1);
    let yes = json!({"elicitation-1": {"action": "accept"}});
    let more = json!({"inputResponses": yes, "requestState": asks["requestState"]});
    assert_eq!(text(&client.call("both", more)), "true file:///a");
}

#[test]
fn a_state_counts_for_its_request_only() {
    let mut client = Client::new();
    let state = client.call("ship", json!({}))["requestState"].as_str().unwrap().to_owned();
    let refused = |found: Value| {
        assert_eq!(found["code"], -32602, "{found}");
        assert_eq!(found["message"], "`requestState` is unknown or expired, or of another request");
    };
    refused(client.call("greet", json!({"requestState": state})));
    let other = json!({"name": "ship", "arguments": {"order": 8}});
    refused(client.request("tools/call", other, json!({"requestState": state})));
    refused(client.call("ship", json!({"requestState": format!("{state}-TAMPERED")})));
    refused(client.call("ship", json!({"requestState": state.replace(".1", ".2")})));
    refused(client.call("ship", json!({"requestState": ""})));
    assert_eq!(client.prints.load(Ordering::Relaxed), 0);
}

#[test]
fn malformed_answers_are_errors_of_the_request() {
    let mut client = Client::new();
    let many = Value::from_iter((0..1_025).map(|at| (at.to_string(), json!({}))));
    for (more, message) in [
        (json!({"requestState": 1}), "`requestState` must be a string"),
        (json!({"inputResponses": null}), "`inputResponses` must be an object"),
        (json!({"inputResponses": []}), "`inputResponses` must be an object"),
        (
            json!({"inputResponses": {"user_name": 12345}}),
            "each of `inputResponses` must be an object",
        ),
        (
            json!({"inputResponses": {"user_name": {"action": "explode"}}}),
            "the answer `user_name` in `inputResponses`: `action` must be accept, decline or cancel",
        ),
        (
            json!({"inputResponses": {"user_name": {"action": "accept", "content": "Bob"}}}),
            "the answer `user_name` in `inputResponses`: `content` must be an object",
        ),
        (
            json!({"inputResponses": {"user_name": {"pad": "x".repeat(1024 * 1024)}}}),
            "an answer in `inputResponses` has more than 1 MiB",
        ),
        (json!({"inputResponses": many}), "`inputResponses` has more than 1,024 answers"),
    ] {
        let found = client.call("greet", more);
        assert_eq!((&found["code"], &found["message"]), (&json!(-32602), &json!(message)));
    }
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_once_more() {
    let mut client = Client::new();
    let asks = client.call("greet", json!({}));
    let misfit = json!({"user_name": accept(json!({"name": "far too long a name"}))});
    let more = json!({"inputResponses": misfit, "requestState": asks["requestState"]});
    let again = client.call("greet", more);
    let message = again["inputRequests"]["user_name"]["params"]["message"].as_str().unwrap();
    assert!(message.starts_with("What is your name?\n\nThe last answer did not fit."), "{message}");
    let more = json!({"inputResponses": misfit, "requestState": again["requestState"]});
    let failed = client.call("greet", more);
    assert!(text(&failed).starts_with("the client's answer is invalid"), "{failed}");
    // A second answer that fits.
    let asks = client.call("greet", json!({}));
    let more = json!({"inputResponses": misfit, "requestState": asks["requestState"]});
    let again = client.call("greet", more);
    let fits = json!({"user_name": accept(json!({"name": "Ada"}))});
    let more = json!({"inputResponses": fits, "requestState": again["requestState"]});
    assert_eq!(text(&client.call("greet", more)), "Hello, Ada!");
}

#[test]
fn a_question_that_has_changed_is_asked_again() {
    let mut client = Client::new();
    let asks = client.call("fickle", json!({}));
    let yes = json!({"delete": {"action": "accept"}});
    let more = json!({"inputResponses": yes, "requestState": asks["requestState"]});
    let again = client.call("fickle", more);
    assert_eq!(again["inputRequests"]["delete"]["params"]["message"], "Delete 1 files?");
}

#[test]
fn a_client_without_the_capability_is_told_which() {
    let mut client = Client::new();
    client.capabilities = json!({"elicitation": {"url": {}}, "sampling": {}});
    let missing = client.call("greet", json!({}));
    assert_eq!(missing["code"], -32021);
    assert_eq!(missing["data"], json!({"requiredCapabilities": {"elicitation": {"form": {}}}}));
    assert_eq!(client.call("think", json!({}))["resultType"], "input_required");
}

#[test]
fn rounds_have_an_end() {
    let mut client = Client::new();
    let mut round = client.call("for_ever", json!({}));
    for _ in 1..8 {
        assert_eq!(round["inputRequests"], Value::Null, "{round}");
        assert_eq!(round["resultType"], "input_required");
        round = client.call("for_ever", json!({"requestState": round["requestState"]}));
    }
    let last = client.call("for_ever", json!({"requestState": round["requestState"]}));
    let stopped = "The tool `for_ever` was stopped: it has asked the client too often.";
    assert_eq!(text(&last), stopped);
    assert_eq!(last["isError"], true);
}

#[test]
fn a_plain_function_cannot_ask() {
    let mut client = Client::new();
    let found = client.call("plain", json!({}));
    assert_eq!(text(&found), "only an `async` tool, prompt or resource can ask the client");
}

#[test]
fn a_question_that_is_dropped_at_once_is_not_asked() {
    assert_eq!(text(&Client::new().call("hasty", json!({}))), "done");
}

#[test]
fn a_prompt_asks_like_a_tool() {
    let mut client = Client::new();
    let asks = client.request("prompts/get", json!({"name": "review"}), json!({}));
    assert_eq!(asks["resultType"], "input_required");
    let answers = json!({"context": accept(json!({"name": "tests"}))});
    let more = json!({"inputResponses": answers, "requestState": asks["requestState"]});
    let found = client.request("prompts/get", json!({"name": "review"}), more);
    assert_eq!(found["messages"][0]["content"]["text"], "\"tests\"");
}

#[test]
fn sampling_takes_one_block_or_many() {
    let mut client = Client::new();
    let block = json!({"type": "text", "text": "Paris."});
    for content in [block.clone(), json!([block])] {
        let sampled = json!({"role": "assistant", "content": content, "model": "m"});
        let more = json!({"inputResponses": {"sampling-1": sampled}});
        assert_eq!(text(&client.call("think", more)), "Paris.");
    }
}

#[test]
fn a_block_of_a_sampled_answer_that_cannot_be_read_is_named() {
    let mut client = Client::new();
    for (block, problem) in [
        (json!({"type": "image", "data": "aGk="}), "missing field `mimeType`"),
        (json!([{"type": "video"}]), "unknown variant `video`"),
    ] {
        let sampled = json!({"role": "assistant", "content": block, "model": "m"});
        let refused = client.call("think", json!({"inputResponses": {"sampling-1": sampled}}));
        assert!(refused["message"].as_str().unwrap().contains(problem), "{refused}");
    }
}

#[test]
fn a_question_after_the_end_of_its_call_is_closed() {
    let mut client = Client::new();
    client.call("keeps", json!({}));
    let cx = KEPT.lock().unwrap().take().unwrap();
    let mut late = cx.confirm("late").into_future();
    let task = &mut TaskContext::from_waker(Waker::noop());
    let polled = late.as_mut().poll(task);
    assert!(matches!(polled, Poll::Ready(Err(AskError::Closed))), "{polled:?}");
}

#[test]
fn an_error_that_has_another_reason_stays() {
    let mut client = Client::new();
    client.capabilities = json!({});
    let said = client.call("handled", json!({}));
    assert!(said.to_string().contains("disk full"), "{said}");
}

#[test]
fn a_repeated_answer_that_does_not_fit_counts_once() {
    let mut client = Client::new();
    let asked = client.call("greet", json!({}));
    let state = asked["requestState"].clone();
    let bad = json!({"user_name": {"action": "accept", "content": {"name": 7}}});
    let again = || json!({"requestState": state, "inputResponses": bad});
    let one = client.call("greet", again());
    assert_eq!(one["resultType"], "input_required", "{one}");
    let two = client.call("greet", again());
    assert_eq!(two["resultType"], "input_required", "{two}");
}

#[test]
fn the_tool_results_of_two_samples_do_not_mix() {
    #[tool]
    fn up(text: &str) -> String {
        text.to_uppercase()
    }
    let tools = ToolRegistry::builder("t").tools(tools![up]).build().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let cx = Context::detached().answering(move |asked| {
        let messages = asked.params()["messages"].as_array().unwrap().clone();
        if messages.len() == 1 {
            let text = messages[0]["content"]["text"]
                .as_str()
                .map(str::to_owned)
                .unwrap_or_else(|| messages[0]["content"][0]["text"].as_str().unwrap().to_owned());
            return asked.call("call_0", "up", json!({"text": text}));
        }
        log.lock().unwrap().push(messages[2].to_string());
        asked.say("ok")
    });
    let rt = tokio::runtime::Builder::new_current_thread().build().unwrap();
    rt.block_on(async {
        cx.sample("first").tools(&tools).await.unwrap();
        cx.sample("second").tools(&tools).await.unwrap();
    });
    let seen = seen.lock().unwrap();
    assert!(seen[1].contains("SECOND"), "{seen:?}");
}

#[test]
fn the_tool_calls_of_two_equal_samples_are_two() {
    #[tool]
    fn roll(count: State<Arc<AtomicUsize>>) -> usize {
        count.fetch_add(1, Ordering::Relaxed)
    }
    let count = Arc::new(AtomicUsize::new(0));
    let tools = ToolRegistry::builder("t").state(count.clone()).tools(tools![roll]);
    let tools = tools.build().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let ids = AtomicUsize::new(0);
    let cx = Context::detached().answering(move |asked| {
        match asked.params()["messages"].as_array().unwrap().get(2) {
            None => {
                // Of the last two the ids are equal too.
                let id = ids.fetch_add(1, Ordering::Relaxed).min(2);
                asked.call(&format!("call_{id}"), "roll", json!({}))
            }
            Some(result) => {
                log.lock().unwrap().push(result["content"]["toolUseId"].clone());
                asked.say("ok")
            }
        }
    });
    let rt = tokio::runtime::Builder::new_current_thread().build().unwrap();
    rt.block_on(async {
        for key in [None, None, Some("third"), Some("fourth")] {
            let sample = cx.sample("Pick one").tools(&tools);
            match key {
                Some(key) => sample.key(key).await.unwrap(),
                None => sample.await.unwrap(),
            };
        }
    });
    assert_eq!(*seen.lock().unwrap(), ["call_0", "call_1", "call_2", "call_2"]);
    assert_eq!(count.load(Ordering::Relaxed), 4);
}
