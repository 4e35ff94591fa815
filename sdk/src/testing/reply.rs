//! A reply of the model.

use serde_json::Value;

use super::gate::Gate;

/// One answer of the model: thoughts, texts and tool calls in the order they were added, or an
/// error. `ScriptedModel` and `ScriptedCli` both take it, so that one script tests an agent in
/// memory and with the real program.
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
    pub(super) stop_reason: Option<String>,
    pub(super) is_cut_off: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Block {
    /// In the pieces in which the text is streamed.
    Text(Vec<String>),
    Thinking {
        text: String,
        signature: String,
    },
    Call {
        name: String,
        input: Value,
    },
    /// What follows waits.
    Gate(Gate),
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
    /// `ScriptedModel::reply_ever_after` gives it the same answer each time; the variable
    /// `CLAUDE_CODE_MAX_RETRIES` says how often it tries again.
    pub fn error(status: u16, kind: impl Into<String>, message: impl Into<String>) -> Self {
        let error = ApiError { status, kind: kind.into(), message: message.into() };
        Self { error: Some(error), ..Self::default() }
    }

    /// Adds a block of text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.text_in_pieces([text])
    }

    /// Adds a block of text that is streamed in these pieces.
    pub fn text_in_pieces(self, pieces: impl IntoIterator<Item: Into<String>>) -> Self {
        self.and(Block::Text(pieces.into_iter().map(Into::into).collect()))
    }

    /// Adds thinking, with a signature that is made up.
    pub fn thinking(self, text: impl Into<String>) -> Self {
        self.signed_thinking(text, "scripted")
    }

    /// Adds thinking with this signature, with which the program sends it back.
    pub fn signed_thinking(self, text: impl Into<String>, signature: impl Into<String>) -> Self {
        self.and(Block::Thinking { text: text.into(), signature: signature.into() })
    }

    /// Adds a tool call. Its id is generated when the reply is sent. The calls of one reply are
    /// parallel.
    pub fn call(self, name: impl Into<String>, input: Value) -> Self {
        self.and(Block::Call { name: name.into(), input })
    }

    /// Why the model stops, such as `refusal` or `max_tokens`. Default: `tool_use` if there is a
    /// call, else `end_turn`.
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
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

    /// Holds what is added after this back until the gate is open. What comes before is sent, so
    /// that partial messages show it.
    pub fn pause_at(self, gate: &Gate) -> Self {
        self.and(Block::Gate(gate.clone()))
    }

    /// Cuts the connection before the reply is complete. Without a pause, the program sees nothing
    /// of the reply and asks again. With one, it has seen what comes before the last
    /// [`pause_at`](Self::pause_at), and asks the model to go on from there; open the gate when
    /// the message has arrived.
    pub fn cut_off(mut self) -> Self {
        self.is_cut_off = true;
        self
    }

    /// Whether the model calls a tool.
    pub(super) fn calls(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block, Block::Call { .. }))
    }

    /// The blocks that reach the program. What is sent right before a cut may be lost, so it is
    /// not sent at all.
    pub(super) fn sent(&self) -> &[Block] {
        let is_gate = |block: &Block| matches!(block, Block::Gate(_));
        match self.is_cut_off {
            true => &self.blocks[..self.blocks.iter().rposition(is_gate).map_or(0, |at| at + 1)],
            false => &self.blocks,
        }
    }

    /// The gates among what is sent.
    pub(super) fn pauses(&self) -> impl Iterator<Item = &Gate> {
        self.sent().iter().filter_map(|block| match block {
            Block::Gate(gate) => Some(gate),
            _ => None,
        })
    }

    /// Why the model stops.
    pub(super) fn stops_for(&self) -> &str {
        let by_itself = if self.calls() { "tool_use" } else { "end_turn" };
        self.stop_reason.as_deref().unwrap_or(by_itself)
    }

    fn and(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}
