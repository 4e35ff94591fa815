//! What a turn is made of.

use expect_test::expect;
use serde_json::{Value, json};

use super::{add, allowed, asked, last_result, play, registry, response, result};
use crate::agent::transport::{Connection, Launch, Transport};
use crate::agent::{AgentClient, AgentOptions, Message, Prompt, UserPrompt, query_with};
use crate::testing::ScriptedCli;
use crate::{ToolRegistry, tools};

#[tokio::test]
async fn a_turn_goes_as_with_the_real_cli() {
    let cli = ScriptedCli::new()
        .turn(|t| t.say("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40})).say_result());
    let seen = cli.seen();
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build().unwrap();
    let options = AgentOptions::builder()
        .mcp_server(registry)
        .allowed_tools(["mcp__calc__*"])
        .build()
        .unwrap();
    let result = query_with(cli, "What is 2 + 40?", options).await.unwrap().finish().await.unwrap();
    assert_eq!(result.text(), "42");
    assert_eq!(result.num_turns, 2);
    assert!(result.total_cost_usd > 0.0);
    assert_eq!(result.usage.output_tokens, 20);
    expect![[r#"
        SDK initialize
        CLI calc: initialize
        SDK   answers calc: initialize
        CLI   answers initialize
        SDK user: What is 2 + 40?
        CLI calc: notifications/initialized
        SDK   answers calc: notifications/initialized
        CLI state running
        CLI calc: tools/list
        SDK   answers calc: tools/list
        CLI system/init ["mcp__calc__add"]
        CLI assistant: Adding.
        CLI assistant: mcp__calc__add {"a":2,"b":40}
        CLI calc: tools/call add {"a":2,"b":40}
        SDK   answers calc: tools/call: {"content":[{"type":"text","text":"42"}]}
        CLI user: [{"type":"text","text":"42"}]
        CLI assistant: 42
        CLI result success, 2 turns: 42
        CLI state idle
    "#]]
    .assert_eq(&seen.transcript());
    assert!(seen.has_ended());
    assert_eq!(seen.unplayed_turns(), Some(0));
}

#[tokio::test]
async fn the_mcp_handshake_is_the_real_one() {
    let (seen, _) = play(ScriptedCli::new().turn(|t| t.say("Hello.")), allowed()).await;
    let messages: Vec<_> =
        asked(&seen, "mcp_message").into_iter().map(|request| request["message"].clone()).collect();
    assert_eq!(messages[0]["id"], 0);
    assert_eq!(messages[0]["params"]["protocolVersion"], "2025-11-25");
    assert_eq!(messages[1], json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(messages[2], json!({"jsonrpc": "2.0", "method": "tools/list", "id": 1}));
}

#[tokio::test]
async fn blocks_up_to_a_call_are_one_answer() {
    let cli = ScriptedCli::new()
        .turn(|t| t.think("Hm.").say("One.").call("mcp__calc__list", json!({})).say("Two."));
    let mut run = query_with(cli, "Go.", allowed().build().unwrap()).await.unwrap();
    let mut blocks = Vec::new();
    while let Some(message) = run.next().await {
        if let Message::Assistant(message) = message.unwrap() {
            blocks.push((
                message.message.id.clone(),
                message.message.content.len(),
                message.user_message_uuid.is_some(),
            ));
        }
    }
    let expected =
        [("msg_1", 1, true), ("msg_1", 1, false), ("msg_1", 1, false), ("msg_2", 1, false)];
    assert_eq!(blocks, expected.map(|(id, count, is_named)| (id.to_owned(), count, is_named)));
}

#[tokio::test]
async fn partial_messages_surround_their_blocks() {
    let cli = ScriptedCli::new().turn(|t| t.say("One two.").call("mcp__calc__list", json!({})));
    let options = allowed().include_partial_messages(true).build().unwrap();
    let seen = cli.seen();
    let mut run = query_with(cli, "Go.", options).await.unwrap();
    let mut deltas = Vec::new();
    while let Some(message) = run.next().await {
        if let Message::StreamEvent(event) = message.unwrap() {
            deltas.extend(event.text_delta().map(str::to_owned));
        }
    }
    assert_eq!(deltas, ["One ", "two."]);
    let transcript = seen.transcript();
    let turn = transcript.split_once("system/init").unwrap().1.split_once('\n').unwrap().1;
    expect![[r#"
        CLI system/status
        CLI stream_event message_start
        CLI stream_event content_block_start
        CLI stream_event content_block_delta
        CLI stream_event content_block_delta
        CLI assistant: One two.
        CLI stream_event content_block_stop
        CLI stream_event content_block_start
        CLI stream_event content_block_delta
        CLI assistant: mcp__calc__list {}
        CLI stream_event content_block_stop
        CLI stream_event message_delta
        CLI stream_event message_stop
        CLI calc: tools/call list {}
        SDK   answers calc: tools/call: {"content":[{"type":"text","text":"[1,2]"}],"structuredContent":{"result":[1,2]}}
        CLI user: "{\"result\":[1,2]}"
        CLI result success, 2 turns: One two.
        CLI state idle
    "#]]
    .assert_eq(turn);
}

#[tokio::test]
async fn a_conversation_has_an_init_and_a_result_each_turn() {
    let cli = ScriptedCli::new().turn(|t| t.say("One.")).turn(|t| t.say("Two."));
    let seen = cli.seen();
    let mut client =
        AgentClient::connect_with(cli, AgentOptions::builder().build().unwrap()).await.unwrap();
    for expected in ["One.", "Two."] {
        client.query(UserPrompt::text("Go.").and_image(b"png", "image/png")).await.unwrap();
        let messages = response(&mut client).await;
        let mut states = messages.iter().map_while(|message| match message {
            Message::CommandLifecycle(news) => Some(news.state.as_str()),
            _ => None,
        });
        assert_eq!(
            (states.next(), states.next(), states.next()),
            (Some("queued"), Some("started"), None)
        );
        assert!(
            matches!(&messages[2], Message::System(crate::agent::message::SystemMessage::Init(_))),
            "{messages:?}"
        );
        assert_eq!(result(&messages).text(), expected);
    }
    assert_eq!(seen.prompts(), ["Go.", "Go."]);
    let exit = client.close().await;
    assert!(exit.status.unwrap().success());
}

#[tokio::test]
async fn queued_prompts_are_turns_of_their_own() {
    let cli = ScriptedCli::new().turn(|t| t.say("One.")).turn(|t| t.say("Two."));
    let seen = cli.seen();
    let prompts = Prompt::stream(Both(vec!["two", "one"]));
    let run = query_with(cli, prompts, allowed().build().unwrap()).await.unwrap();
    assert_eq!(last_result(run).await.text(), "Two.");
    assert_eq!(seen.prompts(), ["one", "two"]);
    let mut states =
        seen.said().into_iter().filter(|line| line["subtype"] == "session_state_changed");
    assert!(states.next_back().unwrap()["sdk_host_only"] == true);
}

/// A stream of what is left, from the end.
struct Both(Vec<&'static str>);

impl futures_core::Stream for Both {
    type Item = &'static str;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Ready(self.0.pop())
    }
}

#[tokio::test]
async fn states_are_told_as_the_environment_wants_them() {
    for (name, value, count) in [
        ("CLAUDE_CODE_SDK_READS_SESSION_STATE", "0", 0),
        ("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", "1", 2),
        ("OTHER", "1", 0),
    ] {
        let cli = ScriptedCli::new().turn(|t| t.say("Hello."));
        let options =
            AgentOptions::builder().mcp_server(registry()).env(name, value).build().unwrap();
        let mut run = query_with(cli, "Go.", options).await.unwrap();
        let mut states = 0;
        while let Some(message) = run.next().await {
            let is_state = message.unwrap().member("subtype") == Some("\"session_state_changed\"");
            states += u32::from(is_state);
        }
        assert_eq!(states, count, "{name}");
    }
}

#[tokio::test]
async fn whoever_reads_late_misses_nothing() {
    let many = |t: crate::testing::Turn| {
        (0..200)
            .fold(t, |t, n| {
                t.say(format!("Number {n}.")).call("mcp__calc__add", json!({"a": n, "b": 1}))
            })
            .say_result()
    };
    let cli = ScriptedCli::new().turn(many);
    let seen = cli.seen();
    let options = allowed().hook(crate::agent::HookMatcher::stop(), |_, _| async {
        crate::agent::HookOutput::default()
    });
    let mut run = query_with(cli, "Go.", options.build().unwrap()).await.unwrap();
    // Nobody reads, and the run comes to its end all the same.
    while !seen.has_ended() {
        tokio::task::yield_now().await;
    }
    assert_eq!(seen.calls().len(), 200);
    let mut texts = 0;
    let mut last = None;
    while let Some(message) = run.next().await {
        match message.unwrap() {
            Message::Assistant(message) => texts += usize::from(!message.text().is_empty()),
            Message::Result(result) => last = Some(result),
            _ => {}
        }
    }
    assert_eq!(texts, 201);
    assert_eq!(last.unwrap().text(), "200");
}

#[tokio::test]
async fn an_output_by_a_schema_is_in_the_result() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Verdict {
        approve: bool,
    }
    let call = |t: crate::testing::Turn| t.call("StructuredOutput", json!({"approve": true}));
    let options = || AgentOptions::builder().output_type::<Verdict>().build().unwrap();
    let run = query_with(ScriptedCli::new().turn(call), "Go.", options()).await.unwrap();
    let result = run.finish().await.unwrap();
    assert!(result.output::<Verdict>().unwrap().approve);
    assert_eq!(result.text(), r#"{"approve":true}"#);

    // Without a schema there is no such tool.
    let cli = ScriptedCli::new().turn(call);
    let seen = cli.seen();
    let run = query_with(cli, "Go.", AgentOptions::default()).await.unwrap();
    assert!(run.finish().await.unwrap().structured_output.is_none());
    assert!(seen.calls()[0].is_error);
}

#[tokio::test]
async fn an_interrupt_ends_a_turn_that_is_about_to_begin() {
    async fn send(connection: &mut Connection, line: Value) {
        connection.outgoing.write(format!("{line}\n").as_bytes()).await.unwrap();
    }
    async fn hear(connection: &mut Connection, said: &mut Vec<u8>, until: &str) -> String {
        loop {
            let length = connection.incoming.read(said).await.unwrap();
            let text = String::from_utf8_lossy(said).into_owned();
            if length == 0 || !until.is_empty() && text.contains(until) {
                return text;
            }
        }
    }
    let mut launch = Launch::default();
    let config = json!({"mcpServers": {"calc": {"type": "sdk", "name": "calc"}}});
    launch.args.push(format!("--mcp-config={config}").into());
    let cli = Box::new(ScriptedCli::new().turn(|t| t.say("Never said.")));
    let (mut connection, mut said) = (cli.connect(launch).await.unwrap(), Vec::new());
    let request = |subtype: &str| {
        let body = json!({"subtype": subtype});
        json!({"type": "control_request", "request_id": subtype, "request": body})
    };
    send(&mut connection, request("initialize")).await;
    let asked = hear(&mut connection, &mut said, "\n").await;
    let id = &serde_json::from_str::<Value>(&asked).unwrap()["request_id"];
    let server = json!({
        "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
        "serverInfo": {"name": "calc", "version": "1"},
    });
    let server = json!({"mcp_response": {"jsonrpc": "2.0", "id": 0, "result": server}});
    let answer = json!({"subtype": "success", "request_id": id, "response": server});
    send(&mut connection, json!({"type": "control_response", "response": answer})).await;
    let prompt = json!({"role": "user", "content": "Go."});
    send(&mut connection, json!({"type": "user", "message": prompt})).await;
    // The CLI waits for the answer to this, which does not come, before the turn begins.
    hear(&mut connection, &mut said, "notifications/initialized").await;
    send(&mut connection, request("interrupt")).await;
    connection.outgoing.end().await.unwrap();
    let said = hear(&mut connection, &mut said, "").await;
    assert!(said.contains("error_during_execution") && !said.contains("Never said."), "{said}");
}
