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
    /// Settings as if the administrator of this machine had made them, where there are none:
    /// restrictions only, such as `{"permissions": {"deny": ["WebFetch"]}}`.
    managed_settings(settings: impl Into<Value>) { options.managed = Some(settings.into()) }
    /// The sandbox of commands: a [`Sandbox`](crate::agent::options::Sandbox), or the `sandbox`
    /// object of the settings. If the [`settings`](Self::settings) have one too, this adds to it:
    /// objects and lists are joined, anything else takes its place. With a settings file, the file
    /// is read when a run begins. JSON goes as it is: without `failIfUnavailable` the CLI only
    /// warns where there can be no sandbox.
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
    /// as `workspaceTrust`. A field that another setter has set is refused.
    initialize_field(name: impl Into<String>, value: impl Into<Value>) {
        options.initialize_fields.push((name.into(), value.into()))
    }
    /// Whether the CLI also sends partial messages while the model writes.
    include_partial_messages(yes: bool) { options.include_partial_messages = yes }
    /// Whether the CLI sends a message when a hook of the settings starts and ends. For hooks of
    /// this program it sends none.
    include_hook_events(yes: bool) { options.include_hook_events = yes }
    /// Whether the CLI sends the text and thinking of subagents, with the id of the tool use that
    /// started them. Default: only of those that run in the background, as most do; see
    /// [`AgentDefinition::background`].
    ///
    /// [`AgentDefinition::background`]: crate::agent::options::AgentDefinition::background
    forward_subagent_text(yes: bool) { options.forward_subagent_text = yes }
    /// Whether the CLI suggests the user's next prompt, in a
    /// [`PromptSuggestionMessage`](crate::agent::message::PromptSuggestionMessage) behind a result.
    prompt_suggestions(yes: bool) { options.prompt_suggestions = yes }
    /// Whether the progress of subagents comes with a summary by the model, about every 30 s.
    agent_progress_summaries(yes: bool) { options.agent_progress_summaries = yes }
}
