//! What is right but may not do what was meant.

use expect_test::expect;
use serde_json::json;

use super::harness::{options, registry};
use crate::agent::hook::{HookMatcher, HookOutput};
use crate::agent::options::{AgentOptionsBuilder, McpServer};
use crate::agent::permission::{Permission, PermissionMode, PermissionRequest};
use crate::{Context, Tool, ToolRegistry};

fn asking(builder: AgentOptionsBuilder) -> AgentOptionsBuilder {
    builder.can_use_tool(|_: PermissionRequest| async { Permission::allow() })
}

fn warnings(f: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder) -> String {
    options(f).warnings().join("\n")
}

#[test]
fn a_callback_that_is_not_asked() {
    expect!["can_use_tool is not asked about edits in the permission mode acceptEdits, nor about what allowed_tools allows (Read, Bash(git *)); a PreToolUse hook sees every call"].assert_eq(&warnings(|b| asking(b).allowed_tools(["Read", "Bash(git *)"]).permission_mode(PermissionMode::AcceptEdits)));
    assert_eq!(warnings(asking), "");
    assert_eq!(
        warnings(|b| b.allowed_tools(["Read"]).permission_mode(PermissionMode::AcceptEdits)),
        ""
    );
}

#[test]
fn a_registry_that_is_allowed_is_meant_to_be() {
    let calc = registry("calc");
    assert_eq!(warnings(|b| asking(b).allow_registry(&calc).mcp_server(&calc)), "");
    expect!["can_use_tool is not asked about what allowed_tools allows (Read); a PreToolUse hook sees every call"]
        .assert_eq(&warnings(|b| asking(b).allow_registry(&calc).allowed_tools(["Read"])));
    expect!["can_use_tool is not asked about what allowed_tools allows (mcp__calc__*); a PreToolUse hook sees every call"]
        .assert_eq(&warnings(|b| asking(b).allowed_tools(["mcp__calc__*"]).mcp_server(&calc)));
}

#[test]
fn rules_that_skills_imply_count() {
    expect!["can_use_tool is not asked about what allowed_tools allows (Skill); a PreToolUse hook sees every call"]
        .assert_eq(&warnings(|b| asking(b).all_skills()));
}

#[test]
fn rules_for_tools_that_there_are_not() {
    let calc = registry("calc");
    assert_eq!(
        warnings(|b| b.allow_registry(&calc).allowed_tools(calc.allowed_tools()).mcp_server(&calc)),
        ""
    );
    assert_eq!(
        warnings(|b| b.allowed_tools(["mcp__elsewhere__x", "mcp__calc"]).mcp_server(&calc)),
        ""
    );
    expect!["allowed_tools has mcp__calc__ad, and the registry calc has no tool ad yet"].assert_eq(
        &warnings(|b| b.allowed_tools(["mcp__calc__ad", "mcp__calc__add(x)"]).mcp_server(&calc)),
    );
}

#[test]
fn rules_against_tools_that_there_are_not() {
    let calc = registry("calc");
    assert_eq!(
        warnings(|b| {
            b.disallowed_tools(["mcp__calc__*", "mcp__calc", "mcp__calc__add", "Bash(rm *)"])
                .mcp_server(&calc)
        }),
        ""
    );
    expect!["disallowed_tools has mcp__calc__ad, and the registry calc has no tool ad yet"]
        .assert_eq(&warnings(|b| b.disallowed_tools(["mcp__calc__ad"]).mcp_server(&calc)));
}

#[test]
fn rules_for_a_tool_without_its_server() {
    let calc = McpServer::in_process(&registry("calc")).named("sums");
    expect![[r#"
        allowed_tools has add, and Claude knows that tool as mcp__sums__add
        disallowed_tools has echo(x), and Claude knows that tool as mcp__sums__echo"#]]
    .assert_eq(&warnings(|b| {
        b.allowed_tools(["add", "ad"]).disallowed_tools(["echo(x)"]).mcp_server(calc.clone())
    }));
    let aliases = [("add", "mcp__sums__add")];
    assert_eq!(
        warnings(|b| b.disallowed_tools(["add"]).tool_aliases(aliases).mcp_server(calc)),
        ""
    );
}

#[test]
fn names_of_built_in_tools_are_theirs() {
    let nothing = |_: serde_json::Value, _: Context| async { "" };
    let tool = |name| Tool::new(name, "", json!({"type": "object"}), nothing);
    let tools = [tool("Read"), tool("mcp__far__read")];
    let near = ToolRegistry::builder("near").tools(tools).build().unwrap();
    assert_eq!(
        warnings(|b| {
            b.mcp_server(&near)
                .allowed_tools(["Read"])
                .disallowed_tools(["Read(./a)", "mcp__far__read"])
                .hook(HookMatcher::pre_tool_use("Read"), async |_, _| HookOutput::default())
        }),
        ""
    );
}

#[test]
fn rules_for_a_tool_that_claude_knows_by_another_name() {
    let nothing = |_: serde_json::Value, _: Context| async { "" };
    let tool = Tool::new("look.up", "", json!({"type": "object"}), nothing);
    let shelf = ToolRegistry::builder("shelf").tools([tool]).build().unwrap();
    assert_eq!(shelf.allowed_tools(), ["mcp__shelf__look_up"]);
    assert_eq!(warnings(|b| b.allowed_tools(shelf.allowed_tools()).mcp_server(&shelf)), "");
    expect![
        "allowed_tools has mcp__shelf__look.up, and Claude knows that tool as mcp__shelf__look_up"
    ]
    .assert_eq(&warnings(|b| b.allowed_tools(["mcp__shelf__look.up"]).mcp_server(&shelf)));
}

#[test]
fn rules_for_tools_of_a_server_with_another_name() {
    let other = McpServer::in_process(&registry("calc")).named("other");
    expect!["allowed_tools has mcp__other__ad, and the registry other has no tool ad yet"]
        .assert_eq(&warnings(|b| {
            b.allowed_tools(["mcp__other__ad", "mcp__other__add", "mcp__calc__ad"])
                .mcp_server(other)
        }));
}

#[test]
fn rules_that_are_too_wide() {
    let calc = registry("calc");
    let known = ["mcp__calc", "mcp__calc__*", "mcp__calc__a*", "Bash(*)", "Bash(git *)", "Read"];
    assert_eq!(warnings(|b| b.allowed_tools(known).mcp_server(&calc)), "");
    // Those that deny count, and what is ignored keeps no callback from being asked.
    assert_eq!(warnings(|b| asking(b).disallowed_tools(["mcp__*", "*"])), "");
    expect![[r#"
        allowed_tools has mcp__*, and the CLI ignores a rule with `*` in the name of a server or of a built-in tool
        allowed_tools has mcp__ca*, and the CLI ignores a rule with `*` in the name of a server or of a built-in tool
        allowed_tools has mcp__c*__add, and the CLI ignores a rule with `*` in the name of a server or of a built-in tool
        allowed_tools has Write*, and the CLI ignores a rule with `*` in the name of a server or of a built-in tool"#]]
    .assert_eq(&warnings(|b| {
        asking(b).allowed_tools(["mcp__*", "mcp__ca*", "mcp__c*__add", "Write*"]).mcp_server(&calc)
    }));
}

#[test]
fn rules_that_are_taken_back() {
    expect!["allowed_tools has Write, and disallowed_tools has it too and comes first"]
        .assert_eq(&warnings(|b| b.allowed_tools(["Read", "Write"]).disallowed_tools(["Write"])));
}

fn hooks(builder: AgentOptionsBuilder, matchers: &[&str]) -> AgentOptionsBuilder {
    matchers.iter().fold(builder, |b, matcher| {
        b.hook(HookMatcher::pre_tool_use(*matcher), async |_, _| HookOutput::default())
    })
}

#[test]
fn matchers_of_tools_without_their_server() {
    let calc = registry("calc");
    expect![[r#"
        the matcher of a hook has add, and Claude knows that tool as mcp__calc__add
        the matcher of a hook has mcp__calc, which is no tool; the server's are mcp__calc__.*
        the matcher of a hook has mcp__calc__, which is no tool; the server's are mcp__calc__.*
        the matcher of a hook has echo, and Claude knows that tool as mcp__calc__echo
        the matcher of a hook has mcp__calc__ad, and the registry calc has no tool ad yet"#]]
    .assert_eq(&warnings(|b| {
        let matchers = ["add", "mcp__calc", "mcp__calc__", "Edit|echo, Write", "mcp__calc__ad"];
        hooks(b, &matchers).mcp_server(&calc)
    }));
    let others = ["mcp__calc__add", "mcp__calc__.*", "mcp__far", "ad", "add.*", "*", ""];
    assert_eq!(warnings(|b| hooks(b, &others).mcp_server(&calc)), "");
}

#[test]
fn matchers_that_are_not_of_tools() {
    let hook = |b: AgentOptionsBuilder| {
        let expanded = HookMatcher::user_prompt_expansion().matching("add");
        b.hook(expanded, async |_, _| HookOutput::default())
            .hook(HookMatcher::raw("MoonPhase", Some("add")), async |_, _| HookOutput::default())
    };
    assert_eq!(warnings(|b| hook(b).mcp_server(registry("calc"))), "");
    let raw = HookMatcher::raw("PostToolUse", Some("add"));
    expect!["the matcher of a hook has add, and Claude knows that tool as mcp__calc__add"]
        .assert_eq(&warnings(|b| {
            b.hook(raw, async |_, _| HookOutput::default()).mcp_server(registry("calc"))
        }));
}

#[test]
fn matchers_that_are_rules() {
    expect![[r#"
        the matcher Bash(rm *) of a hook is no permission rule: it is a regular expression, which fits no tool
        the matcher Read(./a) of a hook is no permission rule: it is a regular expression, which fits no tool"#]]
    .assert_eq(&warnings(|b| hooks(b, &["Bash(rm *)", "Read(./a)"])));
    let others = [
        "Bash",
        "mcp__(a|b)",
        "Notebook(?:Edit|Read)",
        "mcp__(a|b)__(?:c|d)",
        "mcp__calc__.*",
        "tidy(:a|:b)",
        "(a b)",
        "a( )b",
    ];
    assert_eq!(warnings(|b| hooks(b, &others)), "");
}

#[test]
fn names_that_rules_read_otherwise() {
    expect!["the name of the MCP server a__b has `__`, which also separates a server's name from a tool's in rules"]
        .assert_eq(&warnings(|b| {
            b.mcp_server(registry("a"))
                .mcp_server(registry("a__b"))
                .allowed_tools(["mcp__a__b__add"])
        }));
}

#[test]
fn names_that_the_cli_keeps() {
    expect![[r#"
        the CLI keeps the name workspace for a server of its own, and leaves this MCP server out
        the CLI keeps the name claude_ai for a server of its own, and leaves this MCP server out"#]]
    .assert_eq(&warnings(|b| {
        b.mcp_server(McpServer::stdio("workspace", "x"))
            .mcp_server(McpServer::http("claude_ai", "https://a.example"))
            .mcp_server(McpServer::stdio("claude_ai_x", "x"))
            .mcp_server(registry("computer-use"))
    }));
}
