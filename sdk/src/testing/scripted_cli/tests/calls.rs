//! Tool calls.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use expect_test::expect;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{allowed, asked, play, registry, response};
use crate::agent::options::McpServer;
use crate::agent::{AgentClient, AgentOptions};
use crate::testing::ScriptedCli;
use crate::{Context, Tool, ToolRegistry, WeakToolRegistry};

/// The `tool_result` blocks that the model was given.
fn results(seen: &crate::testing::Recorder) -> Vec<Value> {
    let users = seen.said().into_iter().filter(|line| line["type"] == "user");
    users
        .map(|mut line| line["message"]["content"][0].take())
        .filter(|block| block["type"] == "tool_result")
        .collect()
}

#[tokio::test]
async fn results_have_the_form_of_the_real_ones() {
    let cli = ScriptedCli::new().turn(|t| {
        let names = ["add", "fail", "list", "draw", "nope"];
        names.into_iter().fold(t, |t, name| {
            t.call(
                format!("mcp__calc__{name}"),
                if name == "add" { json!({"a": 1, "b": 2}) } else { json!({}) },
            )
        })
    });
    let (seen, result) = play(cli, allowed()).await;
    assert_eq!(result.num_turns, 6);
    let text: Vec<_> = results(&seen).iter().map(Value::to_string).collect();
    expect![[r#"
        {"tool_use_id":"toolu_9","type":"tool_result","content":[{"type":"text","text":"3"}]}
        {"tool_use_id":"toolu_13","type":"tool_result","content":"it is broken","is_error":true}
        {"tool_use_id":"toolu_17","type":"tool_result","content":"{\"result\":[1,2]}"}
        {"tool_use_id":"toolu_21","type":"tool_result","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}},{"type":"text","text":"a picture"}]}
        {"tool_use_id":"toolu_25","type":"tool_result","content":"<tool_use_error>Error: No such tool available: mcp__calc__nope</tool_use_error>","is_error":true}"#]].assert_eq(&text.join("\n"));
    let calls: Vec<_> = seen
        .calls()
        .into_iter()
        .map(|call| (call.text, call.is_error, call.input.is_some()))
        .collect();
    assert_eq!(calls[1], ("it is broken".into(), true, true));
    assert!(!calls[4].2);
}

#[tokio::test]
async fn a_call_carries_the_id_of_its_tool_use() {
    let (seen, _) = play(
        ScriptedCli::new().turn(|t| t.call("mcp__calc__add", json!({"a": 1, "b": 2}))),
        allowed(),
    )
    .await;
    let calls = asked(&seen, "mcp_message");
    let call = calls.iter().find(|request| request["message"]["method"] == "tools/call").unwrap();
    let meta = &call["message"]["params"]["_meta"];
    assert_eq!(meta["progressToken"], 2);
    assert_eq!(meta["claudecode/toolUseId"], results(&seen)[0]["tool_use_id"]);
}

#[tokio::test]
async fn notifications_of_the_servers_own_reach_the_cli() {
    let own = Arc::new(OnceLock::<WeakToolRegistry>::new());
    let (registry, schema) = (own.clone(), json!({"type": "object"}));
    let tell = Tool::new("tell", "", schema, async move |_: Value, cx: Context| {
        cx.notify("toy/of_call", json!({"a": 1})).unwrap();
        let registry = registry.get().and_then(WeakToolRegistry::upgrade).unwrap();
        registry.notify("toy/event", json!({"b": 2})).unwrap();
    });
    let registry = ToolRegistry::builder("toy").tool(tell).build().unwrap();
    own.get_or_init(|| registry.downgrade());
    let options = AgentOptions::builder().mcp_server(registry).allowed_tools(["mcp__toy__tell"]);
    let cli = ScriptedCli::new().turn(|t| t.call("mcp__toy__tell", json!({})));
    let (seen, _) = play(cli, options).await;
    let requests = seen.sent().into_iter().map(|line| line["request"]["message"].clone());
    let own: Vec<_> = requests.filter(|it| it["method"].to_string().contains("toy/")).collect();
    assert_eq!(own.len(), 2, "{own:?}");
    assert_eq!((&own[0]["params"], &own[1]["params"]), (&json!({"a": 1}), &json!({"b": 2})));
}

#[tokio::test]
async fn read_only_calls_run_together_and_others_one_by_one() {
    let cli = ScriptedCli::new().turn(|t| {
        t.call_all([
            ("mcp__calc__add", json!({"a": 1, "b": 1})),
            ("mcp__calc__add", json!({"a": 2, "b": 2})),
            ("mcp__calc__write", json!({"text": "x"})),
            ("mcp__calc__write", json!({"text": "y"})),
        ])
    });
    let (seen, result) = play(cli, allowed()).await;
    assert_eq!(result.num_turns, 5);
    let transcript = seen.transcript();
    let lines: Vec<_> = transcript
        .lines()
        .filter(|line| line.contains("tools/call") || line.contains("user:"))
        .collect();
    expect![[r#"
        SDK user: Go.
        CLI calc: tools/call add {"a":1,"b":1}
        CLI calc: tools/call add {"a":2,"b":2}
        SDK   answers calc: tools/call: {"content":[{"type":"text","text":"2"}]}
        SDK   answers calc: tools/call: {"content":[{"type":"text","text":"4"}]}
        CLI user: [{"type":"text","text":"2"}]
        CLI user: [{"type":"text","text":"4"}]
        CLI calc: tools/call write {"text":"x"}
        SDK   answers calc: tools/call: {"content":[{"type":"text","text":"wrote x"}]}
        CLI user: [{"type":"text","text":"wrote x"}]
        CLI calc: tools/call write {"text":"y"}
        SDK   answers calc: tools/call: {"content":[{"type":"text","text":"wrote y"}]}
        CLI user: [{"type":"text","text":"wrote y"}]"#]]
    .assert_eq(&lines.join("\n"));
}

#[tokio::test]
async fn a_tool_that_comes_later_can_be_called() {
    let registry = ToolRegistry::builder("calc").build().unwrap();
    let cli = ScriptedCli::new()
        .turn(|t| t.say("Nothing yet."))
        .turn(|t| t.call("mcp__calc__late", json!({})).say_result());
    let seen = cli.seen();
    let options =
        AgentOptions::builder().mcp_server(&registry).allow_registry(&registry).build().unwrap();
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    client.query("one").await.unwrap();
    response(&mut client).await;
    registry
        .add(Tool::new(
            "late",
            "Comes later",
            json!({"type": "object"}),
            async |_: Value, _: Context| "here",
        ))
        .unwrap();
    client.query("two").await.unwrap();
    response(&mut client).await;
    assert_eq!(seen.calls()[0].text, "here");
    let lists = asked(&seen, "mcp_message")
        .into_iter()
        .filter(|request| request["message"]["method"] == "tools/list");
    assert_eq!(lists.count(), 2);
}

#[tokio::test]
async fn a_tool_that_is_there_later_for_a_run_can_be_called() {
    let schema = || json!({"type": "object"});
    let open = Tool::new("open", "", schema(), async |_: Value, cx: Context| {
        cx.extension::<AtomicBool>().unwrap().store(true, Ordering::SeqCst);
        cx.tools_changed();
        "open"
    });
    let enter = Tool::new("enter", "", schema(), async |_: Value, _: Context| "inside");
    let registry = ToolRegistry::builder("calc")
        .tools([open, enter])
        .session_state(AtomicBool::default)
        .tool_filter(|tool, cx| {
            let is_open = cx.extension::<AtomicBool>().unwrap();
            tool.name() == "open" || is_open.load(Ordering::SeqCst)
        })
        .build()
        .unwrap();
    for _run in 0..2 {
        let cli = ScriptedCli::new()
            .turn(|t| t.call("mcp__calc__enter", json!({})).call("mcp__calc__open", json!({})))
            .turn(|t| t.call("mcp__calc__enter", json!({})));
        let seen = cli.seen();
        let options = AgentOptions::builder().mcp_server(&registry).allow_registry(&registry);
        let mut client = AgentClient::connect_with(cli, options.build().unwrap()).await.unwrap();
        for prompt in ["one", "two"] {
            client.query(prompt).await.unwrap();
            response(&mut client).await;
        }
        let texts: Vec<_> = seen.calls().into_iter().map(|call| call.text).collect();
        assert!(texts[0].contains("No such tool available"), "{texts:?}");
        assert_eq!(texts[1..], ["open", "inside"]);
    }
}

#[tokio::test]
async fn a_builtin_answers_what_it_was_told_to() {
    let cli = ScriptedCli::new()
        .builtin("Bash", "a b c")
        .turn(|t| t.call("Bash", json!({"command": "ls"})).say_result());
    let (_, result) = play(cli, allowed().allowed_tools(["Bash"])).await;
    assert_eq!(result.text(), "a b c");
}

#[tokio::test]
async fn a_disallowed_tool_is_not_there() {
    let cli =
        ScriptedCli::new().turn(|t| t.call("mcp__calc__write", json!({"text": "x"})).say_result());
    let (seen, result) = play(cli, allowed().disallowed_tools(["mcp__calc__write"])).await;
    assert_eq!(
        result.text(),
        "<tool_use_error>Error: No such tool available: mcp__calc__write</tool_use_error>"
    );
    let init = seen.said().into_iter().find(|line| line["subtype"] == "init").unwrap();
    assert!(!init["tools"].as_array().unwrap().contains(&"mcp__calc__write".into()));
}

#[tokio::test(start_paused = true)]
async fn a_call_may_take_as_long_as_the_options_say() {
    let wait = || ScriptedCli::new().turn(|t| t.call("mcp__calc__wait", json!({})).say_result());
    let options = || AgentOptions::builder().allowed_tools(["mcp__calc__*"]);
    let server = || McpServer::in_process(&registry());
    let variable = |time: &str| options().env("MCP_TOOL_TIMEOUT", time);
    for (options, seconds) in [
        (options().mcp_server(server().timeout(Duration::from_secs(2))), 2),
        (variable("3000").mcp_server(server()), 3),
        (variable("3000").mcp_server(server().timeout(Duration::from_secs(4))), 4),
        (variable("1").mcp_server(server()), 1),
    ] {
        let began = Instant::now();
        let (seen, result) = play(wait(), options).await;
        let expected = format!(r#"MCP server "calc" tool "wait" timed out after {seconds}s"#);
        assert_eq!(result.text(), expected);
        assert_eq!(began.elapsed().as_secs(), seconds);
        assert!(seen.calls()[0].is_error && seen.calls()[0].input.is_some());
        let cancels =
            |line: &Value| line["request"]["message"]["method"] == "notifications/cancelled";
        assert_eq!(seen.said().iter().filter(|line| cancels(line)).count(), 1);
    }
}
