use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// The JSON pointers of all members and elements.
fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(key, value)| (format!("{at}/{key}"), value)).collect()
        }
        Value::Array(elements) => elements
            .iter()
            .enumerate()
            .map(|(index, value)| (format!("{at}/{index}"), value))
            .collect(),
        _ => return,
    };
    for (pointer, child) in children {
        pointers(child, &pointer, found);
        found.push(pointer);
    }
}

fn remove(value: &mut Value, pointer: &str) {
    let (parent, last) = pointer.rsplit_once('/').unwrap();
    match value.pointer_mut(parent).unwrap() {
        Value::Object(members) => drop(members.remove(last)),
        Value::Array(elements) => drop(elements.remove(last.parse().unwrap())),
        _ => unreachable!(),
    }
}

/// A damaged message has the form of the whole one, and nothing else in it is damaged: its first
/// member at the top is what differs.
fn check(whole: &Message, damaged: &str, pointer: &str) {
    let message = parse(damaged);
    assert_eq!(form(&message), form(whole), "{pointer} {damaged}");
    for (top, of) in [
        ("/uuid", Message::uuid as fn(&Message) -> Option<&str>),
        ("/session_id", Message::session_id),
    ] {
        assert!(pointer == top || of(&message) == of(whole), "{pointer} {damaged}");
    }
}

#[test]
fn a_member_may_be_missing() {
    for line in golden() {
        let (whole, value) = (parse(line), serde_json::from_str::<Value>(line).unwrap());
        let mut all = Vec::new();
        pointers(&value, "", &mut all);
        for pointer in
            all.iter().filter(|pointer| !["/type", "/subtype"].contains(&pointer.as_str()))
        {
            let mut damaged = value.clone();
            remove(&mut damaged, pointer);
            check(&whole, &damaged.to_string(), pointer);
            // A member that is read leaves a gap. Two of the types say nothing: there is only one
            // kind of what they are in.
            let is_only_kind = ["message/type", "/message/content/3/content/0/type"]
                .iter()
                .any(|only| pointer.ends_with(only));
            let says_nothing = is_only_kind
                || [json!(null), json!(false), json!([])].contains(value.pointer(pointer).unwrap());
            assert!(
                says_nothing || typed(&parse(&damaged.to_string())) != typed(&whole),
                "{pointer}"
            );
        }
    }
}

#[test]
fn a_member_may_have_another_type() {
    const MARK: &str = "the place";
    let others = [
        "null",
        "true",
        "-7",
        "0.5",
        "1e400",
        "1e3",
        "\"\"",
        "\"x\"",
        r#""\ud83d""#,
        "[]",
        "{}",
        "[null,5,\"x\",[],{}]",
        r#"{"type":5,"a":[{}]}"#,
        r#"{"\ud800":1}"#,
        "nonsense",
    ];
    for line in golden() {
        let (whole, value) = (parse(line), serde_json::from_str::<Value>(line).unwrap());
        let mut all = Vec::new();
        pointers(&value, "", &mut all);
        for pointer in
            all.iter().filter(|pointer| !["/type", "/subtype"].contains(&pointer.as_str()))
        {
            let mut damaged = value.clone();
            *damaged.pointer_mut(pointer).unwrap() = json!(MARK);
            let damaged = damaged.to_string();
            for other in others {
                check(&whole, &damaged.replace(&format!("{MARK:?}"), other), pointer);
            }
        }
    }
}

#[test]
fn what_has_the_wrong_type_reads_as_its_default_and_the_rest_is_read() {
    let raw = r#"{"type":"result","subtype":7,"num_turns":"3","total_cost_usd":1e400,"duration_ms":12.6,"is_error":null,"errors":["a",5,"b"],
        "usage":[1,2],"modelUsage":{"m":{"inputTokens":-1,"outputTokens":4,"costUSD":0.5},"n":5},"result":"cut \ud83d","permission_denials":[{"tool_name":{},
        "tool_use_id":"t"},3],"uuid":"u","uuid":"last"}"#;
    let Message::Result(result) = parse(raw) else { panic!() };
    assert_eq!(
        (result.subtype.as_str(), result.num_turns, result.total_cost_usd, result.is_error),
        ("", 0, 0.0, false)
    );
    assert_eq!(result.duration_ms, 13, "a fraction is rounded");
    assert_eq!(result.errors, ["a", "b"]);
    assert_eq!(result.usage, Usage::default());
    assert_eq!(result.model_usage.keys().collect::<Vec<_>>(), ["m"]);
    assert_eq!(
        (
            result.model_usage["m"].input_tokens,
            result.model_usage["m"].output_tokens,
            result.model_usage["m"].cost_usd
        ),
        (0, 4, 0.5)
    );
    assert_eq!(result.text(), "cut \u{fffd}");
    assert_eq!(result.permission_denials.len(), 1);
    assert_eq!(result.permission_denials[0].tool_use_id, "t");
    assert_eq!(result.uuid, "last");
}

#[test]
fn half_characters_are_replaced_and_whole_ones_are_not() {
    let text = |escaped: &str| match parse(&format!(
        r#"{{"type":"prompt_suggestion","suggestion":"{escaped}"}}"#
    )) {
        Message::PromptSuggestion(message) => message.suggestion,
        _ => panic!(),
    };
    assert_eq!(text(r"\ud83d\ude00"), "😀");
    assert_eq!(text(r"a\ud83d"), "a\u{fffd}");
    assert_eq!(text(r"\ude00\ud83d\ud83d\ude00\n\\ud83d"), "\u{fffd}\u{fffd}😀\n\\ud83d");
    assert_eq!(text(r"\ud83dé\u00e9"), "\u{fffd}éé");
    for no_escape in [r"\q", r"\u12", r"\u+123", r"\u12é4", r"\ué"] {
        assert_eq!(text(no_escape), "", "{no_escape}");
    }
}

#[test]
fn depth_costs_nothing() {
    for (open, close) in
        [("[", "]"), ("{\"content\":", "}"), (r#"[{"type":"tool_result","content":"#, "}]")]
    {
        let deep = format!("{}0{}", open.repeat(5_000), close.repeat(5_000));
        let raw = format!(
            r#"{{"type":"user","message":{{"role":"user","content":{deep}}},"tool_use_result":{deep},"origin":{deep},"inline_pastes":{deep},"uuid":"u"}}"#
        );
        let message = parse(&raw);
        assert_eq!(message.uuid(), Some("u"));
        let Message::User(message) = message else { panic!() };
        assert_eq!(message.tool_use_result.as_ref().map(RawJson::get), Some(deep.as_str()));
        assert!(matches!(parse(&deep), Message::Unknown(_)));
    }
    let events = format!(
        r#"{{"type":"stream_event","event":{}1{}}}"#,
        r#"{"type":"content_block_delta","delta":"#.repeat(5_000),
        "}".repeat(5_000)
    );
    assert!(matches!(parse(&events), Message::StreamEvent(_)));
}

#[test]
fn many_wrong_values_take_no_longer_than_many_right_ones() {
    let took = |values: [&str; 3]| {
        let [tools, plugins, content] = values.map(|value| vec![value; 100_000].join(","));
        let key = "k".repeat(1 << 20);
        let texts = [
            format!(
                r#"{{"type":"system","subtype":"init","tools":[{tools}],"plugins":[{plugins}],"{key}":1}}"#
            ),
            format!(r#"{{"type":"user","message":{{"content":[{content}]}}}}"#),
        ];
        let start = std::time::Instant::now();
        texts.iter().for_each(|text| drop(parse(text)));
        start.elapsed()
    };
    let right = took([r#""t""#, r#"{"name":"p","path":"p"}"#, r#"{"type":"text","text":"t"}"#]);
    let wrong = took(["[1]"; 3]);
    // What grows with the square of their number takes thousands of times as long.
    assert!(wrong < 100 * right, "{wrong:?}, {right:?}");
}

proptest! {
    #[test]
    fn texts_are_decoded_as_serde_decodes_them(text in any::<String>(), ascii in any::<bool>()) {
        let mut escaped = serde_json::to_string(&text).unwrap();
        if ascii {
            let units = escaped.encode_utf16().map(|unit| match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
                _ => format!("\\u{unit:04X}"),
            });
            escaped = units.collect();
        }
        let Message::PromptSuggestion(message) = parse(&format!(r#"{{"type":"prompt_suggestion","suggestion":{escaped}}}"#)) else { panic!() };
        prop_assert_eq!(&message.suggestion, &text);
    }

    #[test]
    fn no_text_is_too_broken(line in 0usize..57, from in 0usize..2_000, length in 0usize..40, patch in "[\\[\\]{}\":,\\\\u0-9a-f nt😀]{0,8}") {
        let line = golden().nth(line).unwrap();
        let at = |mut at: usize| {
            at = at.min(line.len());
            while !line.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let broken = [&line[..at(from)], &patch, &line[at(from + length)..]].concat();
        parse(&broken);
        super::super::peek(&broken);
    }
}
