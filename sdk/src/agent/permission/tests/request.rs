use super::*;

fn full() -> Value {
    json!({
        "subtype": "can_use_tool",
        "tool_name": "mcp__calc__add",
        "mcp_server": {"name": "calc", "source": "sdk"},
        "input": {"a": 2},
        "permission_suggestions": [
            {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": null}], "behavior": "allow", "destination": "localSettings"},
            {"type": "newKind", "what": 1}
        ],
        "blocked_path": "/etc",
        "decision_reason": "a rule",
        "decision_reason_type": "rule",
        "classifier_approvable": true,
        "suppress_always_allow_rule": true,
        "default_to_no": true,
        "matched_ask_rule": {"source": "userSettings", "tool_name": "Bash", "rule_content": "rm:*"},
        "title": "Add?",
        "display_name": "calc - add",
        "tool_use_id": "toolu_1",
        "agent_id": "agent_1",
        "description": "adds",
        "requires_user_interaction": true,
        "newer": [1]
    })
}

/// What was read, without the token and the raw text.
fn seen(request: &PermissionRequest) -> String {
    let text = format!("{request:?}");
    text.split(", cancel: ").next().unwrap().to_owned()
}

#[test]
fn every_field_is_read() {
    let request = request(full());
    expect_test::expect![[r#"PermissionRequest { tool_name: "mcp__calc__add", mcp_server: Some(McpServerProvenance { name: "calc", source: "sdk" }), input: {"a":2}, tool_use_id: "toolu_1", agent_id: Some("agent_1"), suggestions: [AddRules { rules: [PermissionRuleValue { tool_name: "Bash", rule_content: None }], behavior: Allow, destination: LocalSettings }, Other(Object {"type": String("newKind"), "what": Number(1)})], blocked_path: Some("/etc"), decision_reason: Some("a rule"), decision_reason_type: Some(Rule), classifier_approvable: Some(true), suppress_always_allow_rule: true, default_to_no: true, matched_ask_rule: Some(MatchedAskRule { source: "userSettings", tool_name: "Bash", rule_content: Some("rm:*") }), title: Some("Add?"), display_name: Some("calc - add"), description: Some("adds"), requires_user_interaction: true"#]]
        .assert_eq(&seen(&request));
    assert!(request.raw().contains(r#""newer":[1]"#));

    #[derive(serde::Deserialize)]
    struct Add {
        a: i32,
    }
    assert_eq!(request.input::<Add>().unwrap().a, 2);
    assert!(request.input::<Vec<i32>>().is_err());
}

#[test]
fn what_is_missing_or_has_another_type_is_empty() {
    let empty = seen(&request(json!({})));
    expect_test::expect![[r#"PermissionRequest { tool_name: "", mcp_server: None, input: {}, tool_use_id: "", agent_id: None, suggestions: [], blocked_path: None, decision_reason: None, decision_reason_type: None, classifier_approvable: None, suppress_always_allow_rule: false, default_to_no: false, matched_ask_rule: None, title: None, display_name: None, description: None, requires_user_interaction: false"#]]
        .assert_eq(&empty);
    let Value::Object(full) = full() else { unreachable!() };
    let mistyped: Value = full.keys().map(|name| (name.clone(), json!(7))).collect();
    assert_eq!(seen(&request(mistyped)), empty);
    for text in ["null", "[]", "\"x\""] {
        assert_eq!(
            seen(&PermissionRequest::read(text, CancelToken::default()).unwrap()),
            empty,
            "{text}"
        );
    }
    assert!(PermissionRequest::read("{", CancelToken::default()).is_err());
}

#[test]
fn what_is_suggested_is_allowed_for_the_session() {
    let answer = |request: Value| {
        let decision = super::request(request).allow_for_session().to_hook_decision().unwrap();
        decision.to_value()
    };
    let rules = |destination| {
        json!([
            {"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "allow", "destination": destination},
            {"type": "addDirectories", "directories": ["/data"], "destination": destination},
        ])
    };
    let mut asked = json!({"permission_suggestions": rules("localSettings")});
    assert_eq!(
        answer(asked.clone()),
        json!({"behavior": "allow", "updatedPermissions": rules("session")})
    );
    let once = json!({"behavior": "allow"});
    asked["suppress_always_allow_rule"] = true.into();
    assert_eq!(answer(asked), once);
    assert_eq!(answer(json!({})), once);
}

#[test]
fn what_is_suggested_in_an_unknown_form_is_not_allowed_for_the_session() {
    let known = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
    let newer = json!({"type": "grantScope", "scope": "net", "destination": "localSettings"});
    let odd = json!({"type": "addRules", "rules": "all", "destination": "userSettings"});
    let allowed = |suggestions: Value| {
        let request = super::request(json!({"permission_suggestions": suggestions}));
        let answer = request.allow_for_session().to_hook_decision().unwrap().to_value();
        (request.can_allow_for_session(), answer["updatedPermissions"].clone())
    };
    assert_eq!(allowed(json!([newer, known, odd])), (true, json!([known])));
    assert_eq!(allowed(json!([newer, odd])), (false, Value::Null));
}

#[test]
fn the_signal_is_the_one_that_was_given() {
    let cancel = CancelToken::default();
    let request = PermissionRequest::read("{}", cancel.clone()).unwrap();
    cancel.cancel();
    assert!(request.cancel.is_cancelled());
}

#[test]
fn halves_of_characters_are_replaced_and_hide_nothing() {
    let text = r#"{"tool_name":"B\ud83dsh","input":{"a\udc00":["\ud83d\ude00","\\ud83d","\ud83d\n","\ud83d\ud83d\ude00","\u0041\ud8"]}}"#;
    assert!(
        PermissionRequest::read(text, CancelToken::default()).is_err(),
        "the last of them is no JSON"
    );
    let text = text.replace(r#","\u0041\ud8""#, "");
    let request = PermissionRequest::read(text, CancelToken::default()).unwrap();
    assert_eq!(request.tool_name, "B\u{fffd}sh");
    let expected =
        json!({"a\u{fffd}": ["\u{1f600}", "\\ud83d", "\u{fffd}\n", "\u{fffd}\u{1f600}"]});
    assert_eq!(request.input.to_value(), expected);
    assert!(request.raw().contains(r"\ud83d"), "what came is kept");
}

#[test]
fn what_cannot_be_held_is_an_error() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for input in ["{\"a\":1e400}".to_owned(), format!("{{\"a\":{deep}}}")] {
        let text = format!("{{\"tool_name\":\"Bash\",\"input\":{input}}}");
        assert!(PermissionRequest::read(&*text, CancelToken::default()).is_err(), "{text}");
    }
}
