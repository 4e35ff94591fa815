//! Replies that are more than words.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::super::{Reply, ScriptedModel};
use super::{conversation, events_of, hello, post, send};
use crate::testing::Gate;

const AGENT: &str = "POST /v1/messages HTTP/1.1\r\nx-claude-code-agent-id: a1";

fn streamed() -> String {
    let mut request = hello();
    request["stream"] = json!(true);
    request.to_string()
}

#[tokio::test]
async fn text_comes_in_pieces() {
    let model = ScriptedModel::start().await.unwrap();
    model.reply(Reply::new().text_in_pieces(["It ", "is ", "42."]).usage(7, 1_000_000));
    let events = events_of(&send(&model, "POST /v1/messages HTTP/1.1", &streamed()).await);
    let pieces: Vec<_> =
        events.iter().filter_map(|event| event["delta"]["text"].as_str()).collect();
    assert_eq!(pieces, ["It ", "is ", "42."]);
    assert_eq!(events[1]["content_block"]["text"], "");
    assert_eq!(events[0]["message"]["usage"]["input_tokens"], 7);
    let delta = events.iter().find(|event| event["type"] == "message_delta").unwrap();
    assert_eq!(delta["usage"]["output_tokens"], 1_000_000);

    model.reply(Reply::new().text_in_pieces(["It ", "is ", "42."]));
    assert_eq!(
        post(&model, &hello()).await["content"],
        json!([{"type": "text", "text": "It is 42."}])
    );
}

#[tokio::test]
async fn errors_have_their_status_and_can_go_on_for_ever() {
    let model = ScriptedModel::start().await.unwrap();
    model.say("Before.").reply_ever_after(Reply::error(529, "overloaded_error", "too much"));
    assert_eq!(post(&model, &hello()).await["content"][0]["text"], "Before.");
    for _ in 0..3 {
        let answer = send(&model, "POST /v1/messages HTTP/1.1", &streamed()).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 529"), "{head}");
        let body: Value = serde_json::from_str(body).unwrap();
        assert_eq!(
            body,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "too much"}})
        );
    }
    assert_eq!((model.requests().len(), model.turns_left()), (4, 0));
}

#[tokio::test]
async fn a_gate_holds_a_reply_back() {
    let model = ScriptedModel::start().await.unwrap();
    let gate = Gate::new();
    model.reply(Reply::new().text("At last.").held_by(&gate));
    let test = async {
        gate.reached().await;
        assert_eq!(model.requests().len(), 1);
        gate.open();
    };
    let hello = hello();
    let (answer, ()) = tokio::join!(post(&model, &hello), test);
    assert_eq!(answer["content"][0]["text"], "At last.");
}

#[tokio::test]
async fn subagents_have_a_script_of_their_own() {
    let model = ScriptedModel::start().await.unwrap();
    model.say("For the conversation.").reply_to_agent(Reply::new().text("For the agent."));
    let answers = [
        send(&model, AGENT, &hello().to_string()).await,
        send(&model, AGENT, &hello().to_string()).await,
    ];
    assert!(
        answers[0].contains("For the agent.")
            && answers[1].contains("not of the scripted conversation"),
        "{answers:?}"
    );
    assert_eq!(post(&model, &hello()).await["content"][0]["text"], "For the conversation.");
    assert_eq!(model.side_requests().len(), 2);
}

#[tokio::test]
async fn thinking_is_signed_and_a_model_stops_for_its_reason() {
    let model = ScriptedModel::start().await.unwrap();
    let reply = Reply::new().signed_thinking("Hm.", "c2lnbmVk").text("I would rather not.");
    model.reply(reply.stop_reason("refusal"));
    let events = events_of(&send(&model, "POST /v1/messages HTTP/1.1", &streamed()).await);
    let deltas: Vec<_> =
        events.iter().filter_map(|event| event["delta"]["type"].as_str()).collect();
    assert_eq!(deltas, ["thinking_delta", "signature_delta", "text_delta"]);
    let block = json!({"type": "thinking", "thinking": "", "signature": ""});
    assert_eq!(events[1]["content_block"], block);
    assert_eq!(events[3]["delta"]["signature"], "c2lnbmVk");
    let delta = events.iter().find(|event| event["type"] == "message_delta").unwrap();
    assert_eq!(delta["delta"]["stop_reason"], "refusal");
}

#[tokio::test]
async fn a_reply_can_pause_and_break_off() {
    // Of this version an answer has no chunks.
    const HEAD: &str = "POST /v1/messages HTTP/1.0";
    let model = ScriptedModel::start().await.unwrap();
    let gate = Gate::new();
    model.reply(Reply::new().text("One.").pause_at(&gate).text("Two."));
    let body = streamed();
    let test = async {
        gate.reached().await;
        gate.open();
    };
    let (answer, ()) = tokio::join!(send(&model, HEAD, &body), test);
    let events = events_of(&answer);
    let texts: Vec<_> = events.iter().filter_map(|event| event["delta"]["text"].as_str()).collect();
    assert_eq!(texts, ["One.", "Two."]);
    let last = events.iter().rev().find(|event| event["type"] == "content_block_stop").unwrap();
    assert_eq!(last["index"], 1);

    let gate = Gate::new();
    gate.open();
    model.reply(Reply::new().text("One.").pause_at(&gate).text("Two.").cut_off());
    model.reply(Reply::new().text("One.").cut_off());
    let read = send(&model, "POST /v1/messages HTTP/1.1", &streamed()).await;
    let unread = send(&model, "POST /v1/messages HTTP/1.1", &streamed()).await;
    assert!(read.contains("One.") && !unread.contains("One."), "{read} {unread}");
    for answer in [read, unread] {
        // It has neither an end of the message nor the last chunk.
        assert!(!answer.contains("Two.") && !answer.contains("message_stop"), "{answer}");
        assert!(!answer.ends_with("0\r\n\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn a_reply_that_does_not_stream_pauses_and_breaks_off_too() {
    let model = ScriptedModel::start().await.unwrap();
    let body = hello().to_string();
    let refusal = Reply::error(400, "invalid_request_error", "too many images");
    for (reply, said) in [
        (Reply::new().text("One."), Some("One.")),
        (Reply::new().text("One.").cut_off(), None),
        (refusal, Some("too many images")),
    ] {
        let gate = Gate::new();
        model.reply(reply.pause_at(&gate));
        let test = async {
            timeout(Duration::from_secs(60), gate.reached()).await.expect("it does not pause");
            gate.open();
        };
        let (answer, ()) = tokio::join!(send(&model, "POST /v1/messages HTTP/1.1", &body), test);
        assert_eq!(answer.contains("{\""), said.is_some(), "{answer}");
        assert!(answer.contains(said.unwrap_or_default()), "{answer}");
    }
}

#[tokio::test]
async fn rules_answer_without_the_script() {
    let model = ScriptedModel::start().await.unwrap();
    model.when("weather", Reply::new().text("Asking."));
    model.when_result("rain", Reply::new().text("An umbrella."));
    model.say("Hello.");
    let asked = async |content: Value| {
        let messages = json!([{"role": "user", "content": content}]);
        let answer = post(&model, &conversation(messages)).await;
        answer["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    let reminder = text("<system-reminder>The weather is no topic.</system-reminder>");
    assert_eq!(asked(json!([reminder, text("The weather?")])).await, "Asking.");
    let result = json!({"type": "tool_result", "tool_use_id": "t", "content": "rain at noon"});
    assert_eq!(asked(json!([result])).await, "An umbrella.");
    assert_eq!(asked(json!([reminder, text("Hi")])).await, "Hello.");
    assert_eq!(model.requests()[2].prompts(), ["Hi"]);
    assert_eq!(model.turns_left(), 0);
}
