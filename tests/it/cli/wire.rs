use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::Era;

/// Runs the fixture between two recorders. A line is noted before it is passed on, so what one side
/// has reacted to is on record.
const RECORDER: &str = r#"
record() {
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$1"
        printf '%s\n' "$line"
    done
}
record "$RECEIVED" | "$@" | record "$SENT"
"#;

pub(super) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// The longest that a message may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What the fixture and the program said to each other.
#[derive(Debug)]
pub(super) struct Wire {
    received: PathBuf,
    sent: PathBuf,
}

impl Wire {
    pub(super) fn new(folder: &Path) -> Self {
        Self { received: folder.join("received.jsonl"), sent: folder.join("sent.jsonl") }
    }

    /// The value of `--mcp-config` that starts the recorded fixture as the server `fixture`.
    pub(super) fn config(&self, era: Era) -> Value {
        let mut args = vec!["-c", RECORDER, "sh", env!("CARGO_BIN_EXE_fixture")];
        if era == Era::Legacy {
            args.push("--legacy");
        }
        let env = json!({"RECEIVED": self.received, "SENT": self.sent});
        json!({"mcpServers": {"fixture": {"type": "stdio", "command": "/bin/sh", "args": args, "env": env}}})
    }

    /// The messages that the fixture received, in order.
    pub(super) fn received(&self) -> Vec<Value> {
        messages(&self.received)
    }

    /// The methods that the fixture received, in order, with the tool's name in place of
    /// `tools/call`.
    pub(super) fn methods(&self) -> Vec<String> {
        let method = |message: Value| match message["params"]["name"].as_str() {
            Some(tool) if message["method"] == "tools/call" => Some(tool.to_owned()),
            _ => message["method"].as_str().map(str::to_owned),
        };
        self.received().into_iter().filter_map(method).collect()
    }

    /// The fixture's answer to a request that it received.
    pub(super) fn answer(&self, request: &Value) -> Value {
        let sent = messages(&self.sent);
        let answer = sent
            .iter()
            .find(|message| message["id"] == request["id"] && message["method"].is_null());
        answer.unwrap_or_else(|| panic!("no answer to {request} among {sent:#?}")).clone()
    }

    /// The notifications that the fixture sent, by method.
    pub(super) fn notifications(&self, method: &str) -> Vec<Value> {
        messages(&self.sent).into_iter().filter(|message| message["method"] == method).collect()
    }

    /// Waits until the fixture has sent so many notifications of this method.
    pub(super) async fn sends(&self, method: &str, count: usize) {
        let sent = async {
            while self.notifications(method).len() < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(LIMIT, sent).await.unwrap_or_else(|_| panic!("no {count} {method}"));
    }

    /// Fails unless the whole conversation was in this era.
    pub(super) fn assert_era(&self, era: Era) {
        let received = self.received();
        let methods = self.methods();
        assert_eq!(methods[0], "server/discover");
        let probe = self.answer(&received[0]);
        match era {
            Era::Modern => {
                assert_eq!(probe["result"]["supportedVersions"], json!(["2026-07-28"]), "{probe}");
                assert!(!methods.iter().any(|method| method == "initialize"), "{methods:?}");
                for request in received
                    .iter()
                    .filter(|message| !message["id"].is_null() && !message["method"].is_null())
                {
                    assert_eq!(request["params"]["_meta"][VERSION_KEY], "2026-07-28", "{request}");
                }
            }
            Era::Legacy => {
                assert!(probe["error"]["code"].is_i64(), "{probe}");
                assert_eq!(methods[1], "initialize");
                assert_eq!(received[1]["params"]["protocolVersion"], "2025-11-25");
                assert_eq!(self.answer(&received[1])["result"]["protocolVersion"], "2025-11-25");
                for message in &received[1..] {
                    assert!(message["params"]["_meta"][VERSION_KEY].is_null(), "{message}");
                }
            }
        }
    }
}

fn messages(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    // The last line may still be written.
    let (lines, _) = text.rsplit_once('\n').unwrap_or_default();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}
