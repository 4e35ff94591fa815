//! Setters for settings, plugins and what has no setter.

use serde_json::Value;

use super::AgentOptionsBuilder;
use crate::agent::options::settings::{Plugin, SettingSource, Settings, Skills};

/// What the CLI reads of settings, and which messages it sends.
impl AgentOptionsBuilder {
    /// Settings beside those of the user and the project: a JSON object of any size, or the path of
    /// a file.
    pub fn settings(mut self, settings: impl Into<Settings>) -> Self {
        self.options.settings.settings = Some(settings.into());
        self
    }

    /// The `sandbox` of the settings, an object. Not beside a settings file, which has room for it.
    pub fn sandbox(mut self, sandbox: impl Into<Value>) -> Self {
        self.options.settings.sandbox = Some(sandbox.into());
        self
    }

    /// Which settings files are read; `[]` for none. Without it all are, as in a terminal, or with
    /// [`skills`](Self::skills) those of user and project.
    pub fn setting_sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.options.settings.sources = Some(sources.into_iter().collect());
        self
    }

    /// The skills that the model may use, by name.
    pub fn skills(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.settings.skills =
            Some(Skills::Named(names.into_iter().map(Into::into).collect()));
        self
    }

    /// Lets the model use all skills.
    pub fn all_skills(mut self) -> Self {
        self.options.settings.skills = Some(Skills::All);
        self
    }

    /// Adds plugins: paths, or [`Plugin`]s.
    pub fn plugins(mut self, plugins: impl IntoIterator<Item: Into<Plugin>>) -> Self {
        self.options.settings.plugins.extend(plugins.into_iter().map(Into::into));
        self
    }

    /// Adds a flag of the CLI's that has no method here, by its name without dashes; with `None` as
    /// value it is a switch. It must not be one that another method has set.
    pub fn extra_arg(mut self, name: impl Into<String>, value: Option<&str>) -> Self {
        self.options.settings.extra_args.push((name.into(), value.map(str::to_owned)));
        self
    }

    /// Adds a field of the `initialize` request that has no method here, by its name on the wire,
    /// such as `promptSuggestions`. It must not be one that another method has set.
    pub fn initialize_field(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.settings.initialize_fields.push((name.into(), value.into()));
        self
    }

    /// Sends the parts of a message as they come, besides the whole message in the end.
    pub fn include_partial_messages(mut self, yes: bool) -> Self {
        self.options.settings.include_partial_messages = yes;
        self
    }

    /// Sends a message when a hook begins and ends, for the hooks of the settings too.
    pub fn include_hook_events(mut self, yes: bool) -> Self {
        self.options.settings.include_hook_events = yes;
        self
    }

    /// Sends what subagents say and think, with the id of the tool use that they work for.
    pub fn forward_subagent_text(mut self, yes: bool) -> Self {
        self.options.settings.forward_subagent_text = yes;
        self
    }
}
