use serde_json::{Value, json};

use super::*;
use crate::CancelToken;

fn said(suggestions: &Value) -> Option<String> {
    let request = json!({"tool_name": "Bash", "permission_suggestions": suggestions});
    always(&PermissionRequest::read(request.to_string(), CancelToken::default()).unwrap())
}

#[test]
fn each_kind_of_suggestion_is_said() {
    let rules = |kind: &str, behavior: &str| {
        let rules = json!([{"toolName": "Bash", "ruleContent": "git log *"}, {"toolName": "Read"}]);
        json!({"type": kind, "rules": rules, "behavior": behavior, "destination": "session"})
    };
    for (suggestion, expected) in [
        (rules("addRules", "allow"), "Bash(git log *), Read"),
        (rules("addRules", "deny"), "deny Bash(git log *), Read"),
        (rules("replaceRules", "allow"), "only Bash(git log *), Read"),
        (rules("removeRules", "ask"), "ask no longer Bash(git log *), Read"),
        (json!({"type": "setMode", "mode": "acceptEdits"}), "the permission mode acceptEdits"),
        (json!({"type": "addDirectories", "directories": ["/a", "/b"]}), "the folder /a, /b"),
        (json!({"type": "removeDirectories", "directories": ["/a"]}), "no longer the folder /a"),
    ] {
        assert_eq!(said(&json!([suggestion])).as_deref(), Some(expected));
    }
    let mode = json!({"type": "setMode", "mode": "plan"});
    let several = json!([rules("addRules", "allow"), {"type": "new"}, mode]);
    assert_eq!(said(&several).as_deref(), Some("Bash(git log *), Read; the permission mode plan"));
    assert_eq!(said(&json!([])), None);
    assert_eq!(said(&json!([{"type": "new"}])), None);
}
