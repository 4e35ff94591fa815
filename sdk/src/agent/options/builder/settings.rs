//! Setters for settings, plugins and what has no setter.

use serde_json::Value;

use super::AgentOptionsBuilder;
use crate::agent::options::settings::{Plugin, SettingSource, Settings, Skills};
use crate::agent::setters::setters;

setters! {
    /// Settings, plugins, skills, and the messages that the CLI sends.
    impl AgentOptionsBuilder, options = self.options.settings;

    /// Settings in addition to those of the user and the project: a JSON object of any size, or the
    /// path of a file.
    settings(settings: impl Into<Settings>) { options.settings = Some(settings.into()) }
    /// The `sandbox` object of the settings. Cannot be combined with a settings file, which can
    /// contain it.
    sandbox(sandbox: impl Into<Value>) { options.sandbox = Some(sandbox.into()) }
    /// The settings files that are read; `[]` means none. Default: all of them, or, with
    /// [`skills`](Self::skills), those of the user and the project.
    setting_sources(sources: impl IntoIterator<Item = SettingSource>) {
        options.sources = Some(sources.into_iter().collect())
    }
    /// The names of the skills that the model may use.
    skills(names: impl IntoIterator<Item: Into<String>>) {
        options.skills = Some(Skills::Named(names.into_iter().map(Into::into).collect()))
    }
    /// Allows all skills.
    all_skills() { options.skills = Some(Skills::All) }
    /// Adds plugins: paths, or [`Plugin`]s.
    plugins(plugins: impl IntoIterator<Item: Into<Plugin>>) {
        options.plugins.extend(plugins.into_iter().map(Into::into))
    }
    /// Adds a CLI flag that has no setter, by its name without dashes. With `None` as value it is a
    /// switch. A flag that another setter has set is refused.
    extra_arg(name: impl Into<String>, value: Option<&str>) {
        options.extra_args.push((name.into(), value.map(str::to_owned)))
    }
    /// Adds a field of the `initialize` request that has no setter, by its name on the wire, such
    /// as `promptSuggestions`. A field that another setter has set is refused.
    initialize_field(name: impl Into<String>, value: impl Into<Value>) {
        options.initialize_fields.push((name.into(), value.into()))
    }
    /// Whether the CLI also sends partial messages while the model writes.
    include_partial_messages(yes: bool) { options.include_partial_messages = yes }
    /// Whether the CLI sends a message when a hook of the settings starts and ends. For hooks of
    /// this program it sends none.
    include_hook_events(yes: bool) { options.include_hook_events = yes }
    /// Whether the CLI sends the text and thinking of subagents, with the id of the tool use that
    /// started them.
    forward_subagent_text(yes: bool) { options.forward_subagent_text = yes }
}
