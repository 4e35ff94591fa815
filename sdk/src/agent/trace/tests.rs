//! The spans of runs, as a subscriber sees them.

mod spans;

use expect_test::expect;
use serde_json::json;

use self::spans::{Recording, Spans};
use super::{MOST_CALLS, Peek, Trace, callback, note_decision};
use crate::agent::{
    AgentClient, AgentOptions, ElicitationRequest, HookMatcher, HookOutput, Permission,
    PermissionRequest, query_with,
};
use crate::testing::ScriptedCli;
use crate::{AskError, Context, ToolRegistry, tool, tools};

/// Adds.
#[tool(crate = crate)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Asks.
#[tool(crate = crate)]
async fn ask(cx: &Context) -> Result<bool, AskError> {
    cx.confirm("Sure?").await
}

#[tokio::test]
async fn a_run_its_turn_its_calls_and_its_callbacks_have_spans() {
    let (spans, guard) = Spans::listen();
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build().unwrap();
    let options = AgentOptions::builder()
        .session_id("00000000-0000-4000-8000-000000000000")
        .model("sonnet")
        .mcp_server(registry)
        .hook(HookMatcher::pre_tool_use("*"), |_, _| async { HookOutput::default() })
        .can_use_tool(|request: PermissionRequest| async move {
            match request.tool_name.starts_with("mcp__") {
                true => Permission::allow(),
                false => panic!("a bug"),
            }
        });
    let script = ScriptedCli::new().builtin("Bash", "ok").turn(|t| {
        t.call("mcp__calc__add", json!({"a": 2, "b": 40})).call("Bash", json!({})).say("Done.")
    });
    let run = query_with(script, "Go.", options.build().unwrap()).await.unwrap();
    run.finish().await.unwrap();
    drop(guard);
    expect![[r#"
        invoke_agent
          - gen_ai.agent.name claude
          - gen_ai.conversation.id 00000000-0000-4000-8000-000000000000
          - gen_ai.provider.name anthropic
          - gen_ai.request.model sonnet
          - gen_ai.usage.input_tokens 30
          - gen_ai.usage.output_tokens 30
          turn
            - gen_ai.conversation.id 00000000-0000-4000-8000-000000000000
            - gen_ai.usage.input_tokens 30
            - gen_ai.usage.output_tokens 30
            execute_tool
              - gen_ai.tool.call.id toolu_9
              - gen_ai.tool.name mcp__calc__add
            execute_tool
              - error.type tool_error
              - gen_ai.tool.call.id toolu_17
              - gen_ai.tool.name Bash
              - otel.status_code ERROR
          callback
            - claude.hook.event PreToolUse
            - gen_ai.tool.call.id toolu_9
            - gen_ai.tool.name mcp__calc__add
            - toolwright.callback hook
          callback
            - claude.permission.behavior allow
            - gen_ai.tool.call.id toolu_9
            - gen_ai.tool.name mcp__calc__add
            - toolwright.callback permission
          tools/call
            - gen_ai.tool.name add
            - jsonrpc.request.id 2
            - mcp.method.name tools/call
            - mcp.protocol.version 2025-11-25
          callback
            - claude.hook.event PreToolUse
            - gen_ai.tool.call.id toolu_17
            - gen_ai.tool.name Bash
            - toolwright.callback hook
          callback
            - error.type panic
            - gen_ai.tool.call.id toolu_17
            - gen_ai.tool.name Bash
            - otel.status_code ERROR
            - toolwright.callback permission
    "#]]
    .assert_eq(&spans.tree());
}

#[tokio::test]
async fn a_hook_whose_output_the_cli_cannot_get_is_in_the_log() {
    let (spans, guard) = Spans::listen();
    let matcher = HookMatcher::pre_tool_use("Bash");
    let options = AgentOptions::builder()
        .allowed_tools(["Bash"])
        .hook(matcher, async |_, _| HookOutput::default().updated_input("text"));
    let script = ScriptedCli::new().builtin("Bash", "ok");
    let script = script.turn(|t| t.call("Bash", json!({})).say("Done."));
    query_with(script, "Go.", options.build().unwrap()).await.unwrap().finish().await.unwrap();
    drop(guard);
    assert_eq!(
        spans.0.lock().unwrap().errors,
        ["a hook failed: `updatedInput` is not a JSON object"]
    );
}

/// The answers of dialogs have a behavior too.
#[test]
fn only_permissions_are_decided() {
    for (answer, is_noted) in [("allow", true), ("deny", true), ("completed", false)] {
        let (spans, guard) = Spans::listen();
        let answer = json!({"behavior": answer}).to_string();
        note_decision(&callback("dialog", "{}", None), &answer);
        drop(guard);
        assert_eq!(spans.tree().contains("behavior"), is_noted, "{answer}");
    }
}

#[tokio::test]
async fn a_question_of_a_tool_is_answered_within_its_call() {
    let (spans, guard) = Spans::listen();
    let options = AgentOptions::builder()
        .mcp_server(ToolRegistry::builder("calc").tools(tools![ask]).build().unwrap())
        .allowed_tools(["mcp__calc__*"])
        .on_elicitation(|question: ElicitationRequest| async move { question.decline() });
    let script = ScriptedCli::new().turn(|t| t.call("mcp__calc__ask", json!({})).say("Done."));
    query_with(script, "Go.", options.build().unwrap()).await.unwrap().finish().await.unwrap();
    drop(guard);
    let callback = "2025-11-25\n    callback\n      - toolwright.callback elicitation\n";
    assert!(spans.tree().ends_with(callback), "{}", spans.tree());
}

#[tokio::test]
async fn a_conversation_has_a_span_for_each_turn_and_all_tokens() {
    let (spans, guard) = Spans::listen();
    let script = ScriptedCli::new().turn(|t| t.say("1")).turn(|t| t.fail("API Error: 529"));
    let options = AgentOptions::builder().session_id("00000000-0000-4000-8000-000000000000");
    let options = options.build().unwrap();
    let client = AgentClient::connect_with(script, options).await.unwrap();
    client.ask("One.").await.unwrap().finish().await.unwrap();
    client.ask("Two.").await.unwrap().finish().await.unwrap_err();
    client.close().await;
    drop(guard);
    expect![[r#"
    invoke_agent
      - gen_ai.agent.name claude
      - gen_ai.conversation.id 00000000-0000-4000-8000-000000000000
      - gen_ai.provider.name anthropic
      - gen_ai.usage.input_tokens 10
      - gen_ai.usage.output_tokens 10
      turn
        - gen_ai.conversation.id 00000000-0000-4000-8000-000000000000
        - gen_ai.usage.input_tokens 10
        - gen_ai.usage.output_tokens 10
      turn
        - error.type api_error
        - gen_ai.conversation.id 00000000-0000-4000-8000-000000000000
        - gen_ai.usage.input_tokens 0
        - gen_ai.usage.output_tokens 0
        - otel.status_code ERROR
"#]]
    .assert_eq(&spans.tree());
}

#[tokio::test]
async fn the_trace_of_the_user_goes_to_the_cli() {
    let options = |state| {
        let options = AgentOptions::builder().trace_context("00-ab-cd-01", state);
        let mut env = options.build().unwrap().launch().unwrap().0.env;
        env.retain(|(name, _)| name.to_string_lossy().starts_with("TRACE"));
        env
    };
    let value = |text: &str| Some(text.into());
    assert_eq!(
        options("a=b"),
        [("TRACEPARENT".into(), value("00-ab-cd-01")), ("TRACESTATE".into(), value("a=b"))]
    );
    assert_eq!(
        options(""),
        [("TRACEPARENT".into(), value("00-ab-cd-01")), ("TRACESTATE".into(), None)]
    );
}

#[test]
fn the_spans_of_calls_without_results_are_bounded() {
    let (spans, guard) = Spans::listen();
    let mut trace = Trace::of(&AgentOptions::default());
    for call in 0..=MOST_CALLS {
        let content = json!([{"type": "tool_use", "id": call.to_string(), "name": "Bash"}]);
        let message = json!({"type": "assistant", "message": {"content": content}}).to_string();
        trace.note(&Peek::Work, &message);
    }
    let calls = || {
        let recorded = spans.0.lock().unwrap();
        let calls = recorded.spans.iter().filter(|span| span.name == "execute_tool");
        calls.map(|span| span.handles).collect::<Vec<_>>()
    };
    // The last one is closed at once.
    let open = [vec![1; MOST_CALLS], vec![0]].concat();
    assert_eq!(calls(), open);
    trace.end(None);
    assert_eq!(calls(), vec![0; MOST_CALLS + 1]);
    drop(guard);
}

/// A JavaScript string may hold it.
#[test]
fn a_line_with_half_a_character_has_its_tokens_and_calls() {
    let (spans, guard) = Spans::listen();
    let mut trace = Trace::of(&AgentOptions::default());
    trace.note(
        &Peek::Work,
        r#"{"type":"assistant","message":{"content":[
            {"type":"tool_use","id":"a","name":"Bash","input":{"command":"\ud83d"}}]}}"#,
    );
    trace.note(
        &Peek::Other,
        r#"{"type":"user","message":{"content":[
            {"type":"tool_result","tool_use_id":"a","content":"\ud83d","is_error":true}]}}"#,
    );
    trace.note(
        &Peek::Result { is_error: true },
        r#"{"type":"result","subtype":"success","result":"\ud83d","session_id":"s",
            "terminal_reason":"api_error",
            "usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}"#,
    );
    trace.end(None);
    drop(guard);
    expect![[r#"
        invoke_agent
          - gen_ai.agent.name claude
          - gen_ai.conversation.id s
          - gen_ai.provider.name anthropic
          - gen_ai.usage.input_tokens 7
          - gen_ai.usage.output_tokens 5
          turn
            - error.type api_error
            - gen_ai.conversation.id s
            - gen_ai.usage.input_tokens 7
            - gen_ai.usage.output_tokens 5
            - otel.status_code ERROR
            execute_tool
              - error.type tool_error
              - gen_ai.tool.call.id a
              - gen_ai.tool.name Bash
              - otel.status_code ERROR
    "#]]
    .assert_eq(&spans.tree());
}

#[test]
fn calls_of_an_agent_in_the_background_outlive_the_turn() {
    let (spans, guard) = Spans::listen();
    let mut trace = Trace::of(&AgentOptions::default());
    let call = |agent: Option<&str>, id: &str| {
        let content = json!([{"type": "tool_use", "id": id, "name": "Bash"}]);
        json!({"type": "assistant", "message": {"content": content}, "parent_tool_use_id": agent})
            .to_string()
    };
    let result = |id: &str| {
        let content = json!([{"type": "tool_result", "tool_use_id": id}]);
        json!({"type": "user", "message": {"content": content}}).to_string()
    };
    let open = || {
        let recorded = spans.0.lock().unwrap();
        let open = recorded.spans.iter().filter(|span| span.handles > 0);
        let id = |span: &Recording| span.fields.get("gen_ai.tool.call.id").cloned();
        open.filter_map(id).collect::<Vec<_>>()
    };
    // Each of them has an agent, of which one goes on in the background.
    trace.note(&Peek::Work, &call(None, "one"));
    trace.note(&Peek::Work, &call(None, "two"));
    trace.note(&Peek::Other, &result("one"));
    trace.note(&Peek::Other, &call(Some("one"), "one.1"));
    trace.note(&Peek::Other, &call(Some("one"), "one.2"));
    trace.note(&Peek::Other, &call(Some("one.2"), "one.2.1"));
    trace.note(&Peek::Other, &call(Some("two"), "two.1"));
    assert_eq!(open(), ["two", "one.1", "one.2", "one.2.1", "two.1"]);
    trace.note(&Peek::Result { is_error: false }, r#"{"type":"result"}"#);
    assert_eq!(open(), ["one.1", "one.2", "one.2.1"]);
    trace.note(&Peek::Other, &result("one.1"));
    assert_eq!(open(), ["one.2", "one.2.1"]);
    // It was stopped in the middle of its calls.
    let ended = r#"{"type":"system","subtype":"task_notification","tool_use_id":"one"}"#;
    trace.note(&Peek::TaskEnded { id: "task".into() }, ended);
    assert!(open().is_empty());
    trace.end(None);
    drop(guard);
    // They do not keep the span of the turn open.
    let recorded = spans.0.lock().unwrap();
    let names = recorded.spans.iter().map(|span| {
        let parent = span.parent.map(|id| recorded.spans[id as usize - 1].name);
        (span.fields.get("gen_ai.tool.call.id").map_or("", String::as_str), parent)
    });
    let of_run: Vec<_> = names.filter(|(_, parent)| *parent == Some("invoke_agent")).collect();
    let ids: Vec<_> = of_run.iter().map(|(id, _)| *id).filter(|id| !id.is_empty()).collect();
    assert_eq!(ids, ["one.1", "one.2", "one.2.1"]);
}
