//! The CLI's side of the protocol, for clients that are measured: the handshake as the real CLI
//! does it, then what the scenario says.
//!
//! Clients start this program by its path with arguments of their own, so the scenario is in the
//! environment.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

mod ask;
mod peer;
mod script;

mod answer;
mod ending;
mod in_flight;

pub use script::StreamBlock;

use ask::Ask;
use peer::Peer;
use script::{INIT, REQUIRED_VERSION};

/// The variable with the scenario: its name and numbers, as the client got them.
pub const SCENARIO: &str = "TOOLWRIGHT_LAB_SCENARIO";

/// How long a client has to look at its memory before large messages come.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(200);

pub fn serve(scenario: &str) -> Result<()> {
    if std::env::args().skip(1).any(|arg| arg == "--version" || arg == "-v") {
        println!("{REQUIRED_VERSION} (Claude Code)");
        return Ok(());
    }
    let words: Vec<&str> = scenario.split(' ').collect();
    let numbers: Vec<usize> = words[1..]
        .iter()
        .map(|word| word.parse())
        .collect::<Result<_, _>>()
        .context("not a number")?;
    // Whatever takes time to prepare is prepared before anybody waits for it.
    let output = script::prepare(words[0], &numbers)?;
    let mut peer = Peer::new();
    let Client { servers, hook } = handshake(&mut peer)?;
    while peer.wait_for_prompt()? {
        for server in &servers {
            peer.notify(server, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
            let tools =
                peer.ask(server, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))?;
            ensure!(
                tools["result"]["tools"][0]["name"] == "add",
                "another tool than expected: {tools}"
            );
        }
        peer.write(INIT.as_bytes())?;
        let result = match (words[0], numbers.as_slice()) {
            ("calls", [..]) => in_flight::run(&mut peer, Ask::Call, "", &numbers)?,
            ("hooks", [..]) => in_flight::run(&mut peer, Ask::Hook, &hook, &numbers)?,
            ("permissions", [..]) => in_flight::run(&mut peer, Ask::Permission, "", &numbers)?,
            ("large", [_, count]) => {
                peer.write(script::READY.as_bytes())?;
                std::thread::sleep(PAUSE);
                output.write_large(&mut peer, *count)?
            }
            ("partial", [count]) => output.write_stream(&mut peer, *count)?,
            ("first" | "idle", _) => Value::Null,
            (scenario, _) => match scenario.strip_prefix(ending::PREFIX) {
                Some(how) => ending::run(&mut peer, how, &servers)?,
                None => bail!("an unknown scenario: {scenario}"),
            },
        };
        peer.write(script::result(&result).as_bytes())?;
    }
    Ok(())
}

/// What a client has told about itself.
struct Client {
    /// The names of its in-process servers.
    servers: Vec<String>,
    /// The id of its `PreToolUse` hook; empty if it has none.
    hook: String,
}

/// Answers `initialize` once every in-process server has answered its own.
fn handshake(peer: &mut Peer) -> Result<Client> {
    let request = peer.initialize()?;
    let servers = in_process_servers(&request)?;
    for server in &servers {
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": REQUIRED_VERSION}});
        let answer = peer.ask(
            server,
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}),
        )?;
        ensure!(
            answer["result"]["protocolVersion"] == "2025-11-25",
            "the server does not initialise: {answer}"
        );
    }
    let answer = json!({
        "commands": [], "agents": [], "models": [], "account": {}, "output_style": "default", "available_output_styles": ["default"],
        "pid": std::process::id(), "claude_code_version": REQUIRED_VERSION, "hook_on_failure_supported": true, "hooks_applied": true,
        "session_state": "idle", "capabilities": ["interrupt_receipt_v1"],
    });
    peer.answer(request["request_id"].as_str().context("no request_id")?, &answer)?;
    let hook = &request["request"]["hooks"]["PreToolUse"][0]["hookCallbackIds"][0];
    Ok(Client { servers, hook: hook.as_str().unwrap_or_default().to_owned() })
}

/// Their names: one SDK sends them on the command line, the other in `initialize`, and one may do
/// both.
fn in_process_servers(initialize: &Value) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut args = std::env::args();
    while let Some(arg) = args.next() {
        let config = match arg.strip_prefix("--mcp-config") {
            Some("") => args.next(),
            Some(value) => value.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        let Some(config) = config else { continue };
        let config: Value =
            serde_json::from_str(&config).context("the MCP configuration is not JSON")?;
        for (name, server) in config["mcpServers"].as_object().into_iter().flatten() {
            if server["type"] == "sdk" {
                names.push(name.clone());
            }
        }
    }
    for name in initialize["request"]["sdkMcpServers"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
