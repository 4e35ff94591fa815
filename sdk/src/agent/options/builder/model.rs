//! Setters for the model.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::AgentOptionsBuilder;
use crate::agent::options::thinking::{Effort, Thinking, ThinkingDisplay};
use crate::agent::setters::setters;
use crate::mcp::schema;

setters! {
    /// The model, its thinking, its limits and the form of its result.
    impl AgentOptionsBuilder, options = self.options.model;

    /// The model: an alias such as `sonnet`, or a full name. Default: the CLI's choice.
    model(model: impl Into<String>) { options.model = Some(model.into()) }
    /// The model that is used while the first one is overloaded. Several are separated by commas,
    /// in order of preference. None of them may be the first model.
    fallback_model(model: impl Into<String>) { options.fallback_model = Some(model.into()) }
    /// The agent that runs the main conversation: one of the CLI's own, or of
    /// [`agents`](Self::agents), of a file in `.claude/agents` or of a plugin. If the CLI tells
    /// which agents it has, as it does since 2.1.105, and has none of this name, connecting fails.
    /// A text of [`system_prompt`](Self::system_prompt) comes instead of the agent's own prompt.
    agent(name: impl Into<String>) { options.agent = Some(name.into()) }
    /// Adds beta features of the API, by the names of their headers. They need an API key.
    betas(names: impl IntoIterator<Item: Into<String>>) {
        options.betas.extend(names.into_iter().map(Into::into))
    }
    /// Whether the model thinks before it answers. Default: the model's own.
    thinking(thinking: Thinking) { options.thinking = Some(thinking) }
    /// How the thinking is shown.
    thinking_display(display: ThinkingDisplay) { options.thinking_display = Some(display) }
    /// The maximum number of thinking tokens; 0 turns thinking off. This is the older form of
    /// [`thinking`](Self::thinking) and cannot be combined with it.
    max_thinking_tokens(tokens: u32) { options.max_thinking_tokens = Some(tokens) }
    /// The effort of the model.
    effort(effort: Effort) { options.effort = Some(effort) }
    /// The maximum number of turns a prompt, at least 1. The run then ends with an error result.
    /// Default: no limit.
    max_turns(turns: u32) { options.max_turns = Some(turns) }
    /// The maximum cost of the run in US dollars, more than 0; what a session that is resumed has
    /// cost before does not count. The run then ends with an error result. Default: no limit.
    max_budget_usd(dollars: f64) { options.max_budget_usd = Some(dollars) }
    /// The number of tokens that the model should use for the task, at least 1. The model adjusts
    /// its work to this budget.
    task_budget(tokens: u64) { options.task_budget = Some(tokens) }
    /// The JSON Schema of the result: an object schema of any size. The value is in
    /// `structured_output` of the result message. The official SDKs call this `output_format`.
    json_schema(schema: impl Into<Value>) { options.json_schema = Some(schema.into()) }
}

impl AgentOptionsBuilder {
    /// Sets [`json_schema`](Self::json_schema) to the schema of a struct. Make anything else, such
    /// as an enum, a list or an `Option`, a field of a struct.
    ///
    /// ```
    /// # use toolwright::agent::options::AgentOptions;
    /// #[toolwright::data]
    /// struct Verdict {
    ///     approve: bool,
    ///     reasons: Vec<String>,
    /// }
    ///
    /// let options = AgentOptions::builder().output_type::<Verdict>().build()?;
    /// # Ok::<(), toolwright::agent::options::OptionsError>(())
    /// ```
    pub fn output_type<T: DeserializeOwned + JsonSchema>(self) -> Self {
        self.json_schema(schema::input::<T>())
    }
}
