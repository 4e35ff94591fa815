use std::env;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::run::Run;
use crate::peers;

/// The longest that a process of the program may live.
const LIMIT: Duration = Duration::from_secs(60);

/// Where the program is, if it is installed.
pub(crate) fn installed() -> Option<PathBuf> {
    peers::installed(env::var_os("TOOLWRIGHT_CLAUDE").map_or_else(default_path, PathBuf::from))
}

fn default_path() -> PathBuf {
    peers::peer("cli/node_modules/@anthropic-ai/claude-code/bin/claude.exe")
}

/// A running process of the program. It must end by [`finish`](Self::finish).
#[derive(Debug)]
pub(super) struct Claude {
    /// Killed whole if anything goes wrong, and before the leader is reaped, while the number still
    /// means this group.
    group: Group,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    stderr: JoinHandle<String>,
    messages: Vec<Value>,
    deadline: Instant,
}

impl Claude {
    /// Starts a command that has its arguments, environment and working folder already.
    pub(super) fn spawn(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut stderr = child.stderr.take().unwrap();
        Self {
            group: Group(child.id().unwrap()),
            stdin: child.stdin.take(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            stderr: tokio::spawn(async move {
                let mut text = Vec::new();
                let _ = stderr.read_to_end(&mut text).await;
                String::from_utf8_lossy(&text).into_owned()
            }),
            child,
            messages: Vec::new(),
            deadline: Instant::now() + LIMIT,
        }
    }

    /// Sends a user message and gives back the messages up to the `result` that ends the turn.
    pub(super) async fn turn(&mut self, prompt: &str) -> Run {
        self.ask(prompt).await;
        self.end_of_turn().await
    }

    /// Sends a user message.
    pub(super) async fn ask(&mut self, prompt: &str) {
        let message = json!({
            "type": "user",
            "message": {"role": "user", "content": prompt},
            "parent_tool_use_id": null,
            "session_id": "",
        });
        self.send(&message).await;
    }

    /// The messages from here up to the `result` that ends the turn.
    pub(super) async fn end_of_turn(&mut self) -> Run {
        let start = self.messages.len();
        loop {
            let message = self
                .next()
                .await
                .unwrap_or_else(|| panic!("stdout ended within a turn: {:#?}", self.messages));
            if message["type"] == "result" {
                return Run::new(self.messages[start..].to_vec());
            }
        }
    }

    /// Sends a control request and waits until it has succeeded.
    pub(super) async fn control(&mut self, request: &Value) {
        self.send(&json!({"type": "control_request", "request_id": "test", "request": request}))
            .await;
        loop {
            let message = self
                .next()
                .await
                .unwrap_or_else(|| panic!("no answer to {request}: {:#?}", self.messages));
            if message["type"] == "control_response" {
                assert_eq!(message["response"]["subtype"], "success", "{message}");
                return;
            }
        }
    }

    /// Closes stdin, reads the rest and waits for the end of the process, which must be a success.
    pub(super) async fn finish(mut self) -> Run {
        drop(self.stdin.take());
        while self.next().await.is_some() {}
        let status = timeout_at(self.deadline, self.child.wait())
            .await
            .unwrap_or_else(|_| panic!("does not end after its stdout"))
            .unwrap();
        self.group.has_ended();
        let stderr = timeout_at(self.deadline, self.stderr)
            .await
            .unwrap_or_else(|_| panic!("stderr stays open"))
            .unwrap();
        assert!(status.success(), "{status}, stderr: {stderr}, messages: {:#?}", self.messages);
        Run::new(self.messages)
    }

    async fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// The next message, which is also kept.
    async fn next(&mut self) -> Option<Value> {
        let line = timeout_at(self.deadline, self.lines.next_line())
            .await
            .unwrap_or_else(|_| panic!("nothing for too long after {:#?}", self.messages))
            .unwrap()?;
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.messages.push(message.clone());
        Some(message)
    }
}

/// A process group that is killed when it is dropped before its leader has ended.
#[derive(Debug)]
struct Group(u32);

impl Group {
    fn has_ended(&mut self) {
        self.0 = 0;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if self.0 != 0 {
            let _ = std::process::Command::new("/bin/sh")
                .args(["-c", "kill -KILL \"-$0\"", &self.0.to_string()])
                .status();
        }
    }
}
