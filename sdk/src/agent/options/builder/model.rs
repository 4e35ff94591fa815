//! Setters for the model.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::AgentOptionsBuilder;
use crate::agent::options::thinking::{Effort, Thinking, ThinkingDisplay};
use crate::mcp::schema;

/// Which model answers, how, and within which bounds.
impl AgentOptionsBuilder {
    /// The model: an alias such as `sonnet`, or a full name. The CLI's own choice without it.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.options.model.model = Some(model.into());
        self
    }

    /// The model that answers while the first is overloaded; several are separated by commas, the
    /// preferred first. None of them is the first model.
    pub fn fallback_model(mut self, model: impl Into<String>) -> Self {
        self.options.model.fallback_model = Some(model.into());
        self
    }

    /// The agent that the main conversation plays, by its name among [`agents`](Self::agents) or in
    /// the settings.
    pub fn agent(mut self, name: impl Into<String>) -> Self {
        self.options.model.agent = Some(name.into());
        self
    }

    /// Beta features of the API, by the names of their headers. Only with an API key.
    pub fn betas(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.model.betas.extend(names.into_iter().map(Into::into));
        self
    }

    /// Whether the model thinks before it answers. The model's own way without it.
    pub fn thinking(mut self, thinking: Thinking) -> Self {
        self.options.model.thinking = Some(thinking);
        self
    }

    /// What is shown of the thinking.
    pub fn thinking_display(mut self, display: ThinkingDisplay) -> Self {
        self.options.model.thinking_display = Some(display);
        self
    }

    /// How many tokens thinking may take; 0 turns it off. The older way to say
    /// [`thinking`](Self::thinking), and not beside it.
    pub fn max_thinking_tokens(mut self, tokens: u32) -> Self {
        self.options.model.max_thinking_tokens = Some(tokens);
        self
    }

    /// How much effort the model makes.
    pub fn effort(mut self, effort: Effort) -> Self {
        self.options.model.effort = Some(effort);
        self
    }

    /// How many turns a prompt may take, at least 1, before the run ends with an error result. No
    /// bound without it.
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.options.model.max_turns = Some(turns);
        self
    }

    /// How many US dollars the session may cost, more than 0, before the run ends with an error
    /// result. No bound without it.
    pub fn max_budget_usd(mut self, dollars: f64) -> Self {
        self.options.model.max_budget_usd = Some(dollars);
        self
    }

    /// How many tokens the API is told that the task may take, at least 1. The model paces itself
    /// by it.
    pub fn task_budget(mut self, tokens: u64) -> Self {
        self.options.model.task_budget = Some(tokens);
        self
    }

    /// The JSON Schema, of an object and of any size, that the result must have; the value is in
    /// the result's `structured_output`. The official SDKs call it `output_format`.
    pub fn json_schema(mut self, schema: impl Into<Value>) -> Self {
        self.options.model.json_schema = Some(schema.into());
        self
    }

    /// The type that the result must have: [`json_schema`](Self::json_schema) with the schema of a
    /// struct.
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
