use serde_json::Value;

/// One turn of the model: texts and tool calls in the order they were added.
///
/// ```
/// # use serde_json::json;
/// # use toolwright::testing::Reply;
/// let reply = Reply::new().text("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40}));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Reply {
    pub(super) blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
pub(super) enum Block {
    Text(String),
    Call { name: String, input: Value },
}

impl Reply {
    /// A reply that says nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a block of text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    /// Adds a tool call. Its id is made when the reply is sent.
    #[must_use]
    pub fn call(mut self, name: impl Into<String>, input: Value) -> Self {
        self.blocks.push(Block::Call { name: name.into(), input });
        self
    }
}
