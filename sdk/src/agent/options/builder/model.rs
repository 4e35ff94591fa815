//! Setters for the model.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::AgentOptionsBuilder;
use crate::agent::options::thinking::{Effort, Thinking, ThinkingDisplay};
use crate::mcp::schema;

/// The model, its thinking, its limits and the form of its result.
impl AgentOptionsBuilder {
    /// The model: an alias such as `sonnet`, or a full name. Default: the CLI's choice.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.options.model.model = Some(model.into());
        self
    }

    /// The model that is used while the first one is overloaded. Several are separated by commas,
    /// in order of preference. None of them may be the first model.
    pub fn fallback_model(mut self, model: impl Into<String>) -> Self {
        self.options.model.fallback_model = Some(model.into());
        self
    }

    /// The agent that runs the main conversation: a name from [`agents`](Self::agents) or from the
    /// settings.
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.options.model.agent = Some(name.into());
        self
    }

    /// Adds beta features of the API, by the names of their headers. They need an API key.
    pub fn betas(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.model.betas.extend(names.into_iter().map(Into::into));
        self
    }

    /// Whether the model thinks before it answers. Default: the model's own.
    pub fn thinking(mut self, thinking: Thinking) -> Self {
        self.options.model.thinking = Some(thinking);
        self
    }

    /// How the thinking is shown.
    pub fn thinking_display(mut self, display: ThinkingDisplay) -> Self {
        self.options.model.thinking_display = Some(display);
        self
    }

    /// The maximum number of thinking tokens; 0 turns thinking off. This is the older form of
    /// [`thinking`](Self::thinking) and cannot be combined with it.
    pub fn max_thinking_tokens(mut self, tokens: u32) -> Self {
        self.options.model.max_thinking_tokens = Some(tokens);
        self
    }

    /// The effort of the model.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.options.model.effort = Some(effort);
        self
    }

    /// The maximum number of turns a prompt, at least 1. The run then ends with an error result.
    /// Default: no limit.
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.options.model.max_turns = Some(turns);
        self
    }

    /// The maximum cost of the session in US dollars, more than 0. The run then ends with an error
    /// result. Default: no limit.
    pub fn max_budget_usd(mut self, dollars: f64) -> Self {
        self.options.model.max_budget_usd = Some(dollars);
        self
    }

    /// The number of tokens that the model should use for the task, at least 1. The model adjusts
    /// its work to this budget.
    pub fn task_budget(mut self, tokens: u64) -> Self {
        self.options.model.task_budget = Some(tokens);
        self
    }

    /// The JSON Schema of the result: an object schema of any size. The value is in
    /// `structured_output` of the result message. The official SDKs call this `output_format`.
    pub fn json_schema(mut self, schema: impl Into<Value>) -> Self {
        self.options.model.json_schema = Some(schema.into());
        self
    }

    /// Sets [`json_schema`](Self::json_schema) to the schema of a struct.
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
