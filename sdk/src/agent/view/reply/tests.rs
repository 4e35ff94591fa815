use serde_json::{Value, json};

use super::*;
use crate::CancelToken;
use crate::agent::view::user_question::UserQuestion;

fn request(fields: &Value) -> PermissionRequest {
    PermissionRequest::read(fields.to_string(), CancelToken::default()).unwrap()
}

fn decision(request: &PermissionRequest, reply: Reply) -> Value {
    reply.permission(request).to_hook_decision().unwrap().to_value()
}

fn denied(why: &str) -> Value {
    json!({"behavior": "deny", "message": why})
}

fn answers(text: &Value) -> Reply {
    Reply::Answers(text.as_object().unwrap().clone())
}

#[test]
fn a_rule_that_is_proposed_holds_for_the_session() {
    let rule = |destination| {
        json!({
            "type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "ls"}],
            "behavior": "allow", "destination": destination,
        })
    };
    let mut fields = json!({
        "tool_name": "Bash", "input": {"command": "ls"},
        "permission_suggestions": [rule("localSettings")],
    });
    let offered = request(&fields);
    assert!(offered.can_allow_for_session());
    assert_eq!(
        decision(&offered, Reply::of_line(" Always\n")),
        json!({"behavior": "allow", "updatedPermissions": [rule("session")]})
    );
    assert_eq!(decision(&offered, Reply::Allow), json!({"behavior": "allow"}));
    fields["suppress_always_allow_rule"] = true.into();
    let withheld = request(&fields);
    assert!(!withheld.can_allow_for_session());
    assert_eq!(decision(&withheld, Reply::Always), denied(NO));
}

#[test]
fn the_answers_stand_in_the_input_of_the_call() {
    let input = json!({"questions": [{"question": "Which?", "options": []}], "metadata": {}});
    let asked = request(&json!({
        "tool_name": "AskUserQuestion", "input": input, "requires_user_interaction": true,
    }));
    let mut answered = input.clone();
    answered["answers"] = json!({"Which?": "This."});
    assert_eq!(
        decision(&asked, answers(&json!({"Which?": "This."}))),
        json!({"behavior": "allow", "updatedInput": answered})
    );
    let open = denied("the user does not answer");
    assert_eq!(decision(&asked, answers(&json!({}))), open);
    assert_eq!(decision(&asked, Reply::Allow), open);
    assert_eq!(
        decision(&asked, Reply::Deny("later".into())),
        denied("the user does not want this, but says: later")
    );
    let unread = request(&json!({"tool_name": "AskUserQuestion", "input": {"questions": 7}}));
    assert_eq!(
        decision(&unread, Reply::Allow),
        denied("the questions cannot be shown: ask them as text")
    );
    // They are no way to change the input of another tool.
    let other = request(&json!({"tool_name": "Bash", "input": {"command": "ls"}}));
    assert_eq!(decision(&other, answers(&json!({"command": "rm"}))), denied(NO));
}

#[test]
fn options_are_chosen_by_number() {
    let question = |multi| {
        let options = json!([{"label": "Red"}, {"label": "Green"}, {"label": "Dark Blue"}]);
        let text = json!({"question": "Which?", "options": options, "multiSelect": multi});
        serde_json::from_value::<UserQuestion>(text).unwrap()
    };
    let (one, several) = (question(false), question(true));
    let typed = |line| [one.read(line), several.read(line)].map(Option::unwrap_or_default);
    assert_eq!(typed("2\n"), ["Green", "Green"]);
    assert_eq!(typed("1, 3"), ["1, 3", "Red, Dark Blue"]);
    assert_eq!(typed("4"), ["4", "4"]);
    assert_eq!(typed("0"), ["0", "0"]);
    assert_eq!(typed(" Pink, please "), ["Pink, please", "Pink, please"]);
    assert_eq!([one.read(" \n"), several.read("")], [None, None]);
    assert!(one.prompt() != several.prompt());
}
