use super::*;

/// What was read, without the token and the raw text.
fn seen(question: &ElicitationRequest) -> String {
    format!("{question:?}").split(", withdrawn: ").next().unwrap().to_owned()
}

#[test]
fn every_member_of_the_cli_is_read() {
    let form = question(json!({
        "subtype": "elicitation",
        "mcp_server_name": "shop",
        "message": "Who?",
        "mode": "form",
        "requested_schema": {"type": "object", "properties": {"1": {}, "name": {}}},
        "property_order": ["name", "1"],
        "title": "T",
        "display_name": "D",
        "description": "E",
        "newer": [1],
    }))
    .unwrap();
    expect_test::expect![[r#"ElicitationRequest { mcp_server_name: "shop", message: "Who?", kind: Form { requested_schema: {"type":"object","properties":{"1":{},"name":{}}}, property_order: ["name", "1"] }, title: Some("T"), display_name: Some("D"), description: Some("E")"#]]
        .assert_eq(&seen(&form));
    assert_eq!(form.member("newer"), Some("[1]"));

    let page = question(json!({
        "mcp_server_name": "shop",
        "message": "Pay.",
        "mode": "url",
        "url": "https://shop.example/pay",
        "elicitation_id": "e1",
    }))
    .unwrap();
    expect_test::expect![[r#"ElicitationRequest { mcp_server_name: "shop", message: "Pay.", kind: Url { url: "https://shop.example/pay", elicitation_id: Some("e1") }, title: None, display_name: None, description: None"#]]
        .assert_eq(&seen(&page));
}

#[test]
fn a_question_of_mcp_is_read_as_the_cli_would_pass_it_on() {
    let read = |params: Value| {
        let params = params.to_string().into();
        ElicitationRequest::read(params, Some("shop"), CancelToken::default()).unwrap()
    };
    let form = read(json!({
        "mcp_server_name": "another",
        "message": "Who?",
        "requestedSchema": {"type": "object", "properties": {"n\u{e4}me": {}, "age": {}}},
        "_meta": {
            "anthropic/permissionDisplay": {"title": "T", "displayName": "D", "description": "E"},
        },
    }));
    expect_test::expect![[r#"ElicitationRequest { mcp_server_name: "shop", message: "Who?", kind: Form { requested_schema: {"type":"object","properties":{"näme":{},"age":{}}}, property_order: ["näme", "age"] }, title: Some("T"), display_name: Some("D"), description: Some("E")"#]]
        .assert_eq(&seen(&form));

    let page = read(json!({
        "mode": "url",
        "message": "Pay.",
        "url": "https://shop.example/pay",
        "elicitationId": "e1",
    }));
    assert!(
        seen(&page).contains(
            r#"kind: Url { url: "https://shop.example/pay", elicitation_id: Some("e1") }"#
        )
    );
}

#[test]
fn a_question_that_lacks_what_it_asks_for_cannot_be_read() {
    for (text, why) in [
        (json!({}), "no schema"),
        (json!({"mode": "form", "requested_schema": "x"}), "no schema"),
        (json!({"mode": "url", "url": 7}), "no page"),
        (json!([]), "no schema"),
    ] {
        let error = question(text.clone()).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
    let torn = ElicitationRequest::read("{".into(), None, CancelToken::default());
    assert!(torn.is_err());
}

#[test]
fn another_mode_is_named() {
    let question = question(json!({"mode": "voice", "message": "Hm?"})).unwrap();
    assert_eq!(question.kind, ElicitationKind::Other("voice".into()));
}
