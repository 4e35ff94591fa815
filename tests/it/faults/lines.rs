//! Output that is not as it should be, line by line.

use serde_json::{Value, json};
use toolwright::agent::Message;
use toolwright::agent::message::ContentBlock;

use super::fake::Fake;
use super::{Heard, error_result, result, says};

/// What a run hears of a CLI that says this in its turn.
async fn heard(said: &str) -> Heard {
    let fake = Fake::initialized().then("user").text(said).say(result());
    let heard = Heard::of(&mut fake.query().await).await;
    fake.is_gone().await;
    assert!(heard.error.is_none(), "{heard:?}");
    assert_eq!(heard.results().len(), 1, "the run goes on: {heard:?}");
    heard
}

fn saying(json: &str) -> String {
    format!(
        "{{\"type\":\"assistant\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":{json}}}]}}}}\n"
    )
}

#[tokio::test]
async fn what_is_no_json_is_passed_over() {
    let said = [
        "npm warn deprecated",
        "",
        "[1, 2]",
        "null",
        "\"text\"",
        "17",
        "\u{1b}[31mred\u{1b}[0m",
        "\r",
    ]
    .join("\n");
    let heard = heard(&format!("{said}\n{}", saying("\"hi\""))).await;
    assert_eq!(heard.types(), ["assistant", "result"]);
}

#[tokio::test]
async fn what_only_begins_as_json_is_delivered_as_it_is() {
    let heard =
        heard(&format!("{{foo}}\n{{\"type\":\"result\",\"is_error\":true\n{}", saying("\"hi\"")))
            .await;
    assert_eq!(heard.types(), ["", "", "assistant", "result"]);
    assert_eq!(heard.messages[0].raw(), "{foo}");
    assert!(matches!(heard.messages[1], Message::Unknown(_)), "half a result ends nothing");
}

#[tokio::test]
async fn half_a_line_at_the_end_is_dropped_and_a_whole_one_is_not() {
    let half = r#"{"type":"result","is_error":true,"result":"do"#;
    let fake = Fake::initialized().turn([says("hi")]).text(half);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!(heard.types(), ["assistant", "result"]);
    assert!(heard.error.is_none());

    let fake = Fake::initialized().then("user").say(says("hi")).text(half).with("exit", 1);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!(heard.types(), ["assistant"]);
    assert!(heard.error.is_some(), "what was not said explains no status");

    let fake = Fake::initialized()
        .then("user")
        .say(says("hi"))
        .text(error_result().to_string())
        .with("exit", 1);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!(heard.types(), ["assistant", "result"]);
    assert!(heard.error.is_none(), "{heard:?}");
    fake.is_gone().await;
}

#[tokio::test]
async fn line_separators_of_unicode_separate_no_lines() {
    let text = "a\u{2028}b\u{2029}c\u{85}d";
    let heard = heard(&saying(&format!("\"{text}\""))).await;
    assert_eq!(heard.text(), text);
}

#[tokio::test]
async fn lines_may_come_in_any_pieces() {
    let line = saying("\"näh\"");
    let fake = line
        .bytes()
        .fold(Fake::initialized().then("user"), |fake, byte| fake.with("bytes", json!([byte])))
        .say(result());
    assert_eq!(Heard::of(&mut fake.query().await).await.text(), "näh");
    assert_eq!(
        heard(&format!("{}{}", saying("\"a\""), saying("\"b\"")).replace('\n', "\r\n"))
            .await
            .text(),
        "ab"
    );
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    let line = saying("\"a?b?\"");
    let bytes: Vec<u8> = line.bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    let fake = Fake::initialized().then("user").with("bytes", bytes).say(result());
    assert_eq!(Heard::of(&mut fake.query().await).await.text(), "a\u{fffd}b\u{fffd}");
    fake.is_gone().await;
}

#[tokio::test]
async fn halves_of_characters_are_replaced() {
    let heard = heard(&saying(r#""a\ud83db\ude00c\ud83d\ude00""#)).await;
    assert_eq!(heard.text(), "a\u{fffd}b\u{fffd}c\u{1f600}");
}

#[tokio::test]
async fn numbers_beyond_all_bounds_cost_nothing_but_themselves() {
    let line = r#"{"type":"result","subtype":"success","is_error":false,"result":"done","total_cost_usd":1e400,"num_turns":3,"duration_ms":-1e999}"#;
    let fake = Fake::initialized().then("user").text(format!("{}{line}\n", saying("\"hi\"")));
    let heard = Heard::of(&mut fake.query().await).await;
    let [result] = heard.results()[..] else { panic!("{heard:?}") };
    assert_eq!(
        (result.result.as_deref(), result.num_turns, result.total_cost_usd, result.duration_ms),
        (Some("done"), 3, 0.0, 0)
    );
    assert!(result.raw().contains("1e400"));
    assert!(heard.error.is_none());
}

#[tokio::test]
async fn thousands_of_levels_are_delivered() {
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
    let lines = [
        format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"t","name":"n","input":{{"a":{deep}}}}}]}}}}"#
        ),
        format!(r#"{{"type":"assistant","message":{{"content":{deep}}}}}"#),
        format!(r#"{{"type":"assistant","message":{objects}}}"#),
        format!(r#"{{"type":"new","a":{objects}}}"#),
        format!(r#"{{"type":{deep}}}"#),
    ];
    for (line, kind) in lines.iter().zip(["assistant", "assistant", "assistant", "new", ""]) {
        let heard = heard(&format!("{line}\n")).await;
        assert_eq!(heard.types(), [kind, "result"]);
        assert_eq!(heard.messages[0].raw(), line);
    }
}

#[tokio::test]
async fn fields_that_are_missing_or_mistyped_cost_nothing_but_themselves() {
    let lines = [
        json!({"type": "assistant"}),
        json!({"type": "assistant", "message": "text"}),
        json!({"type": "assistant", "message": {"content": "text"}, "parent_tool_use_id": 7, "uuid": []}),
        json!({"type": "assistant", "message": {"content": [7, {"type": "text"}, {"type": 5}, {"text": "a"}, {"type": "text", "text": "b"}]}}),
        json!({"type": "user", "message": null}),
        json!({"type": "stream_event", "event": 5}),
        json!({"type": "system"}),
        json!({"type": "system", "subtype": "init", "tools": 5, "mcp_servers": {"a": 1}, "model": null}),
        json!({"type": "rate_limit_event", "rate_limit_info": []}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let heard = heard(&text).await;
    assert_eq!(heard.messages.len(), lines.len() + 1);
    for (message, line) in heard.messages.iter().zip(&lines) {
        assert_eq!(serde_json::from_str::<Value>(message.raw()).unwrap(), *line);
    }
    assert_eq!(heard.text(), "b");
}

#[tokio::test]
async fn a_result_with_next_to_nothing_in_it_is_a_result() {
    for line in [
        json!({"type": "result"}),
        json!({"type": "result", "subtype": 5, "is_error": "yes", "usage": [], "result": {}, "errors": "e"}),
    ] {
        let fake = Fake::initialized().then("user").say(line);
        let heard = Heard::of(&mut fake.query().await).await;
        assert!(matches!(heard.results()[..], [result] if !result.is_error), "{heard:?}");
        assert!(heard.error.is_none());
    }
}

#[tokio::test]
async fn what_is_not_known_is_delivered_whole() {
    let block = json!({"type": "hologram", "depth": 3});
    let lines = [
        json!({"type": "telepathy", "thought": {"of": "you"}}),
        json!({"type": "system", "subtype": "moon_phase", "phase": "full"}),
        json!({"type": "stream_event", "event": {"type": "message_hum", "hum": 1}}),
        json!({"type": "result", "subtype": "half_success", "is_error": false}),
        json!({"type": "assistant", "message": {"content": [block]}, "mood": "good"}),
    ];
    let fake = lines.iter().cloned().fold(Fake::initialized().then("user"), Fake::say);
    let heard = Heard::of(&mut fake.query().await).await;
    for (message, line) in heard.messages.iter().zip(&lines) {
        assert_eq!(serde_json::from_str::<Value>(message.raw()).unwrap(), *line);
    }
    assert_eq!(heard.types(), ["telepathy", "system", "stream_event", "result", "assistant"]);
    assert_eq!(heard.results()[0].subtype, "half_success");
    let Message::Assistant(message) = &heard.messages[4] else { panic!("{heard:?}") };
    assert!(matches!(message.message.content[..], [ContentBlock::Unknown(_)]), "{message:?}");
    assert!(heard.error.is_none());
}

#[tokio::test]
async fn what_is_meant_for_the_host_is_not_shown() {
    let hidden = [
        json!({"type": "keep_alive"}),
        json!({"type": "system", "subtype": "session_state_changed", "state": "running", "sdk_host_only": true}),
        json!({"type": "anything", "sdk_host_only": true}),
        json!({"type": "transcript_mirror", "filePath": "f", "entries": []}),
    ];
    let text: String = hidden.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(heard(&text).await.types(), ["result"]);
}
