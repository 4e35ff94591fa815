//! A reply of the model.

use serde_json::Value;

use super::gate::Gate;

/// One turn of the model: texts and tool calls in the order they were added, or an error.
///
/// ```
/// # use serde_json::json;
/// # use toolwright::testing::Reply;
/// let reply = Reply::new().text("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40}));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a reply does nothing until the model gets it"]
pub struct Reply {
    pub(super) blocks: Vec<Block>,
    pub(super) usage: Usage,
    pub(super) gate: Option<Gate>,
    pub(super) error: Option<ApiError>,
}

#[derive(Clone, Debug)]
pub(super) enum Block {
    /// In the pieces in which the text is streamed.
    Text(Vec<String>),
    Call {
        name: String,
        input: Value,
    },
}

/// The usage that the reply reports, in tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    pub(super) input: u64,
    pub(super) output: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 10, output: 10 }
    }
}

/// An error instead of a message.
#[derive(Clone, Debug)]
pub(super) struct ApiError {
    pub(super) status: u16,
    pub(super) kind: String,
    pub(super) message: String,
}

impl Reply {
    /// An empty reply.
    pub fn new() -> Self {
        Self::default()
    }

    /// An error of the API, such as `Reply::error(400, "invalid_request_error", "too many
    /// images")`.
    ///
    /// The program retries after most errors, some of them for minutes.
    /// [`ScriptedModel::reply_ever_after`](super::ScriptedModel::reply_ever_after) gives it the
    /// same answer each time.
    pub fn error(status: u16, kind: impl Into<String>, message: impl Into<String>) -> Self {
        let error = ApiError { status, kind: kind.into(), message: message.into() };
        Self { error: Some(error), ..Self::default() }
    }

    /// Adds a block of text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.text_in_pieces([text])
    }

    /// Adds a block of text that is streamed in these pieces.
    pub fn text_in_pieces(mut self, pieces: impl IntoIterator<Item: Into<String>>) -> Self {
        self.blocks.push(Block::Text(pieces.into_iter().map(Into::into).collect()));
        self
    }

    /// Adds a tool call. Its id is generated when the reply is sent.
    pub fn call(mut self, name: impl Into<String>, input: Value) -> Self {
        self.blocks.push(Block::Call { name: name.into(), input });
        self
    }

    /// The usage in tokens, from which the program computes the cost. Default: 10 each.
    pub fn usage(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        self.usage = Usage { input: input_tokens, output: output_tokens };
        self
    }

    /// Holds the reply back until the gate is open.
    pub fn held_by(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }
}
