//! Definitions of subagents.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::redacted::{Length, names};
use super::thinking::Effort;
use crate::agent::permission::PermissionMode;
use crate::agent::setters::setters;

/// A subagent to which the model can delegate work. A setting that is not given here is inherited
/// from the main conversation.
///
/// ```
/// # use toolwright::agent::options::{AgentDefinition, AgentOptions};
/// let reviewer = AgentDefinition::new("Reviews code for bugs.", "You are a careful reviewer.")
///     .tools(["Read", "Grep"])
///     .model("haiku");
/// let options = AgentOptions::builder().agents([("reviewer", reviewer)]).build()?;
/// # Ok::<(), toolwright::agent::options::OptionsError>(())
/// ```
#[derive(Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentDefinition {
    pub(crate) description: String,
    pub(crate) prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disallowed_tools: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mcp_servers: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skills: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_turns: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    background: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_mode: Option<PermissionMode>,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// Where a subagent stores its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Memory {
    /// In the user's folder, for all projects.
    User,
    /// In the project, shared by all its users.
    Project,
    /// In the project, on this machine only.
    Local,
}

impl AgentDefinition {
    /// `description` tells the model when to delegate to this subagent; `prompt` is its system
    /// prompt.
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            prompt: prompt.into(),
            tools: None,
            disallowed_tools: Vec::new(),
            model: None,
            mcp_servers: Vec::new(),
            skills: Vec::new(),
            initial_prompt: None,
            max_turns: None,
            background: None,
            memory: None,
            effort: None,
            permission_mode: None,
            extra: Map::new(),
        }
    }
}

setters! {
    impl AgentDefinition, agent = self;

    /// The tools that it may use. Default: all of them.
    tools(names: impl IntoIterator<Item: Into<String>>) {
        agent.tools.get_or_insert_default().extend(names.into_iter().map(Into::into))
    }
    /// Tools that it may not use.
    disallowed_tools(names: impl IntoIterator<Item: Into<String>>) {
        agent.disallowed_tools.extend(names.into_iter().map(Into::into))
    }
    /// The model: an alias such as `haiku`, a full name, or `inherit`.
    model(model: impl Into<String>) { agent.model = Some(model.into()) }
    /// The names of the MCP servers that it may use.
    mcp_servers(names: impl IntoIterator<Item: Into<String>>) {
        agent.mcp_servers.extend(names.into_iter().map(Into::into))
    }
    /// The names of the skills that are loaded at its start.
    skills(names: impl IntoIterator<Item: Into<String>>) {
        agent.skills.extend(names.into_iter().map(Into::into))
    }
    /// The first prompt, when this agent runs the main conversation. The CLI answers it as soon as
    /// it is connected, in a turn of its own, or together with the first prompt of yours.
    initial_prompt(prompt: impl Into<String>) { agent.initial_prompt = Some(prompt.into()) }
    /// The maximum number of turns, at least 1.
    max_turns(turns: u32) { agent.max_turns = Some(turns) }
    /// Whether it runs in the background while the main conversation continues. The CLI (2.1.328)
    /// runs it there, also with `false`, unless the model's call has `"run_in_background": false`.
    ///
    /// What a subagent in the background says reaches the model in a later turn, which the CLI
    /// begins by itself. So the [`Turn`](crate::agent::Turn) of the prompt ends before, with an
    /// answer that does not know of it, and closing the client stops the subagent. A
    /// [`Query`](crate::agent::Query) waits for it. With the variable
    /// `CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1` in the options' `env` the turn waits, too.
    background(background: bool) { agent.background = Some(background) }
    /// Where it stores its memory. Default: it has none.
    memory(memory: Memory) { agent.memory = Some(memory) }
    /// The effort of its model.
    effort(effort: Effort) { agent.effort = Some(effort) }
    /// Its permission mode.
    permission_mode(mode: PermissionMode) { agent.permission_mode = Some(mode) }
    /// Sets a field that has no method here, by its name on the wire, such as `omitClaudeMd`. It
    /// overrides what a method has set.
    field(name: impl Into<String>, value: impl Into<Value>) {
        agent.extra.insert(name.into(), value.into())
    }
}

/// Prompts and fields may be confidential, so only their lengths or names are printed.
impl fmt::Debug for AgentDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentDefinition")
            .field("description", &self.description)
            .field("prompt", &Length(&self.prompt))
            .field("tools", &self.tools)
            .field("model", &self.model)
            .field("initial_prompt", &self.initial_prompt.as_deref().map(Length))
            .field("fields", &names(self.extra.keys()))
            .finish_non_exhaustive()
    }
}
