//! A request to the model.

use std::sync::Arc;

use serde_json::Value;

/// What the program writes before and behind a prompt that the running turn takes up.
const TAKEN_UP: [&str; 2] = [
    "The user sent a new message while you were working:\n",
    "\n\nThis is how Claude Code surfaces messages",
];

/// The tags of what it says of a task that has ended.
const NOTIFICATION: [&str; 2] = ["<task-notification>\n", "\n</task-notification>"];

/// A request that the model has received.
///
/// The methods look at everything after the last assistant message: the program may send several
/// user messages between two answers, with messages of the role `system` among them.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    body: Arc<Value>,
}

/// The result of a tool call, as the model has received it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordedToolResult {
    /// The id of the call.
    pub tool_use_id: String,
    /// The text, or all text blocks with a newline between them.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
    /// The content as it was sent: a string or an array of blocks.
    pub content: Value,
}

impl RecordedRequest {
    pub(super) fn new(body: Value) -> Self {
        Self { body: Arc::new(body) }
    }

    /// The whole body.
    #[must_use]
    pub fn body(&self) -> &Value {
        &self.body
    }

    /// The tool results that this request adds.
    #[must_use]
    pub fn tool_results(&self) -> Vec<RecordedToolResult> {
        let blocks = self.new_user_contents().flat_map(blocks);
        blocks
            .filter(|block| block["type"] == "tool_result")
            .map(RecordedToolResult::read)
            .collect()
    }

    /// The texts of the user role that this request adds, including reminders of the program.
    #[must_use]
    pub fn user_texts(&self) -> Vec<String> {
        self.new_user_contents().flat_map(texts).collect()
    }

    /// The prompts that this request adds: the texts of the user role without the reminders of the
    /// program, the prompts that the running turn has taken up, and each `<task-notification>` of
    /// a task that has ended in the background. The program frames the last two; these are the
    /// texts in the frames.
    #[must_use]
    pub fn prompts(&self) -> Vec<String> {
        let mut prompts = Vec::new();
        for message in self.new_messages() {
            for text in texts(&message["content"]) {
                let is_prompt = message["role"] == "user"
                    && !text.trim_start().starts_with("<system-reminder>");
                if is_prompt {
                    prompts.push(text);
                    continue;
                }
                prompts.extend(between(&text, TAKEN_UP).map(str::to_owned));
                let [start, end] = NOTIFICATION;
                let told = between(&text, NOTIFICATION);
                prompts.extend(told.map(|told| format!("{start}{told}{end}")));
            }
        }
        prompts
    }

    /// The name of the model that is asked.
    #[must_use]
    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    /// The system prompt, its blocks with a newline between them.
    #[must_use]
    pub fn system(&self) -> String {
        texts(&self.body["system"]).collect::<Vec<_>>().join("\n")
    }

    /// The whole conversation, in the form of the Messages API.
    #[must_use]
    pub fn messages(&self) -> &[Value] {
        items(&self.body["messages"])
    }

    /// The names of the tools whose schemas the request contains; deferred tools are not among
    /// them.
    #[must_use]
    pub fn tool_names(&self) -> Vec<String> {
        let names = items(&self.body["tools"]).iter().filter_map(|tool| tool["name"].as_str());
        names.map(str::to_owned).collect()
    }

    fn new_messages(&self) -> impl Iterator<Item = &Value> {
        let messages = self.messages();
        let last = messages.iter().rposition(|message| message["role"] == "assistant");
        messages[last.map_or(0, |last| last + 1)..].iter()
    }

    fn new_user_contents(&self) -> impl Iterator<Item = &Value> {
        let new = self.new_messages().filter(|message| message["role"] == "user");
        new.map(|message| &message["content"])
    }
}

impl RecordedToolResult {
    fn read(block: &Value) -> Self {
        Self {
            tool_use_id: block["tool_use_id"].as_str().unwrap_or_default().to_owned(),
            text: texts(&block["content"]).collect::<Vec<_>>().join("\n"),
            is_error: block["is_error"] == true,
            content: block["content"].clone(),
        }
    }
}

/// The parts of a text between these two.
fn between<'a>(text: &'a str, [start, end]: [&str; 2]) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).map(move |rest| rest.split_once(end).map_or(rest, |(part, _)| part))
}

/// The texts of a content, which is a string or an array of blocks.
fn texts(content: &Value) -> impl Iterator<Item = String> {
    let whole = content.as_str();
    let parts = blocks(content).filter(|block| block["type"] == "text");
    let parts = parts.filter_map(|block| block["text"].as_str());
    whole.into_iter().chain(parts).map(str::to_owned)
}

fn blocks(content: &Value) -> impl Iterator<Item = &Value> {
    items(content).iter()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
