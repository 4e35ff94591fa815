//! Sets of options come to the same as with the official SDKs: what the CLI is started with, and
//! the `initialize` request. A stand-in for the CLI records both, for them and for us.

mod differences;
mod launched;
mod page;
mod rows;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use toolwright::agent::{AgentClient, AgentOptions};

use super::scene::{turn, within};
use crate::cli::Folder;
use crate::peers::{installed, peer};
use differences::Difference;
use launched::{Launched, Sdk};
use rows::{ROWS, Row};

/// What the stand-in does.
fn script() -> String {
    let result = json!({
        "type": "result", "subtype": "success", "is_error": false, "result": "", "num_turns": 1,
        "duration_ms": 1, "duration_api_ms": 1, "total_cost_usd": 0, "session_id": "s", "uuid": "u",
    });
    let answer = json!({"claude_code_version": "2.1.328", "hook_on_failure_supported": true});
    json!([{"initialize": answer}, "user", "record", {"say": result}]).to_string()
}

/// What our client starts the CLI with.
async fn ours(row: &Row, folder: &Folder) -> Launched {
    let record = folder.path().join("record");
    let builder = AgentOptions::builder()
        .cli_path(env!("CARGO_BIN_EXE_fake-cli"))
        .env("FAKE_CLI_SCRIPT", script())
        .env("FAKE_CLI_RECORD", &record);
    let (name, set) = row;
    let options = set(builder).build().unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut client = within(AgentClient::connect(options)).await.unwrap();
    client.query("go").await.unwrap();
    turn(&mut client).await;
    within(client.close()).await;
    let record = fs::read_to_string(&record).unwrap();
    Launched::of(Sdk::Ours, &serde_json::from_str(&record).unwrap())
}

/// What an official SDK starts the CLI with, row by row.
async fn theirs(
    sdk: Sdk,
    interpreter: PathBuf,
    script_of_peer: &str,
) -> Vec<(&'static Row, Launched)> {
    let said: Value = serde_json::from_str(include_str!("rows.json")).unwrap();
    let named: BTreeSet<_> = said.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(named, ROWS.iter().map(|(name, _)| *name).collect(), "rows.json has other rows");
    let rows = ROWS.iter().filter(|(name, _)| !said[name][sdk.name()].is_null());
    let (rows, all): (Vec<_>, Vec<_>) =
        rows.map(|row| (row, said[row.0][sdk.name()].clone())).unzip();
    let mut child = Command::new(interpreter)
        .arg(peer(script_of_peer))
        .arg(env!("CARGO_BIN_EXE_fake-cli"))
        .env("FAKE_CLI_SCRIPT", script())
        .env_remove("CLAUDECODE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(Value::from(all).to_string().as_bytes()).await.unwrap();
    drop(input);
    let output = within(child.wait_with_output()).await.unwrap();
    let left: Vec<Value> = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(left.len(), rows.len());
    rows.into_iter().zip(left.iter().map(|record| Launched::of(sdk, record))).collect()
}

/// Compares, with differences that have a reason. Each reason must be needed.
async fn compare(sdk: Sdk, interpreter: PathBuf, script_of_peer: &str, known: &[Difference]) {
    let mut unexplained = Vec::new();
    let mut needed = BTreeSet::new();
    let theirs = theirs(sdk, interpreter, script_of_peer).await;
    for (row, theirs) in &theirs {
        let folder = Folder::create();
        let ours = ours(row, &folder).await;
        for difference in ours.differences(theirs) {
            match known.iter().find(|known| known.explains(row.0, &difference)) {
                Some(known) => drop(needed.insert(known.what)),
                None => unexplained.push(format!("{}: {difference}", row.0)),
            }
        }
    }
    assert!(
        unexplained.is_empty(),
        "{} differences:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
    let idle: Vec<_> = known.iter().filter(|known| !needed.contains(known.what)).collect();
    assert!(idle.is_empty(), "these differences are none: {idle:#?}");
    assert!(theirs.len() >= 50, "only {} sets of options", theirs.len());
}

#[tokio::test]
async fn the_python_sdk_starts_the_cli_so() {
    let Some(python) = installed(peer("sdk-python/.venv/bin/python")) else { return };
    compare(Sdk::Python, python, "sdk-python/options.py", differences::PYTHON).await;
}

#[tokio::test]
async fn the_typescript_sdk_starts_the_cli_so() {
    let package = "sdk-typescript/node_modules/@anthropic-ai/claude-agent-sdk/package.json";
    let Some(_) = installed(peer(package)) else { return };
    let script = "sdk-typescript/options.mjs";
    compare(Sdk::TypeScript, "node".into(), script, differences::TYPESCRIPT).await;
}
