use std::io::Write;
use std::sync::Arc;

pub const LEGACY_VERSION: &str = "2025-11-25";
pub const STATELESS_VERSION: &str = "2026-07-28";

/// All ids have eight digits, so all lines of a batch are equally long and any run of them is one
/// slice.
pub const FIRST_ID: u64 = 10_000_000;
pub const ID_DIGITS: usize = 8;

const META: &str = r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"toolwright-lab","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Stateless,
}

impl Era {
    /// The first line a client sends. It has the id 0.
    pub fn opening(self) -> Vec<u8> {
        let line = match self {
            Self::Legacy => format!(
                r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{LEGACY_VERSION}","capabilities":{{}},"clientInfo":{{"name":"toolwright-lab","version":"1.0.0"}}}}}}"#
            ),
            Self::Stateless => {
                format!(
                    r#"{{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{{{}}}}}"#,
                    &META[1..]
                )
            }
        };
        (line + "\n").into_bytes()
    }

    /// What follows the answer to the opening.
    pub fn greeting(self) -> &'static [u8] {
        match self {
            Self::Legacy => b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
            Self::Stateless => b"",
        }
    }

    /// A request for the tools. It has the id 1.
    pub fn listing(self) -> Vec<u8> {
        // Without its comma.
        let meta = self.meta().get(1..).unwrap_or_default();
        let params = format!(r#""params":{{{meta}}}"#);
        (format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list",{params}}}"#) + "\n")
            .into_bytes()
    }

    fn meta(self) -> &'static str {
        match self {
            Self::Legacy => "",
            Self::Stateless => META,
        }
    }
}

#[derive(Clone)]
pub enum Call {
    /// The first number depends on the id, so an answer given to the wrong request is noticed.
    Add,
    Search,
    Sleep,
    Echo(Arc<str>),
}

impl Call {
    /// A text of exactly `size` bytes with an escape about every 25.
    pub fn echo(size: usize) -> Self {
        let mut text =
            "a line of some 24 letters\nand one with \"a quote in it ".repeat(size / 50 + 1);
        text.truncate(size);
        Self::Echo(text.into())
    }

    /// The exact text that the tool must answer.
    pub fn text(&self, id: u64) -> String {
        match self {
            Self::Add => format!("{}.25", number(id)),
            Self::Search => "3".to_owned(),
            Self::Sleep => "ok".to_owned(),
            Self::Echo(text) => text.to_string(),
        }
    }

    fn params(&self, id: u64) -> String {
        match self {
            Self::Add => format!(r#""name":"add","arguments":{{"a":{},"b":0.25}}"#, number(id)),
            Self::Search => concat!(
                r#""name":"search","arguments":{"query":"rust async runtime","limit":25,"filters":["#,
                r#"{"field":"language","op":"eq","value":"rust"},{"field":"stars","op":"gt","value":100},"#,
                r#"{"field":"title","op":"contains","value":"executor"}],"#,
                r#""options":{"case_sensitive":false,"page":{"offset":50,"size":25}}}"#
            )
            .to_owned(),
            Self::Sleep => r#""name":"sleep_ms","arguments":{"ms":50}"#.to_owned(),
            Self::Echo(text) => {
                format!(r#""name":"echo","arguments":{{"text":{}}}"#, serde_json::Value::from(text.as_ref()))
            }
        }
    }
}

/// The three-digit operand of the request with this id.
pub fn number(id: u64) -> u64 {
    100 + id % 900
}

/// Requests rendered ahead of the clock, one line each, with consecutive ids.
pub struct Batch {
    pub call: Call,
    pub first: u64,
    pub count: usize,
    bytes: Vec<u8>,
}

impl Batch {
    pub fn render(call: Call, era: Era, first: u64, count: usize) -> Self {
        let mut bytes = Vec::new();
        for id in first..first + count as u64 {
            let (params, meta) = (call.params(id), era.meta());
            writeln!(
                bytes,
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{{params}{meta}}}}}"#
            )
            .expect("a vector takes all bytes");
        }
        assert!(bytes.len().is_multiple_of(count), "the lines of a batch are equally long");
        Self { call, first, count, bytes }
    }

    /// The lines `from..to` with their line feeds.
    pub fn lines(&self, from: usize, to: usize) -> &[u8] {
        let line = self.bytes.len() / self.count;
        &self.bytes[from * line..to * line]
    }

    /// Where in the batch a request is.
    pub fn position(&self, id: u64) -> Option<usize> {
        let position = usize::try_from(id.checked_sub(self.first)?).ok()?;
        (position < self.count).then_some(position)
    }
}
