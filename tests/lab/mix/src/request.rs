use std::io::Write;

use serde_json::Value;

use crate::{Kind, Mix};

/// The tools that are called, as the test fixture has them.
pub const TOOLS: &str = "add,spin,fail,panic,sleep_ms,quick_timeout,echo,\
                         test_input_required_result_elicitation";

/// A retry has the id of its call and this besides.
pub const RETRY: u64 = 1 << 40;

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"toolwright-lab","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}"#;

const LARGE: usize = 64 * 1024;

/// Writes the requests.
#[derive(Debug)]
pub struct Requests {
    pub mix: Mix,
    /// The long text as JSON.
    large: String,
}

impl Requests {
    pub fn new(mix: Mix) -> Self {
        Self { mix, large: Value::from(large()).to_string() }
    }

    /// The tool that a call of this kind calls.
    pub fn tool(kind: Kind) -> &'static str {
        match kind {
            Kind::Good => "add",
            Kind::Plain => "spin",
            Kind::Failed => "fail",
            Kind::Panicked => "panic",
            Kind::Cancelled => "sleep_ms",
            Kind::TimedOut => "quick_timeout",
            Kind::Large => "echo",
            Kind::Asked => "test_input_required_result_elicitation",
        }
    }

    /// Appends a call, without a line feed.
    pub fn call(&self, id: u64, out: &mut Vec<u8>) {
        let kind = self.mix.kind(id);
        self.head(id, kind, out);
        let _ = match kind {
            Kind::Good => write!(out, r#"{{"a":{id},"b":0.5}}"#),
            Kind::Plain => write!(out, r#"{{"ms":0}}"#),
            Kind::Failed => write!(out, r#"{{"message":"failure {id}"}}"#),
            // Longer than the run.
            Kind::Cancelled => write!(out, r#"{{"ms":86400000}}"#),
            Kind::Large => write!(out, r#"{{"text":{}}}"#, self.large),
            Kind::Panicked | Kind::TimedOut | Kind::Asked => write!(out, "{{}}"),
        };
        let _ = write!(out, ",{META}}}}}");
    }

    /// Appends the cancellation of a call.
    pub fn cancellation(&self, id: u64, out: &mut Vec<u8>) {
        let _ = write!(
            out,
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},{META}}}}}"#
        );
    }

    /// Appends the retry of a call that asked, with the answer and the state that came with the
    /// question.
    pub fn retry(&self, id: u64, state: Option<&str>, out: &mut Vec<u8>) {
        self.head(id + RETRY, Kind::Asked, out);
        let name = user(id);
        let _ = write!(
            out,
            r#"{{}},"inputResponses":{{"user_name":{{"action":"accept","content":{{"name":"{name}"}}}}}}"#
        );
        if let Some(state) = state {
            let _ = write!(out, r#","requestState":{}"#, Value::from(state));
        }
        let _ = write!(out, ",{META}}}}}");
    }

    fn head(&self, id: u64, kind: Kind, out: &mut Vec<u8>) {
        let tool = Self::tool(kind);
        let _ = write!(
            out,
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":"#
        );
    }
}

/// The long text, with an escape about every 25 bytes.
pub fn large() -> String {
    let mut text = "a line of some 24 letters\nand one with \"a quote in it ".repeat(LARGE / 50);
    text.truncate(LARGE);
    text
}

/// Who the user says that he is.
pub fn user(id: u64) -> String {
    format!("user {id}")
}
