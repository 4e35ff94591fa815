use std::io::Write;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::agent::client::Client;
use crate::inbox::Inbox;
use crate::watchdog::Watchdog;

pub const INITIALIZE: &[u8] = concat!(
    r#"{"type":"control_request","request_id":"req_1","request":{"subtype":"initialize","#,
    r#""hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["hook_0"]}]}}}"#,
    "\n"
)
.as_bytes();

pub const PROMPT: &[u8] = concat!(
    r#"{"type":"user","message":{"role":"user","content":"go"},"#,
    r#""parent_tool_use_id":null,"session_id":""}"#,
    "\n"
)
.as_bytes();

/// A CLI that was started, and the pipes to it.
pub struct Run {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    inbox: Inbox,
}

impl Run {
    pub fn start(client: &Client, scenario: &str, args: &[&str]) -> Result<Self> {
        let mut command = Command::new(&client.cli);
        command.args(["--output-format", "stream-json", "--verbose"]);
        command.args(["--input-format", "stream-json"]).args(args);
        client.clear(&mut command, scenario);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("starting the CLI")?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        Ok(Self { child, stdin, stdout, inbox: Inbox::new() })
    }

    /// To be dropped before the run ends.
    pub fn watchdog(&self, limit: Duration) -> Watchdog {
        Watchdog::over_for(&self.child, limit)
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.stdin.write_all(bytes).context("writing to the CLI")
    }

    /// Waits for bytes and reads once.
    pub fn fill(&mut self) -> Result<()> {
        self.inbox.fill(&mut self.stdout).context("reading from the CLI")
    }

    /// The next whole line that was read.
    pub fn line(&mut self) -> Option<&[u8]> {
        self.inbox.line()
    }

    /// Closes the CLI's input and waits for its end.
    pub fn end(self) -> Result<()> {
        let Self { mut child, stdin, .. } = self;
        drop(stdin);
        ensure!(child.wait()?.success(), "the CLI ended badly");
        Ok(())
    }
}
