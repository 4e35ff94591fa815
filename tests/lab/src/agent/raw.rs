//! The least that a client can do until the first message is there.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::client::Client;
use crate::inbox::Inbox;

const INITIALIZE: &[u8] =
    b"{\"type\":\"control_request\",\"request_id\":\"req_1\",\"request\":{\"subtype\":\"initialize\",\"hooks\":null}}\n";
const PROMPT: &[u8] =
    b"{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go\"},\"parent_tool_use_id\":null,\"session_id\":\"\"}\n";

/// Seconds from the spawn to the first message, `count` times.
pub fn first(client: &Client, count: usize) -> Result<Vec<f64>> {
    (0..count).map(|_| once(client)).collect()
}

fn once(client: &Client) -> Result<f64> {
    let mut command = Command::new(&client.cli);
    command.args(["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"]);
    client.clear(&mut command, "first 1");
    let clock = Instant::now();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("starting the CLI")?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let mut stdout = child.stdout.take().context("no stdout")?;
    let mut inbox = Inbox::new();
    let mut until = |word: &[u8]| -> Result<()> {
        loop {
            while let Some(line) = inbox.line() {
                if memchr::memmem::find(line, word).is_some() {
                    return Ok(());
                }
            }
            inbox.fill(&mut stdout).context("reading from the CLI")?;
        }
    };
    stdin.write_all(INITIALIZE)?;
    until(b"\"control_response\"")?;
    stdin.write_all(PROMPT)?;
    until(b"\"init\"")?;
    let seconds = clock.elapsed().as_secs_f64();
    drop(stdin);
    ensure!(child.wait()?.success(), "the CLI ended badly");
    Ok(seconds)
}
