//! The body of the `initialize` request, which carries what no argument can.

use serde_json::{Map, Value, json};

use super::AgentOptions;
use super::prompt::Base;
use super::settings::Skills;

impl AgentOptions {
    /// The members of the `initialize` request, without its subtype. Hooks are identified by the
    /// ids that [`hooks`](Self::hooks) assigns.
    pub(crate) fn initialize(&self) -> Value {
        let mut body = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            body.extend(value.map(|value| (name.to_owned(), value)))
        };
        let system = self.prompt.system.as_ref();
        let yes = |is: bool| is.then_some(Value::Bool(true));
        put("hooks", self.tools.hooks.initialize());
        put("agents", self.agents());
        put("systemPromptSnapshot", system.and_then(|it| it.snapshot).map(Value::Bool));
        let excludes = system.and_then(|it| it.exclude_dynamic_sections);
        put("excludeDynamicSections", excludes.map(Value::Bool));
        if let Some(Base::Parts(parts)) = self.prompt.base() {
            put("systemPrompt", Some(json!(parts)));
        }
        put("planModeInstructions", self.prompt.plan_mode_instructions.as_deref().map(Value::from));
        put("skills", self.skills());
        put("title", self.session.title.as_deref().map(Value::from));
        put("forwardSubagentText", yes(self.settings.forward_subagent_text));
        put("promptSuggestions", yes(self.settings.prompt_suggestions));
        put("agentProgressSummaries", yes(self.settings.agent_progress_summaries));
        put("toolAliases", self.tool_aliases());
        put("supportedDialogKinds", self.dialog_kinds());
        put("perTaskStopAffordance", yes(self.session.per_task_stop));
        put("jsonSchema", self.schema_of_initialize().cloned());
        body.extend(self.settings.initialize_fields.iter().cloned());
        Value::Object(body)
    }

    fn agents(&self) -> Option<Value> {
        let agents = self.tools.agents.iter();
        // A definition consists of texts, numbers and JSON, so serialising it cannot fail.
        let agents: Map<_, _> = agents
            .map(|(name, agent)| (name.clone(), serde_json::to_value(agent).unwrap_or_default()))
            .collect();
        (!agents.is_empty()).then_some(Value::Object(agents))
    }

    fn tool_aliases(&self) -> Option<Value> {
        let aliases = self.tools.aliases.iter();
        let aliases: Map<_, _> = aliases.map(|(from, to)| (from.clone(), json!(to))).collect();
        (!aliases.is_empty()).then_some(Value::Object(aliases))
    }

    fn dialog_kinds(&self) -> Option<Value> {
        let (kinds, _) = self.tools.dialogs.as_ref()?;
        Some(json!(kinds))
    }

    fn skills(&self) -> Option<Value> {
        match self.settings.skills.as_ref()? {
            Skills::All => None,
            Skills::Named(names) => Some(names.as_slice().into()),
        }
    }
}
