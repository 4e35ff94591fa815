use super::*;

fn assistant(content: &str) -> AssistantMessage {
    match parse(&format!(r#"{{"type":"assistant","message":{{"content":[{content}]}}}}"#)) {
        Message::Assistant(message) => *message,
        _ => panic!(),
    }
}

#[test]
fn text_is_joined_and_one_alone_is_borrowed() {
    assert_eq!(assistant("").text(), "");
    let one = assistant(r#"{"type":"thinking","thinking":"hm"},{"type":"text","text":"a\nb"}"#);
    assert!(matches!(one.text(), std::borrow::Cow::Borrowed("a\nb")));
    assert_eq!(
        assistant(
            r#"{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"text","text":"c"}"#
        )
        .text(),
        "abc"
    );
}

#[test]
fn tool_calls_keep_their_arguments_exactly() {
    let message = assistant(
        r#"{"type":"tool_use","id":"t","name":"add","input":{"a": 1e400,"b":12345678901234567890123}},{"type":"tool_use"}"#,
    );
    let calls = message.tool_uses().collect::<Vec<_>>();
    assert_eq!((calls[0].id.as_str(), calls[0].name.as_str()), ("t", "add"));
    assert_eq!(calls[0].input.get(), r#"{"a": 1e400,"b":12345678901234567890123}"#);
    assert_eq!(calls[1].input.get(), "null");
}

#[test]
fn results_of_tools_are_texts_or_blocks() {
    let raw = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"<e>","is_error":true},
        {"type":"text","text":"between"},
        {"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"4"},{"type":"image","source":{"type":"base64","data":"AA=="}},{"type":"text","text":"2"}]},
        {"type":"tool_result","tool_use_id":"c"},
        {"type":"tool_result","tool_use_id":"d","content":[{"type":"tool_result","content":"inner"}]}]}}"#;
    let Message::User(message) = parse(raw) else { panic!() };
    let results = message
        .tool_results()
        .map(|result| (result.tool_use_id.as_str(), result.content.text(), result.is_error))
        .collect::<Vec<_>>();
    assert_eq!(
        results,
        [
            ("a", "<e>".into(), true),
            ("b", "42".into(), false),
            ("c", "".into(), false),
            ("d", "".into(), false)
        ]
    );
    assert_eq!(message.text(), "between");
    let last = message.tool_results().last().unwrap();
    assert!(
        matches!(&last.content.blocks()[0], ContentBlock::Unknown(raw) if raw.get() == r#"{"type":"tool_result","content":"inner"}"#)
    );
}

#[test]
fn a_prompt_may_be_a_text() {
    let Message::User(message) =
        parse(r#"{"type":"user","message":{"role":"user","content":"hi"}}"#)
    else {
        panic!()
    };
    assert_eq!((&*message.text(), message.tool_results().count()), ("hi", 0));
}

#[test]
fn pieces_of_text_are_found() {
    let piece = |event: &str| match parse(&format!(r#"{{"event":{event},"type":"stream_event"}}"#))
    {
        Message::StreamEvent(message) => message.text_delta().map(str::to_owned),
        _ => panic!(),
    };
    assert_eq!(
        piece(r#"{"delta":{"text":"a","type":"text_delta"},"type":"content_block_delta"}"#)
            .as_deref(),
        Some("a")
    );
    assert_eq!(
        piece(r#"{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"a"}}"#),
        None
    );
    assert_eq!(piece(r#"{"type":"ping"}"#), None);
}

#[test]
fn a_large_text_is_read() {
    let text = "line \\\"of\\\" text\\n".repeat(500_000);
    let message = assistant(&format!(r#"{{"type":"text","text":"{text}"}}"#));
    assert_eq!(message.text().len(), "line \"of\" text\n".len() * 500_000);
}
