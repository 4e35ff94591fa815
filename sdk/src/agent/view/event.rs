use serde::Serialize;

use super::user_question::UserQuestion;
use crate::agent::message::RawJson;

/// Something that happens in a run, as a view shows it.
///
/// ```
/// use toolwright::agent::view::Event;
///
/// let event = Event::Progress { id: "toolu_1".into(), done: 1.0, total: 4.0, message: "".into() };
/// let json = r#"{"type":"progress","id":"toolu_1","done":1.0,"total":4.0,"message":""}"#;
/// assert_eq!(serde_json::to_string(&event)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// `agent` is the tool call whose subagent it belongs to; none for the main conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "the variants say what their fields are")]
pub enum Event {
    /// Somebody asks.
    Prompt { text: String },
    /// A turn begins.
    Turn { model: String, session_id: String },
    /// A piece of the model's thinking.
    Thinking { agent: Option<String>, text: String },
    /// A piece of a text of the model: what it wrote since the piece before, or a whole block.
    Text { agent: Option<String>, text: String },
    /// The text or the thinking is complete.
    TextEnd { agent: Option<String> },
    /// The model calls a tool; `input` are the arguments.
    Call { agent: Option<String>, id: String, name: String, input: RawJson },
    /// How far a call of a tool of this program is, in a unit of the tool's; `total` is 0 if the
    /// tool does not know it.
    Progress { id: String, done: f64, total: f64, message: String },
    /// The call still runs; `seconds` since it began.
    Running { id: String, seconds: f64 },
    /// The call has ended. `text` is its result, of which at most 64 KiB are kept; `duration_ms` is
    /// the time since the call was seen, in ms; at a terminal it includes the time for which
    /// another question waited for its answer.
    Returned { id: String, name: String, text: String, is_error: bool, duration_ms: u64 },
    /// May the tool be called? `id` is the call, `reason` why it is asked, where the CLI says so.
    /// What `always` names can be allowed for the rest of the session, such as `Bash(ls *)`. With
    /// `default_to_no` the CLI wants "no" to be preselected.
    Question {
        id: String,
        name: String,
        input: RawJson,
        reason: Option<String>,
        always: Option<String>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        default_to_no: bool,
    },
    /// The model asks the user; `id` is its call.
    UserQuestions { id: String, questions: Vec<UserQuestion> },
    /// The question or the questions are answered, or with `None` no longer asked.
    Answer { id: String, is_allowed: Option<bool> },
    /// News of the CLI, such as a request to the API that is repeated.
    Notice { text: String },
    /// A turn has ended. `text` is its answer, or what failed; an interrupted turn has failed,
    /// unless a prompt of [`Priority::Now`](crate::agent::Priority::Now) has ended it. `turns` says
    /// how often the model answered. Cost is counted from the beginning of the session, in USD.
    Done {
        is_error: bool,
        is_interrupted: bool,
        text: String,
        turns: u64,
        duration_ms: u64,
        cost_usd: f64,
        models: Vec<ModelCost>,
    },
    /// The run has failed.
    Failed { error: String },
}

/// What one model has used and cost since the beginning of the session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelCost {
    /// The model.
    pub model: String,
    /// Tokens sent, with those that a cache had.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// The cost in USD.
    pub cost_usd: f64,
}
