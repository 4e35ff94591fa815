//! Setters for settings, plugins and what has no setter.

use serde_json::Value;

use super::AgentOptionsBuilder;
use crate::agent::options::settings::{Plugin, SettingSource, Settings, Skills};

/// Settings, plugins, skills, and the messages that the CLI sends.
impl AgentOptionsBuilder {
    /// Settings in addition to those of the user and the project: a JSON object of any size, or the
    /// path of a file.
    pub fn settings(mut self, settings: impl Into<Settings>) -> Self {
        self.options.settings.settings = Some(settings.into());
        self
    }

    /// The `sandbox` object of the settings. Cannot be combined with a settings file, which can
    /// contain it.
    pub fn sandbox(mut self, sandbox: impl Into<Value>) -> Self {
        self.options.settings.sandbox = Some(sandbox.into());
        self
    }

    /// The settings files that are read; `[]` means none. Default: all of them, or, with
    /// [`skills`](Self::skills), those of the user and the project.
    pub fn setting_sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.options.settings.sources = Some(sources.into_iter().collect());
        self
    }

    /// The names of the skills that the model may use.
    pub fn skills(mut self, names: impl IntoIterator<Item: Into<String>>) -> Self {
        self.options.settings.skills =
            Some(Skills::Named(names.into_iter().map(Into::into).collect()));
        self
    }

    /// Allows all skills.
    pub fn all_skills(mut self) -> Self {
        self.options.settings.skills = Some(Skills::All);
        self
    }

    /// Adds plugins: paths, or [`Plugin`]s.
    pub fn plugins(mut self, plugins: impl IntoIterator<Item: Into<Plugin>>) -> Self {
        self.options.settings.plugins.extend(plugins.into_iter().map(Into::into));
        self
    }

    /// Adds a CLI flag that has no setter, by its name without dashes. With `None` as value it is a
    /// switch. A flag that another setter has set is refused.
    pub fn extra_arg(mut self, name: impl Into<String>, value: Option<&str>) -> Self {
        self.options.settings.extra_args.push((name.into(), value.map(str::to_owned)));
        self
    }

    /// Adds a field of the `initialize` request that has no setter, by its name on the wire, such
    /// as `promptSuggestions`. A field that another setter has set is refused.
    pub fn initialize_field(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.settings.initialize_fields.push((name.into(), value.into()));
        self
    }

    /// Whether the CLI also sends partial messages while the model writes.
    pub fn include_partial_messages(mut self, yes: bool) -> Self {
        self.options.settings.include_partial_messages = yes;
        self
    }

    /// Whether the CLI sends a message when a hook starts and ends. This includes the hooks of the
    /// settings.
    pub fn include_hook_events(mut self, yes: bool) -> Self {
        self.options.settings.include_hook_events = yes;
        self
    }

    /// Whether the CLI sends the text and thinking of subagents, with the id of the tool use that
    /// started them.
    pub fn forward_subagent_text(mut self, yes: bool) -> Self {
        self.options.settings.forward_subagent_text = yes;
        self
    }
}
