//! Turns that end in other ways than with a result.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Signal, getpid, kill_process};
use serde_json::{Value, json};

use super::peer::Peer;
use super::script::READY;

/// What these scenarios begin with.
pub const PREFIX: &str = "end-";

/// Says something, with a child process and, unless the turn ends well, a call of the first
/// in-process server that never comes back. Then ends as `how` says: only `well` returns.
pub fn run(peer: &mut Peer, how: &str, servers: &[String]) -> Result<Value> {
    let server = servers.first().context("no in-process server")?;
    // As a command of the model's that runs in the background.
    let null = || Stdio::null();
    let mut sleep = Command::new("sleep");
    let _ = sleep.arg("600").stdin(null()).stdout(null()).stderr(null()).spawn()?;
    if how == "well" {
        peer.write(READY.as_bytes())?;
        let sum = peer.ask(server, &call("add", json!({"a": 40, "b": 2})))?;
        ensure!(sum["result"]["content"][0]["text"] == "42", "another sum: {sum}");
        return Ok(Value::Null);
    }
    peer.begin(server, &call("hang", json!({})))?;
    peer.write(READY.as_bytes())?;
    match how {
        "killed" => kill_process(getpid(), Signal::KILL).context("killing itself")?,
        "crashed" => bail!("a crash that was asked for"),
        "never" => {
            while peer.fill()? {
                while peer.line().is_some() {}
            }
        }
        _ => bail!("an unknown end: {how}"),
    }
    std::process::exit(0)
}

fn call(tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
}
