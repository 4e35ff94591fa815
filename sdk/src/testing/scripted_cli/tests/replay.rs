//! Runs that are recorded and replayed.

mod ends;
mod halves;
mod redacted;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::{allowed, last_result, play, registry, response};
use crate::agent::{
    AgentClient, AgentOptions, AgentOptionsBuilder, ConnectError, HookMatcher, HookOutput,
    Permission, RunError, query_with,
};
use crate::testing::{Recorder, Recording, ScriptedCli};
use crate::{CancelToken, ToolRegistry, tool, tools};

/// A file that is deleted at the end.
struct Tape(PathBuf);

impl Tape {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("toolwright-{}.jsonl", uuid::Uuid::new_v4())))
    }

    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(&self.0).unwrap().lines().map(str::to_owned).collect()
    }

    /// Changes the text of the recording.
    fn edit(&self, from: &str, to: &str) {
        let text = std::fs::read_to_string(&self.0).unwrap();
        assert!(text.contains(from), "{from} is not in\n{text}");
        std::fs::write(&self.0, text.replace(from, to)).unwrap();
    }

    /// Cuts off all from the first line with this text.
    fn cut(&self, at: &str) {
        let lines = self.lines();
        let end = lines.iter().position(|line| line.contains(at)).unwrap();
        std::fs::write(&self.0, lines[..end].join("\n")).unwrap();
    }

    /// Plays a script and records it.
    async fn record(&self, cli: ScriptedCli, options: AgentOptionsBuilder) {
        let run = query_with(Recording::new(cli, &self.0), "Go.", options.build().unwrap());
        last_result(run.await.unwrap()).await;
    }

    fn replay(&self) -> ScriptedCli {
        ScriptedCli::replay(&self.0).unwrap()
    }

    /// How a replay of the prompt `Go.` differs.
    async fn difference(&self, options: AgentOptionsBuilder) -> String {
        self.difference_of("Go.", options).await
    }

    async fn difference_of(&self, prompt: &str, options: AgentOptionsBuilder) -> String {
        let cli = self.replay();
        let seen = cli.seen();
        if let Ok(run) = query_with(cli, prompt, options.build().unwrap()).await {
            let read = run.finish();
            let _ = tokio::time::timeout(Duration::from_secs(60), read).await.expect("it hangs");
        }
        let difference = seen.difference().expect("it does not differ");
        let start = format!("the run differs from {}, line ", self.0.display());
        let rest = difference.strip_prefix(&start).unwrap().split_once(": ").unwrap();
        let line: usize = rest.0.parse().unwrap();
        assert!(line <= self.lines().len());
        rest.1.to_owned()
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn sum() -> ScriptedCli {
    ScriptedCli::new().turn(|turn| {
        turn.say("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40})).say_result()
    })
}

/// Options with a hook and a permission callback.
fn watched(output: &'static str) -> AgentOptionsBuilder {
    AgentOptions::builder()
        .mcp_server(registry())
        .can_use_tool(|request| async move {
            match request.tool_name == "mcp__calc__write" {
                true => Permission::deny("no writing"),
                false => Permission::allow(),
            }
        })
        .hook(HookMatcher::pre_tool_use("*"), move |_, _| async move {
            HookOutput::default().system_message(output)
        })
}

fn transcript(seen: &Recorder) -> Vec<String> {
    let mut lines: Vec<_> = seen.transcript().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

#[tokio::test]
async fn a_replay_says_and_hears_what_was_recorded() {
    let tape = Tape::new();
    let script = || {
        ScriptedCli::new().turn(|turn| {
            let calls = [
                ("mcp__calc__add", json!({"a": 1, "b": 2})),
                ("mcp__calc__list", json!({})),
                ("mcp__calc__write", json!({"text": "x"})),
                ("mcp__calc__fail", json!({})),
            ];
            turn.think("Hm.").say("All.").call_all(calls).say_result()
        })
    };
    let scripted = script();
    let first = scripted.seen();
    tape.record(scripted, watched("seen")).await;
    let (seen, result) = play(tape.replay(), watched("seen")).await;
    assert_eq!(seen.difference(), None);
    assert_eq!(result.text(), "it is broken");
    assert_eq!(transcript(&seen), transcript(&first));
    let calls = seen.calls();
    let shown: Vec<_> = calls.iter().map(|call| (call.name.as_str(), &*call.text)).collect();
    assert_eq!(shown.len(), 4);
    assert!(shown.contains(&("mcp__calc__add", "3")), "{shown:?}");
    assert!(shown.contains(&("mcp__calc__write", "no writing")), "{shown:?}");
    assert_eq!((seen.args(), seen.prompts()), (first.args(), vec!["Go.".to_owned()]));
    assert!(seen.has_ended());
}

#[tokio::test]
async fn a_conversation_is_replayed_with_the_ids_of_its_own() {
    async fn talk(transport: impl crate::agent::Transport + 'static) -> Vec<Option<String>> {
        let options = allowed().build().unwrap();
        let mut client = AgentClient::connect_with(transport, options).await.unwrap();
        client.query("One.").await.unwrap();
        let mut told = vec![super::result(&response(&mut client).await).text().into_owned()];
        client.set_model(Some("opus")).await.unwrap();
        let mut turn = client.ask("Two.").await.unwrap();
        while let Some(message) = turn.next().await {
            if let crate::agent::Message::Result(result) = message.unwrap() {
                let uuid = result.user_message_uuid.as_deref() == Some(turn.prompt_uuid());
                told.push(format!("{} {uuid}", result.text()));
            }
        }
        told.push(client.close().await.to_string());
        told.into_iter().map(Some).collect()
    }
    let tape = Tape::new();
    let script = ScriptedCli::new().turn(|t| t.say("1")).turn(|t| t.say("2"));
    let told = talk(Recording::new(script, &tape.0)).await;
    assert!(told.contains(&Some("2 true".into())), "{told:?}");
    let cli = tape.replay();
    let seen = cli.seen();
    assert_eq!(talk(cli).await, told);
    assert_eq!(seen.difference(), None);
    seen.expect_all_played();
    // A run that goes on no further than to its first result.
    let cli = tape.replay();
    let seen = cli.seen();
    let mut client = AgentClient::connect_with(cli, allowed().build().unwrap()).await.unwrap();
    client.query("One.").await.unwrap();
    response(&mut client).await;
    assert_eq!(seen.unplayed_turns(), Some(1));
    // Other ids in the recording are those of another run.
    tape.edit("\"req_2\"", "\"req_7\"");
    assert_eq!(talk(tape.replay()).await, told);
}

#[tokio::test]
async fn a_difference_is_named_with_its_place() {
    let tape = Tape::new();
    tape.record(sum(), watched("seen")).await;
    let difference = tape.difference_of("Go on.", watched("seen")).await;
    assert_eq!(difference, r#"/message/content is "Go on.", recorded: "Go.""#);
    let difference = tape.difference(watched("unseen")).await;
    assert_eq!(difference, r#"/response/response/systemMessage is "unseen", recorded: "seen""#);
    let difference = tape.difference(watched("seen").model("opus")).await;
    assert!(difference.contains("--model=opus"), "{difference}");
    let difference = tape.difference(watched("seen").title("Sums")).await;
    assert_eq!(difference, r#"/request/title is new: "Sums""#);
    let unhooked = AgentOptions::builder()
        .mcp_server(registry())
        .can_use_tool(|_| async move { Permission::allow() });
    let difference = tape.difference(unhooked).await;
    assert!(difference.starts_with("/request/hooks is missing, recorded: {"), "{difference}");
}

#[tokio::test]
async fn a_tool_that_answers_otherwise_is_a_difference() {
    /// Adds.
    #[tool(read_only, crate = crate)]
    async fn add(a: f64, b: f64) -> f64 {
        a - b
    }
    let tape = Tape::new();
    let options = |tools: [crate::Tool; 1]| {
        let registry = ToolRegistry::builder("calc").tools(tools).build().unwrap();
        AgentOptions::builder().allow_registry(&registry).mcp_server(registry)
    };
    tape.record(sum(), options(tools![super::add])).await;
    let difference = tape.difference(options(tools![add])).await;
    let expected =
        r#"/response/response/mcp_response/result/content/0/text is "-38", recorded: "42""#;
    assert_eq!(difference, expected);
}

#[tokio::test]
async fn the_error_of_the_run_is_the_difference() {
    let tape = Tape::new();
    tape.record(sum(), allowed()).await;
    let run = query_with(tape.replay(), "Went.", allowed().build().unwrap()).await.unwrap();
    let error = run.finish().await.unwrap_err();
    assert!(matches!(error, RunError::Process(_)), "{error}");
    assert!(error.to_string().ends_with(r#""Went.", recorded: "Go.""#), "{error}");
    let options = allowed().add_dir("here").build().unwrap();
    let error = query_with(tape.replay(), "Go.", options).await.unwrap_err();
    assert!(matches!(error, ConnectError::Transport(_)), "{error}");
    assert!(error.to_string().contains("--add-dir"), "{error}");
}

#[tokio::test]
async fn the_id_of_the_session_may_differ() {
    let tape = Tape::new();
    let options = || allowed().session_id(uuid::Uuid::new_v4().to_string());
    tape.record(sum(), options()).await;
    let (seen, result) = play(tape.replay(), options()).await;
    assert_eq!((&*result.text(), seen.difference()), ("42", None));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_sent_and_what_is_sent_beyond_the_recording_are_differences() {
    async fn talk(cli: ScriptedCli, model: bool, mode: bool) -> Option<String> {
        let seen = cli.seen();
        let options = allowed().build().unwrap();
        let client = AgentClient::connect_with(cli, options).await.unwrap();
        if model {
            let _ = client.set_model(Some("opus")).await;
        }
        if mode {
            let _ = client.set_permission_mode(crate::agent::PermissionMode::Plan).await;
        }
        if let Ok(turn) = client.ask("Go.").await {
            let _ = turn.finish().await;
        }
        client.close().await;
        seen.difference()
    }
    let tape = Tape::new();
    let options = allowed().build().unwrap();
    let script = ScriptedCli::new().turn(|t| t.say("1"));
    let client = AgentClient::connect_with(Recording::new(script, &tape.0), options).await.unwrap();
    client.set_model(Some("opus")).await.unwrap();
    client.ask("Go.").await.unwrap().finish().await.unwrap();
    client.close().await;
    assert_eq!(talk(tape.replay(), true, false).await, None);
    let missing = talk(tape.replay(), false, false).await.unwrap();
    assert!(missing.contains("does not send {"), "{missing}");
    assert!(missing.contains("\"subtype\":\"set_model\""), "{missing}");
    let beyond = talk(tape.replay(), true, true).await.unwrap();
    assert!(beyond.contains("sends what was not recorded: "), "{beyond}");
    assert!(beyond.contains("set_permission_mode"), "{beyond}");
}

#[tokio::test]
async fn answers_come_in_any_order() {
    /// Waits for the other one, if it is the first.
    #[tool(read_only, crate = crate)]
    async fn wait(first: bool, crate::State(gate): crate::State<Gate>) -> &'static str {
        match first == gate.0 {
            true => gate.1.until_cancelled().await,
            false => gate.1.cancel(),
        }
        "done"
    }
    struct Gate(bool, CancelToken);
    let options = |first| {
        let gate = Gate(first, CancelToken::default());
        let registry =
            ToolRegistry::builder("calc").tools(tools![wait]).state(gate).build().unwrap();
        AgentOptions::builder().allow_registry(&registry).mcp_server(registry)
    };
    let tape = Tape::new();
    let calls = [true, false].map(|first| ("mcp__calc__wait", json!({"first": first})));
    tape.record(ScriptedCli::new().turn(|t| t.call_all(calls).say("Both.")), options(true)).await;
    for first in [true, false] {
        let (seen, result) = play(tape.replay(), options(first)).await;
        assert_eq!((&*result.text(), seen.difference()), ("Both.", None));
    }
}

#[tokio::test]
async fn what_is_no_recording_is_refused() {
    let tape = Tape::new();
    let error = ScriptedCli::replay(&tape.0).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    for (text, expected) in [
        ("", "does not begin with `launch`"),
        ("{\"launch\":{\"args\":[]}}\n{\"sdk\":", "line 2: EOF"),
        ("{\"tool\":1}", "line 1: unknown variant"),
    ] {
        std::fs::write(&tape.0, text).unwrap();
        let error = ScriptedCli::replay(&tape.0).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn a_recording_that_cannot_be_written_fails_the_run() {
    let tape = Tape::new();
    let path = tape.0.join("below/a.jsonl");
    std::fs::write(&tape.0, "a file").unwrap();
    let recording = Recording::new(sum(), path);
    let error = query_with(recording, "Go.", allowed().build().unwrap()).await.unwrap_err();
    assert!(error.to_string().contains("cannot be written"), "{error}");
}

#[tokio::test]
async fn every_line_is_json_with_one_side() {
    let tape = Tape::new();
    tape.record(sum(), allowed()).await;
    let lines = tape.lines();
    let kinds = lines.iter().map(|line| match serde_json::from_str(line).unwrap() {
        Value::String(kind) => kind,
        Value::Object(members) => members.keys().next().unwrap().clone(),
        other => panic!("{other}"),
    });
    let kinds: Vec<_> = kinds.collect();
    assert_eq!((&*kinds[0], &*kinds[1]), ("launch", "sdk"));
    assert_eq!(kinds.last().map(String::as_str), Some("exit"));
    assert_eq!(kinds.iter().filter(|kind| *kind == "input_end").count(), 1);
}
