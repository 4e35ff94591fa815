use super::*;

#[test]
fn unknown_types_are_kept() {
    let raw = r#"{"type":"moon_phase","uuid":"u","session_id":"s","deep":{"a":[1e400,"\ud800"]}}"#;
    let message = parse(raw);
    assert_eq!(
        (message.r#type(), message.uuid(), message.session_id()),
        ("moon_phase", Some("u"), Some("s"))
    );
    assert_eq!(message.member("deep"), Some(r#"{"a":[1e400,"\ud800"]}"#));
    assert!(matches!(message, Message::Unknown(_)));
}

#[test]
fn unknown_subtypes_are_kept() {
    for subtype in ["post_turn_summary", "agents_killed", "ui_x"] {
        let raw = format!(r#"{{"type":"system","subtype":"{subtype}","uuid":"u","detail":{{}}}}"#);
        let message = parse(&raw);
        let Message::System(SystemMessage::Other(other)) = &message else { panic!() };
        assert_eq!(
            (other.subtype.as_str(), other.uuid.as_str(), other.raw()),
            (subtype, "u", raw.as_str())
        );
        assert_eq!(message.member("detail"), Some("{}"));
    }
    let Message::System(message) = parse(r#"{"type":"system"}"#) else { panic!() };
    assert_eq!(message.subtype(), "");
}

#[test]
fn what_is_no_message_is_kept() {
    for raw in [
        "",
        " ",
        "5",
        "null",
        "\"type\"",
        "[]",
        r#"["type","user"]"#,
        "{",
        "{}",
        r#"{"type":5}"#,
        "hello",
        r#"{"type":"user""#,
        "{\"type\":\"user\"} x",
    ] {
        let message = parse(raw);
        assert!(matches!(&message, Message::Unknown(_)), "{raw}");
        assert_eq!(message.uuid(), None);
    }
    assert_eq!(parse(r#"{"type":null,"uuid":"u"}"#).uuid(), Some("u"));
}

#[test]
fn an_escaped_type_is_a_type() {
    assert!(matches!(parse(r#"{"type":"us\u0065r"}"#), Message::User(_)));
}

#[test]
fn unknown_blocks_events_and_pieces_are_kept() {
    let raw = r#"{"type":"assistant","message":{"content":[{"type":"hologram","data":[1,2.50]},5,{"type":"text","text":"a"},{"text":"b"}]}}"#;
    let Message::Assistant(message) = parse(raw) else { panic!() };
    let blocks = &message.message.content;
    let unknown = |block: &ContentBlock| match block {
        ContentBlock::Unknown(raw) => Some(raw.get().to_owned()),
        _ => None,
    };
    assert_eq!(unknown(&blocks[0]).as_deref(), Some(r#"{"type":"hologram","data":[1,2.50]}"#));
    assert_eq!(unknown(&blocks[1]).as_deref(), Some("5"));
    assert_eq!(unknown(&blocks[3]).as_deref(), Some(r#"{"text":"b"}"#));
    assert_eq!(message.text(), "a");

    let event = |event: &str| match parse(&format!(r#"{{"type":"stream_event","event":{event}}}"#))
    {
        Message::StreamEvent(message) => message.event,
        _ => panic!(),
    };
    assert!(
        matches!(event(r#"{"type":"message_pause"}"#), ApiEvent::Unknown(raw) if raw.get() == r#"{"type":"message_pause"}"#)
    );
    assert!(matches!(event("[]"), ApiEvent::Unknown(raw) if raw.get() == "[]"));
    let ApiEvent::ContentBlockDelta(piece) =
        event(r#"{"type":"content_block_delta","index":2,"delta":{"type":"hologram_delta"}}"#)
    else {
        panic!()
    };
    assert!(
        matches!(&piece.delta, Delta::Unknown(raw) if raw.get() == r#"{"type":"hologram_delta"}"#)
    );
    assert_eq!(piece.index, 2);
}

#[test]
fn raw_values_can_be_decoded_and_written() {
    let raw = r#"{"type":"user","tool_use_result":{"b": 1.0, "a":[ ]}}"#;
    let Message::User(message) = parse(raw) else { panic!() };
    let value = message.tool_use_result.unwrap();
    assert_eq!(value.to_string(), r#"{"b": 1.0, "a":[ ]}"#);
    assert_eq!(value.decode::<serde_json::Value>().unwrap()["b"], 1.0);
    assert_eq!(
        serde_json::to_string(&[&value, &RawJson::default()]).unwrap(),
        r#"[{"b": 1.0, "a":[ ]},null]"#
    );
}
