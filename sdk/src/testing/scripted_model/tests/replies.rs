//! Replies that are more than words.

use serde_json::{Value, json};

use super::super::{Gate, Reply, ScriptedModel};
use super::{events_of, hello, post, send};

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
