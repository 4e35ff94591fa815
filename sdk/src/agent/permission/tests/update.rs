use expect_test::{Expect, expect};
use serde::{Deserialize, Serialize};

use super::*;

fn check(update: PermissionUpdate, expected: Expect) {
    let text = serde_json::to_string(&update).unwrap();
    expected.assert_eq(&text);
    assert_eq!(serde_json::from_str::<PermissionUpdate>(&text).unwrap(), update);
    let event = Event::Allowed { updates: vec![update] };
    let text = serde_json::to_string(&event).unwrap();
    assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
}

/// A type of which serde reads the tag first, and what is within it from memory.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Allowed { updates: Vec<PermissionUpdate> },
}

#[test]
fn every_form_is_written_and_read() {
    let rules =
        || [PermissionRuleValue::new("Read"), PermissionRuleValue::new("Bash").content("ls:*")];
    check(
        PermissionUpdate::add_rules(rules(), PermissionBehavior::Allow),
        expect![[
            r#"{"type":"addRules","rules":[{"toolName":"Read"},{"toolName":"Bash","ruleContent":"ls:*"}],"behavior":"allow","destination":"session"}"#
        ]],
    );
    check(
        PermissionUpdate::replace_rules(rules(), PermissionBehavior::Deny)
            .destination(PermissionUpdateDestination::UserSettings),
        expect![[
            r#"{"type":"replaceRules","rules":[{"toolName":"Read"},{"toolName":"Bash","ruleContent":"ls:*"}],"behavior":"deny","destination":"userSettings"}"#
        ]],
    );
    check(
        PermissionUpdate::remove_rules([PermissionRuleValue::new("Read")], PermissionBehavior::Ask)
            .destination(PermissionUpdateDestination::ProjectSettings),
        expect![[
            r#"{"type":"removeRules","rules":[{"toolName":"Read"}],"behavior":"ask","destination":"projectSettings"}"#
        ]],
    );
    check(
        PermissionUpdate::set_mode(PermissionMode::AcceptEdits)
            .destination(PermissionUpdateDestination::LocalSettings),
        expect![[r#"{"type":"setMode","mode":"acceptEdits","destination":"localSettings"}"#]],
    );
    check(
        PermissionUpdate::add_directories(["/a", "/b"])
            .destination(PermissionUpdateDestination::CliArg),
        expect![[r#"{"type":"addDirectories","directories":["/a","/b"],"destination":"cliArg"}"#]],
    );
    check(
        PermissionUpdate::remove_directories(["/a"]),
        expect![[r#"{"type":"removeDirectories","directories":["/a"],"destination":"session"}"#]],
    );
}

#[test]
fn unknown_ones_go_back_as_they_came() {
    for text in [
        r#"{"type":"newKind","what":[1,null]}"#,
        r#"{"type":"newKind","mode":"plan","destination":"session"}"#,
        r#"{"type":"addRules","rules":"all"}"#,
        r#"{"type":"setMode","mode":"brave","destination":"mars"}"#,
        r#"{"type":"addRules","rules":[7],"behavior":"allow"}"#,
        r#"{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":["ls"]}],"behavior":"allow"}"#,
        r#"{"type":"addRules","rules":[{"toolName":"Bash"}]}"#,
        r#"{"type":"addDirectories","directories":["/a"],"destination":7}"#,
        "7",
    ] {
        let update: PermissionUpdate = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&update).unwrap(), text);
    }
}

#[test]
fn a_rule_content_of_null_is_left_out() {
    let text = r#"{"type":"addRules","rules":[{"toolName":"Read","ruleContent":null}],"behavior":"allow"}"#;
    let update: PermissionUpdate = serde_json::from_str(text).unwrap();
    expect![[r#"{"type":"addRules","rules":[{"toolName":"Read"}],"behavior":"allow","destination":"session"}"#]]
        .assert_eq(&serde_json::to_string(&update).unwrap());
}

#[test]
fn modes_are_words() {
    for word in ["default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "auto"] {
        let mode = PermissionMode::from(word);
        assert!(!matches!(mode, PermissionMode::Other(_)), "{word}");
        assert_eq!(mode.as_str(), word);
        assert_eq!(mode.to_string(), word);
    }
    assert_eq!(PermissionMode::default(), PermissionMode::Default);
    assert_eq!(PermissionMode::from("manual").as_str(), "manual");
}
