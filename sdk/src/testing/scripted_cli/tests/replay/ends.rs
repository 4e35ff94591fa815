//! How a recorded run ended.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::{allowed, play};
use super::{Tape, sum};
use crate::agent::transport::{Connection, Launch, Outgoing, Peer, Transport};
use crate::agent::{AgentOptions, ConnectError, ProcessExit, RunError, query_with};
use crate::testing::{Recording, ScriptedCli};
use crate::{ToolRegistry, tool, tools};

/// A CLI whose end is known only once its input is closed, though its output has ended before.
struct KnownLate(ScriptedCli);

struct Input(Box<dyn Outgoing>, Arc<Notify>);

struct Process(Box<dyn Peer>, Arc<Notify>);

#[async_trait]
impl Transport for KnownLate {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        let mut connection = Box::new(self.0).connect(launch).await?;
        let closed = Arc::new(Notify::new());
        connection.outgoing = Box::new(Input(connection.outgoing, closed.clone()));
        connection.peer = Box::new(Process(connection.peer, closed));
        Ok(connection)
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write(bytes).await
    }

    async fn end(&mut self) -> io::Result<()> {
        self.1.notify_one();
        self.0.end().await
    }
}

#[async_trait]
impl Peer for Process {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        self.1.notified().await;
        self.0.wait(closing).await
    }
}

#[tokio::test(start_paused = true)]
async fn a_crash_is_replayed_whatever_was_seen_of_it_first() {
    let tape = Tape::new();
    let cli = ScriptedCli::new().turn(|t| t.say("Well,").exit(3, "out of memory"));
    let recording = Recording::new(KnownLate(cli), &tape.0);
    // The server keeps the input open.
    let options = || allowed().build().unwrap();
    let recorded = query_with(recording, "Go.", options()).await.unwrap().finish().await;
    let replayed = query_with(tape.replay(), "Go.", options()).await.unwrap().finish();
    let replayed = timeout(Duration::from_secs(60), replayed).await.expect("it hangs");
    for run in [recorded, replayed] {
        let error = run.unwrap_err();
        assert!(matches!(error, RunError::Process(_)), "{error}");
        assert!(error.to_string().contains("out of memory"), "{error}");
    }
}

#[tokio::test]
async fn what_the_cli_says_after_its_end_is_known_is_replayed() {
    let tape = Tape::new();
    tape.record(sum(), allowed()).await;
    let mut lines = tape.lines();
    let exit = lines.pop().unwrap();
    assert!(exit.contains("\"exit\""), "{exit}");
    let result = lines.iter().position(|line| line.contains("\"type\":\"result\"")).unwrap();
    lines.insert(result, exit);
    std::fs::write(&tape.0, lines.join("\n")).unwrap();
    let (seen, result) = play(tape.replay(), allowed()).await;
    assert_eq!((&*result.text(), seen.difference()), ("42", None));
    seen.expect_all_played();
}

#[tokio::test]
async fn recordings_end_as_the_runs_did() {
    // With an error result and its status.
    let tape = Tape::new();
    tape.record(ScriptedCli::new().turn(|t| t.fail("API Error: 529 overloaded")), allowed()).await;
    let (seen, result) = play(tape.replay(), allowed()).await;
    assert!(result.is_error && seen.difference().is_none());
    // In a crash.
    tape.cut("\"type\":\"result\"");
    let text = std::fs::read_to_string(&tape.0).unwrap();
    let exit = json!({"exit": {"status": 9, "stderr": "out of memory"}});
    std::fs::write(&tape.0, format!("{text}\n{}\n{exit}", json!({"cli_text": "hm"}))).unwrap();
    let cli = tape.replay();
    let seen = cli.seen();
    let run = query_with(cli, "Go.", allowed().build().unwrap()).await.unwrap();
    let error = run.finish().await.unwrap_err().to_string();
    seen.expect_all_played();
    assert!(error.contains("signal: 9") && error.contains("out of memory"), "{error}");
}

#[tokio::test]
async fn a_recording_that_was_cut_off_is_played_to_its_end() {
    let tape = Tape::new();
    tape.record(sum(), allowed()).await;
    tape.cut("\"input_end\"");
    let (seen, result) = play(tape.replay(), allowed()).await;
    assert_eq!((&*result.text(), seen.difference()), ("42", None));
}

/// As on a disk that has become full.
#[tokio::test(start_paused = true)]
async fn a_line_that_cannot_be_recorded_fails_the_run() {
    /// Answers with more levels than a recording holds.
    #[tool(read_only, crate = crate)]
    async fn dig() -> crate::Json<Value> {
        crate::Json((0..200).fold(json!({}), |inner, _| json!({ "inner": inner })))
    }
    let registry = ToolRegistry::builder("calc").tools(tools![dig]).build().unwrap();
    let options = AgentOptions::builder().allow_registry(&registry).mcp_server(registry);
    let tape = Tape::new();
    let script = ScriptedCli::new().turn(|turn| turn.call("mcp__calc__dig", json!({})).say("Hm."));
    let recording = Recording::new(script, &tape.0);
    let run = query_with(recording, "Go.", options.build().unwrap()).await.unwrap();
    let result = timeout(Duration::from_secs(60), run.finish()).await;
    let error = result.expect("it hangs").unwrap_err();
    assert!(matches!(error, RunError::Transport(_)), "{error}");
    let expected = format!("the recording {} cannot be written: ", tape.0.display());
    assert!(error.to_string().contains(&expected), "{error}");
}
