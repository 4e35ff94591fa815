//! Settings that are written in the program.

use std::fmt;

use serde_json::{Map, Value};

use super::member;
use super::redacted::names;
use super::settings::Settings;
use crate::agent::permission::PermissionMode;
use crate::agent::setters::setters;

/// Claude Code settings that are written in the program, for
/// [`AgentOptionsBuilder::settings`](super::AgentOptionsBuilder::settings).
///
/// ```
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::options::InlineSettings;
///
/// let settings = InlineSettings::new()
///     .allow(["Bash(git log *)"])
///     .deny(["Read(./.env)"])
///     .env("RUST_LOG", "info")
///     .output_style("Explanatory");
/// let options = AgentOptions::builder().settings(settings).build()?;
/// # Ok::<(), toolwright::agent::options::OptionsError>(())
/// ```
///
/// The CLI knows almost two hundred settings; [`field`](Self::field) sets any.
#[derive(Clone, Default, PartialEq)]
pub struct InlineSettings(Map<String, Value>);

impl InlineSettings {
    /// No settings.
    pub fn new() -> Self {
        Self::default()
    }

    fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        member::add(&mut self.0, name.into(), value.into());
    }

    fn set_within(&mut self, part: &str, name: impl Into<String>, value: impl Into<Value>) {
        member::add_within(&mut self.0, part, name.into(), value.into());
    }

    /// Adds to a list of `permissions`.
    fn permit(&mut self, name: &str, values: impl IntoIterator<Item: Into<String>>) {
        self.set_within("permissions", name, member::list(values));
    }
}

setters! {
    impl InlineSettings, settings = self;

    /// Adds rules for tools that may be used without asking.
    allow(rules: impl IntoIterator<Item: Into<String>>) { settings.permit("allow", rules) }
    /// Adds rules for tools that may not be used.
    deny(rules: impl IntoIterator<Item: Into<String>>) { settings.permit("deny", rules) }
    /// Adds rules for tools that may be used after asking.
    ask(rules: impl IntoIterator<Item: Into<String>>) { settings.permit("ask", rules) }
    /// Adds folders that the tools may use beside the working folder.
    additional_directories(folders: impl IntoIterator<Item: Into<String>>) {
        settings.permit("additionalDirectories", folders)
    }
    /// The permission mode.
    default_mode(mode: PermissionMode) {
        settings.set_within("permissions", "defaultMode", mode.as_str())
    }
    /// Sets a variable in the environment of the CLI and its commands.
    env(name: impl Into<String>, value: impl Into<String>) {
        settings.set_within("env", name, value.into())
    }
    /// The model.
    model(model: impl Into<String>) { settings.set("model", model.into()) }
    /// The output style.
    output_style(name: impl Into<String>) { settings.set("outputStyle", name.into()) }
    /// The language in which the model answers.
    language(language: impl Into<String>) { settings.set("language", language.into()) }
    /// A program whose output is the API key.
    api_key_helper(command: impl Into<String>) { settings.set("apiKeyHelper", command.into()) }
    /// How long transcripts are kept, in days.
    cleanup_period_days(days: u32) { settings.set("cleanupPeriodDays", days) }
    /// Whether no hook of any settings runs.
    disable_all_hooks(yes: bool) { settings.set("disableAllHooks", yes) }
    /// Sets any setting, by its name in the settings file. An object, such as `permissions`, and a
    /// list add to what was set before; anything else takes its place.
    field(name: impl Into<String>, value: impl Into<Value>) { settings.set(name, value) }
}

impl From<InlineSettings> for Value {
    fn from(settings: InlineSettings) -> Self {
        Self::Object(settings.0)
    }
}

impl From<InlineSettings> for Settings {
    fn from(settings: InlineSettings) -> Self {
        Self::Json(settings.into())
    }
}

/// Secrets may be among them, so only their names are printed.
impl fmt::Debug for InlineSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InlineSettings").field(&names(self.0.keys())).finish()
    }
}
