use expect_test::{Expect, expect};
use serde_json::json;

use super::*;

fn check(permission: Permission, expected: Expect) {
    let answer =
        answer_of(move |_: PermissionRequest| std::future::ready(permission.clone()), bash());
    expected.assert_eq(&answer);
}

#[test]
fn allowing_sends_the_input_back() {
    check(
        Permission::allow(),
        expect![[r#"{"behavior":"allow","updatedInput":{"command":"ls"}}"#]],
    );
    check(
        Permission::allow().with_input(json!({"command": "pwd"})),
        expect![[r#"{"behavior":"allow","updatedInput":{"command":"pwd"}}"#]],
    );
}

#[test]
fn the_input_goes_back_as_it_came() {
    let text = r#"{"tool_name":"t","input":{"n":123456789012345678901234567890,"s":"\u00e9", "z":1,"a":0.10}}"#;
    let answer = answer_to(callback(async |_| Permission::allow()), text).unwrap();
    expect![[r#"{"behavior":"allow","updatedInput":{"n":123456789012345678901234567890,"s":"\u00e9", "z":1,"a":0.10}}"#]]
        .assert_eq(&answer);
}

#[test]
fn no_input_goes_back_as_an_empty_object() {
    for text in [
        r#"{"tool_name":"t"}"#,
        r#"{"tool_name":"t","input":null}"#,
        r#"{"tool_name":"t","input":[1]}"#,
        "7",
    ] {
        let answer = answer_to(callback(async |_| Permission::allow()), text).unwrap();
        assert_eq!(answer, r#"{"behavior":"allow","updatedInput":{}}"#, "{text}");
    }
}

#[test]
fn updates_are_sent_where_there_are_some() {
    let rule = PermissionRuleValue::new("Bash").content("git status:*");
    check(
        Permission::allow()
            .with_updates([PermissionUpdate::add_rules([rule], PermissionBehavior::Allow)])
            .decision_classification(PermissionDecisionClassification::UserPermanent),
        expect![[
            r#"{"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git status:*"}],"behavior":"allow","destination":"session"}],"decisionClassification":"user_permanent"}"#
        ]],
    );
}

#[test]
fn denying_says_why() {
    check(
        Permission::deny("no shell here"),
        expect![[r#"{"behavior":"deny","message":"no shell here"}"#]],
    );
    check(
        Permission::deny("enough")
            .and_interrupt()
            .decision_classification(PermissionDecisionClassification::UserReject),
        expect![[
            r#"{"behavior":"deny","message":"enough","interrupt":true,"decisionClassification":"user_reject"}"#
        ]],
    );
}

#[test]
fn what_does_not_belong_to_the_decision_is_left_out() {
    check(
        Permission::allow().and_interrupt(),
        expect![[r#"{"behavior":"allow","updatedInput":{"command":"ls"}}"#]],
    );
    check(
        Permission::deny("no").with_input(json!({})).with_updates([]),
        expect![[r#"{"behavior":"deny","message":"no"}"#]],
    );
}

#[test]
fn an_input_that_is_no_object_denies_the_call() {
    let bad = Permission::allow().with_input(7);
    assert!(!bad.is_allowed());
    check(
        bad,
        expect![[
            r#"{"behavior":"deny","message":"the changed input of Bash is not a JSON object, so it was not called"}"#
        ]],
    );
    let keys = std::collections::BTreeMap::from([((1, 2), 3)]);
    check(
        Permission::allow().with_input(keys),
        expect![[
            r#"{"behavior":"deny","message":"the changed input of Bash cannot be written as JSON (key must be a string), so it was not called"}"#
        ]],
    );
}

#[test]
fn closures_are_callbacks() {
    let shell = |request: PermissionRequest| async move {
        if request.tool_name == "Bash" {
            Permission::deny("no shell here")
        } else {
            Permission::allow()
        }
    };
    assert_eq!(answer_of(shell, bash()), r#"{"behavior":"deny","message":"no shell here"}"#);

    let why = String::from("by name");
    let named = async move |_| Permission::deny(why);
    assert_eq!(answer_of(named, bash()), r#"{"behavior":"deny","message":"by name"}"#);

    async fn function(request: PermissionRequest) -> Permission {
        Permission::deny(request.tool_use_id)
    }
    assert_eq!(answer_of(function, bash()), r#"{"behavior":"deny","message":"toolu_1"}"#);
}

#[test]
fn a_callback_may_fail() {
    let limit = String::from("ten");
    let parsed: PermissionCallback = callback(async move |_| {
        let limit: u64 = limit.parse()?;
        Ok(Permission::deny(limit.to_string()))
    });
    assert_eq!(
        answer_to(parsed, bash().raw()).unwrap_err(),
        "the callback failed: invalid digit found in string"
    );
}

#[test]
fn nothing_of_a_callback_runs_before_the_first_poll() {
    let given = |_: PermissionRequest| -> std::future::Ready<Permission> { panic!("run") };
    drop(ask(callback(given), bash().raw().into(), CancelToken::default(), RunRef::default()));
}
