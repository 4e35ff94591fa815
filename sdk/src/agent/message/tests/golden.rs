use serde_json::Value;

use super::*;

#[test]
fn every_member_of_every_message_is_typed() {
    for line in golden() {
        let message = parse(line);
        let typed = typed(&message);
        assert!(!typed.contains("Unknown") && !typed.contains("Other("), "{line}\n{typed}");
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(message.r#type(), value["type"]);
        if let Message::System(system) = &message {
            assert_eq!(system.subtype(), value["subtype"]);
        }
        assert_eq!(message.uuid(), value["uuid"].as_str());
        assert_eq!(message.session_id(), value["session_id"].as_str());
        assert_eq!(
            message.user_message_uuid(),
            value.get("user_message_uuid").and_then(Value::as_str)
        );
        // That of a report of progress is the call itself.
        let parent = value.get("parent_tool_use_id").filter(|_| value["type"] != "tool_progress");
        assert_eq!(message.parent_tool_use_id(), parent.and_then(Value::as_str));
        // The values in the file are unlike one another.
        leaves("", &value, &mut |key, leaf| {
            assert!(
                key == "type" || key == "subtype" || typed.contains(leaf),
                "{key} {leaf}\n{typed}"
            )
        });
    }
}

fn leaves(key: &str, value: &Value, see: &mut impl FnMut(&str, &str)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| leaves(key, value, see)),
        Value::Array(elements) => elements.iter().for_each(|value| leaves(key, value, see)),
        Value::Null => {}
        leaf => see(key, &leaf.to_string()),
    }
}

#[test]
fn all_forms_are_there() {
    let mut forms = golden().map(|line| form(&parse(line))).collect::<Vec<_>>();
    forms.dedup();
    assert_eq!(
        forms.len(),
        11 + 29,
        "a form for each type that is no system message, one for each subtype"
    );
}

#[test]
fn the_order_of_the_members_makes_no_difference() {
    for line in golden() {
        let value: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        let members = value.iter().rev().map(|(key, value)| format!(" {key:?} :\t{value}"));
        let reversed = format!("{{{}}} ", members.collect::<Vec<_>>().join(" ,"));
        let message = parse(&reversed);
        assert_eq!(typed(&message), typed(&parse(line)));
    }
}

#[test]
fn messages_are_small() {
    assert!(size_of::<Message>() <= 16);
}

#[test]
fn whitespace_around_and_within_is_kept() {
    let raw = " {\n \"type\" : \"prompt_suggestion\" , \"suggestion\" : \"Go on.\" }\r\n";
    let Message::PromptSuggestion(message) = parse(raw) else { panic!() };
    assert_eq!(message.suggestion, "Go on.");
    assert_eq!(message.raw(), raw);
}

#[test]
fn real_messages_are_read() {
    let Message::System(SystemMessage::Init(init)) = parse(
        r#"{"type":"system","subtype":"init","cwd":"/work","session_id":"s","tools":["Task","Bash"],"mcp_servers":[{"name":"calc","status":"connected","source":"sdk"}],"model":"claude-opus-5-5","permissionMode":"default","apiKeySource":"ANTHROPIC_API_KEY","claude_code_version":"2.1.328","plugins":[{"name":"p","path":"builtin","source":"p@builtin"}],"analytics_disabled":true,"uuid":"u","memory_paths":{"auto":"/m/"},"fast_mode_state":"off"}"#,
    ) else {
        panic!()
    };
    assert_eq!(
        (init.tools.len(), init.mcp_servers[0].status.as_str(), init.permission_mode.as_str()),
        (2, "connected", "default")
    );

    // This one has its type in the middle.
    let message = parse(
        r#"{"duration_api_ms":16,"stop_reason":"end_turn","session_id":"s","total_cost_usd":0.006,"usage":{"input_tokens":1000,"output_tokens":100,"iterations":[],"fallback_credit":null},"modelUsage":{"claude-opus-5-5":{"inputTokens":1000,"outputTokens":100,"costUSD":0.006}},"permission_denials":[],"terminal_reason":"completed","subagent_stats":{"spawned":0},"is_error":false,"num_turns":1,"subtype":"success","api_error_status":null,"result":"Hello 😀","type":"result","duration_ms":74,"uuid":"u"}"#,
    );
    assert_eq!(message.member("subagent_stats"), Some(r#"{"spawned":0}"#));
    let Message::Result(result) = message else { panic!() };
    assert_eq!(
        (result.num_turns, result.total_cost_usd, result.is_error, &*result.text()),
        (1, 0.006, false, "Hello 😀")
    );
    assert_eq!(result.model_usage["claude-opus-5-5"].cost_usd, 0.006);
    assert!(!result.is_by_itself());
}
