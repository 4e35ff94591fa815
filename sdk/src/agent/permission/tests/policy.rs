use super::*;
use crate::{Context as ToolContext, Tool, ToolAnnotations, ToolRegistry};

fn tool(name: &'static str, change: fn(&mut ToolAnnotations)) -> Tool {
    Tool::new(name, "", json!({"type": "object"}), async |_: Value, _: ToolContext| "")
        .annotate(change)
}

fn registry() -> ToolRegistry {
    let tools = [
        tool("look", |hints| hints.read_only_hint = Some(true)),
        tool("wipe", |hints| hints.destructive_hint = Some(true)),
        tool("note", |hints| hints.destructive_hint = Some(false)),
        tool("bare", |_| ()),
    ];
    ToolRegistry::builder("calc").tools(tools).build().unwrap()
}

fn call(tool_name: &str) -> PermissionRequest {
    request(json!({"tool_name": tool_name, "input": {}}))
}

const ALLOWED: &str = r#"{"behavior":"allow","updatedInput":{}}"#;

#[test]
fn read_only_tools_are_allowed_and_nothing_else() {
    let policy = PermissionPolicy::from_annotations(&registry());
    assert_eq!(answer_by(policy.clone(), call("mcp__calc__look")), ALLOWED);
    for other in [
        "mcp__calc__wipe",
        "mcp__calc__note",
        "mcp__calc__bare",
        "mcp__calc__none",
        "mcp__calculus__look",
        "look",
        "Bash",
        "",
    ] {
        assert!(
            answer_by(policy.clone(), call(other)).starts_with(r#"{"behavior":"deny","#),
            "{other}"
        );
    }
    expect_test::expect![[
        r#"{"behavior":"deny","message":"mcp__calc__wipe is not a read-only tool of calc, and nobody is there to allow it"}"#
    ]]
    .assert_eq(&answer_by(policy, call("mcp__calc__wipe")));
}

#[test]
fn a_tool_is_known_by_the_name_that_claude_gives_it() {
    let registry = |tools: Vec<Tool>| ToolRegistry::builder("shelf").tools(tools).build().unwrap();
    let look_up = || tool("look.up", |hints| hints.read_only_hint = Some(true));
    let policy = PermissionPolicy::from_annotations(&registry(vec![look_up()]));
    assert_eq!(answer_by(policy, call("mcp__shelf__look_up")), ALLOWED);
    // Nothing tells which of the two it is.
    let two = registry(vec![look_up(), tool("look_up", |_| ())]);
    let policy = PermissionPolicy::from_annotations(&two);
    assert_ne!(answer_by(policy, call("mcp__shelf__look_up")), ALLOWED);
}

#[test]
fn a_server_that_cannot_be_read_may_be_another_one() {
    let policy = PermissionPolicy::from_annotations(&registry());
    let answer = |server: Value| {
        let call = json!({"tool_name": "mcp__calc__look", "input": {}, "mcp_server": server});
        answer_by(policy.clone(), request(call))
    };
    for server in [json!("calc"), json!(["calc"]), json!({"name": "calc"}), json!({})] {
        assert_ne!(answer(server.clone()), ALLOWED, "{server}");
    }
    assert_eq!(answer(json!(null)), ALLOWED);
}

/// It would be told else that a tool which only reads is none.
#[test]
fn the_model_is_told_why_a_call_is_denied() {
    let policy = PermissionPolicy::from_annotations(&registry());
    let denial = |field: &str, value: Value| {
        let call = json!({"tool_name": "mcp__calc__look", "input": {}, (field): value});
        answer_by(policy.clone(), request(call))
    };
    expect_test::expect![[
        r#"{"behavior":"deny","message":"mcp__calc__look is a tool of another server than the calc of this program, and nobody is there to allow it"}"#
    ]]
    .assert_eq(&denial("mcp_server", json!({"name": "calc", "source": "project"})));
    expect_test::expect![[
        r#"{"behavior":"deny","message":"mcp__calc__look is to be allowed by a person, and nobody is there to allow it"}"#
    ]]
    .assert_eq(&denial("requires_user_interaction", json!(true)));
}

#[test]
fn somebody_else_decides_the_rest() {
    let policy = PermissionPolicy::from_annotations(&registry()).or_ask(
        |request: PermissionRequest| async move {
            Permission::deny(format!("asked about {}", request.tool_name))
        },
    );
    assert_eq!(answer_by(policy.clone(), call("mcp__calc__look")), ALLOWED);
    assert_eq!(
        answer_by(policy, call("Bash")),
        r#"{"behavior":"deny","message":"asked about Bash"}"#
    );
}

#[test]
fn what_a_person_is_to_decide_is_not_decided() {
    let policy = PermissionPolicy::from_annotations(&registry());
    for (field, value) in [
        ("requires_user_interaction", json!(true)),
        ("matched_ask_rule", json!({"source": "userSettings", "tool_name": "mcp__calc"})),
        ("mcp_server", json!({"name": "cal", "source": "sdk"})),
        ("mcp_server", json!({"name": "calc", "source": "project"})),
        ("mcp_server", json!({"name": "calc"})),
    ] {
        let mut request_value = json!({"tool_name": "mcp__calc__look", "input": {}});
        request_value[field] = value;
        assert!(answer_by(policy.clone(), request(request_value)).contains("deny"), "{field}");
    }
    let ours = request(
        json!({"tool_name": "mcp__calc__look", "input": {}, "mcp_server": {"name": "calc", "source": "sdk"}}),
    );
    assert_eq!(answer_by(policy, ours), ALLOWED);
}

#[test]
fn tools_that_are_added_later_count() {
    let registry = registry();
    let policy = PermissionPolicy::from_annotations(&registry);
    registry.add(tool("late", |hints| hints.read_only_hint = Some(true))).unwrap();
    assert_eq!(answer_by(policy, call("mcp__calc__late")), ALLOWED);
}
