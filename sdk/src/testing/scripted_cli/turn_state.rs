//! The state of the current turn.

use serde_json::Value;

/// The state of the current turn.
#[derive(Default)]
pub(super) struct TurnState {
    /// The ids of the prompts that began it.
    pub(super) prompts: Vec<String>,
    /// The ids of the prompts that it has taken up since.
    pub(super) taken_up: Vec<String>,
    /// The id of the turn for hooks.
    pub(super) id: String,
    /// The model that was asked for the answer that comes.
    pub(super) model: String,
    /// What the model is said to have said of the last failure: a word for it, and the text.
    pub(super) failure: Option<(String, String)>,
    pub(super) is_interrupted: bool,
    /// A prompt interrupted it, not a request.
    pub(super) is_superseded: bool,
    /// The structured output.
    pub(super) output: Option<Value>,
    /// Why attempts to give one were refused.
    pub(super) refused_outputs: Vec<String>,
    /// The model was told to give one.
    pub(super) is_reminded: bool,
    /// The user was told of a hook of its end.
    pub(super) has_stop_error: bool,
    /// The number of user messages that the CLI has added to the conversation.
    pub(super) added: u64,
    /// How often the model was asked to resume an answer that was cut off.
    pub(super) resumed: u64,
    /// The input tokens of its first answer.
    pub(super) first_input: Option<u64>,
    /// The tokens of its answers: input and output.
    pub(super) tokens: (u64, u64),
    /// The input tokens of an answer that is not complete.
    pub(super) unfinished: Option<u64>,
    /// Why the last answer that is complete stopped.
    pub(super) stop_reason: Option<String>,
    pub(super) denials: Vec<Value>,
    /// The tool uses that wait for a permission, as `permission_denials` has them.
    pub(super) asking: Vec<Value>,
    /// The running MCP requests of tool uses.
    pub(super) requests: Vec<Request>,
    /// An answer has carried the prompt's id.
    pub(super) is_attributed: bool,
    /// Whose words the model says now.
    pub(super) speaker: Speaker,
    /// Who waits for them: the main conversation first, then subagents.
    pub(super) waiting: Vec<Speaker>,
}

/// The main conversation or a subagent, and how far it has come.
#[derive(Default)]
pub(super) struct Speaker {
    /// The subagent, if it is one.
    pub(super) agent: Option<Agent>,
    /// What it has said last.
    pub(super) text: String,
    pub(super) tool_result: Option<String>,
    /// Its tool calls are running.
    pub(super) in_tools: bool,
    pub(super) open: Vec<OpenCall>,
    /// How many turns it has taken, as `max_turns` counts them.
    pub(super) turns: u64,
    /// How often in a row hooks have blocked its end.
    pub(super) blocks: u64,
    /// The answer to a permission request interrupted it.
    pub(super) is_denied: bool,
    /// A hook ends it.
    pub(super) stopped: bool,
    /// The call that a hook deferred.
    pub(super) deferred: Option<Value>,
}

/// A tool use without a result.
pub(super) struct OpenCall {
    pub(super) id: String,
    pub(super) name: String,
    /// The input that the tool was called with, if it was called.
    pub(super) called_with: Option<Value>,
}

/// A running MCP request.
#[derive(Clone, PartialEq)]
pub(super) struct Request {
    pub(super) server: String,
    pub(super) id: u64,
    pub(super) tool_use: String,
}

/// A subagent that is running.
#[derive(Clone)]
pub(super) struct Agent {
    pub(super) id: String,
    pub(super) tool_use: String,
    pub(super) kind: String,
    pub(super) description: String,
    /// Its definition in the options, if it has one.
    pub(super) definition: Value,
}

impl TurnState {
    pub(super) fn new(prompts: Vec<String>, id: String) -> Self {
        Self { prompts, id, ..Self::default() }
    }

    /// A subagent begins to speak.
    pub(super) fn enter(&mut self, agent: Agent) {
        let speaker = Speaker { agent: Some(agent), ..Speaker::default() };
        self.waiting.push(std::mem::replace(&mut self.speaker, speaker));
    }

    /// The subagent has ended.
    pub(super) fn leave(&mut self) -> Speaker {
        let outer = self.waiting.pop().unwrap_or_default();
        std::mem::replace(&mut self.speaker, outer)
    }

    /// A tool is called with this input.
    pub(super) fn call_begins(&mut self, id: &str, input: &Value) {
        if let Some(call) = self.speaker.open.iter_mut().find(|call| call.id == id) {
            call.called_with = Some(input.clone());
        }
    }

    /// Whether the main conversation speaks.
    pub(super) fn is_main(&self) -> bool {
        self.speaker.agent.is_none()
    }

    /// The id that stands for all prompts that began it: the last.
    pub(super) fn prompt(&self) -> Option<&String> {
        self.prompts.last().filter(|prompt| !prompt.is_empty())
    }

    /// The ids of all its prompts.
    pub(super) fn all_prompts(&self) -> Vec<String> {
        self.prompts.iter().chain(&self.taken_up).filter(|it| !it.is_empty()).cloned().collect()
    }
}
