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
pub struct Reply {
    pub(super) blocks: Vec<Block>,
    pub(super) usage: Usage,
    pub(super) gate: Option<Gate>,
    pub(super) error: Option<ApiError>,
}

#[derive(Clone, Debug)]
pub(super) enum Block {
    /// In the pieces in which it is streamed.
    Text(Vec<String>),
    Call {
        name: String,
        input: Value,
    },
}

/// What the reply says that it has used, in tokens.
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

/// An answer that is no message.
#[derive(Clone, Debug)]
pub(super) struct ApiError {
    pub(super) status: u16,
    pub(super) kind: String,
    pub(super) message: String,
}

impl Reply {
    /// A reply that says nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An error of the API, such as `Reply::error(400, "invalid_request_error", "too many
    /// images")`.
    ///
    /// The program tries again after most of them, for minutes where the API may recover, and with
    /// less in the request where it may not:
    /// [`ScriptedModel::reply_ever_after`](super::ScriptedModel::reply_ever_after) gives it the
    /// same answer each time.
    #[must_use]
    pub fn error(status: u16, kind: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            error: Some(ApiError { status, kind: kind.into(), message: message.into() }),
            ..Self::default()
        }
    }

    /// Adds a block of text.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.text_in_pieces([text])
    }

    /// Adds a block of text that is streamed in these pieces.
    #[must_use]
    pub fn text_in_pieces(mut self, pieces: impl IntoIterator<Item: Into<String>>) -> Self {
        self.blocks.push(Block::Text(pieces.into_iter().map(Into::into).collect()));
        self
    }

    /// Adds a tool call. Its id is made when the reply is sent.
    #[must_use]
    pub fn call(mut self, name: impl Into<String>, input: Value) -> Self {
        self.blocks.push(Block::Call { name: name.into(), input });
        self
    }

    /// Says how many tokens it has used, by which the program reckons the cost; 10 each, unless
    /// said otherwise.
    #[must_use]
    pub fn usage(mut self, input_tokens: u64, output_tokens: u64) -> Self {
        self.usage = Usage { input: input_tokens, output: output_tokens };
        self
    }

    /// Is not sent before the gate is open.
    #[must_use]
    pub fn held_by(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }
}
