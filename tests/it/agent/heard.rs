use toolwright::agent::Message;
use toolwright::agent::message::{ResultMessage, SystemMessage, ToolResultBlock, ToolUseBlock};

/// Messages in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Heard(Vec<Message>);

impl Heard {
    pub(super) fn push(&mut self, message: Message) {
        self.0.push(message);
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.0
    }

    /// What each message is: its type, and of a system message the subtype.
    pub(super) fn kinds(&self) -> Vec<&str> {
        let kinds = self.0.iter().map(|message| match message {
            Message::System(system) => system.subtype(),
            other => other.r#type(),
        });
        kinds.collect()
    }

    /// The one result.
    pub(super) fn result(&self) -> &ResultMessage {
        match self.results().as_slice() {
            [result] => result,
            other => panic!("{} results: {:#?}", other.len(), self.0),
        }
    }

    pub(super) fn results(&self) -> Vec<&ResultMessage> {
        let results = self.0.iter().filter_map(|message| match message {
            Message::Result(result) => Some(&**result),
            _ => None,
        });
        results.collect()
    }

    /// All that the model said.
    pub(super) fn text(&self) -> String {
        let texts = self.0.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(message.text()),
            _ => None,
        });
        texts.collect()
    }

    /// The tool calls of the model.
    pub(super) fn tool_uses(&self) -> Vec<&ToolUseBlock> {
        let calls = self.0.iter().filter_map(|message| match message {
            Message::Assistant(message) => Some(message.tool_uses()),
            _ => None,
        });
        calls.flatten().collect()
    }

    /// The results of tool calls as the CLI tells of them.
    pub(super) fn tool_results(&self) -> Vec<&ToolResultBlock> {
        let results = self.0.iter().filter_map(|message| match message {
            Message::User(message) => Some(message.tool_results()),
            _ => None,
        });
        results.flatten().collect()
    }

    pub(super) fn system(&self) -> impl Iterator<Item = &SystemMessage> {
        self.0.iter().filter_map(|message| match message {
            Message::System(message) => Some(message),
            _ => None,
        })
    }
}
