//! The options of settings, plugins and skills.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::member;
use super::redacted::names;

/// Claude Code settings, in addition to those of the user and the project: a file, or an object
/// such as `json!({"outputStyle": "Explanatory"})`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum Settings {
    /// A JSON file that the CLI reads. A relative path is relative to the CLI's working folder.
    File(PathBuf),
    /// A JSON object of any size.
    Json(Value),
}

/// A settings file that the CLI reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingSource {
    /// The user's, in the home folder.
    User,
    /// The project's, under version control, together with its `CLAUDE.md`.
    Project,
    /// The project's, on this machine only.
    Local,
}

/// A plugin: a folder or a `.zip` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    pub(crate) path: PathBuf,
    pub(crate) skip_mcp_discovery: bool,
}

/// Which skills the model may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Skills {
    All,
    Named(Vec<String>),
}

/// Settings, plugins, skills, and flags and fields without a setter.
#[derive(Clone, Default)]
pub(crate) struct SettingsOptions {
    pub(crate) settings: Option<Settings>,
    pub(crate) sandbox: Option<Value>,
    /// As if an administrator had set them.
    pub(crate) managed: Option<Value>,
    /// `None` leaves the choice to the CLI, which reads all of them.
    pub(crate) sources: Option<Vec<SettingSource>>,
    pub(crate) plugins: Vec<Plugin>,
    pub(crate) skills: Option<Skills>,
    /// Flags without their dashes; one without a value is a switch.
    pub(crate) extra_args: Vec<(String, Option<String>)>,
    pub(crate) initialize_fields: Vec<(String, Value)>,
    pub(crate) include_partial_messages: bool,
    pub(crate) include_hook_events: bool,
    pub(crate) forward_subagent_text: bool,
    pub(crate) prompt_suggestions: bool,
    pub(crate) agent_progress_summaries: bool,
}

impl Plugin {
    /// The plugin at a path. A relative path is relative to the CLI's working folder.
    pub fn local(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), skip_mcp_discovery: false }
    }

    /// Whether the plugin's MCP servers are left out.
    pub fn skip_mcp_discovery(mut self, skip: bool) -> Self {
        self.skip_mcp_discovery = skip;
        self
    }

    /// The plugin in the form of requests.
    pub(crate) fn config(&self) -> Value {
        let path = self.path.to_string_lossy();
        match self.skip_mcp_discovery {
            true => json!({"type": "local", "path": path, "skipMcpDiscovery": true}),
            false => json!({"type": "local", "path": path}),
        }
    }
}

impl SettingSource {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

impl SettingsOptions {
    /// The settings files that are read. Skills are found through those of the user and the
    /// project, so these two are named as soon as skills are used, as in the official Python SDK.
    pub(super) fn sources(&self) -> Option<Vec<SettingSource>> {
        let for_skills =
            || self.skills.as_ref().map(|_| vec![SettingSource::User, SettingSource::Project]);
        self.sources.clone().or_else(for_skills)
    }

    /// The permission rules that allow the skills.
    pub(super) fn skill_rules(&self) -> Vec<String> {
        match &self.skills {
            None => Vec::new(),
            Some(Skills::All) => vec!["Skill".to_owned()],
            Some(Skills::Named(names)) => {
                names.iter().map(|name| format!("Skill({name})")).collect()
            }
        }
    }

    /// The settings as one object, to whose sandbox the sandbox is added; `None` if there are none
    /// or they are a file.
    pub(super) fn object(&self) -> Option<Value> {
        let mut object = match (&self.settings, &self.sandbox) {
            (Some(Settings::Json(Value::Object(object))), _) => object.clone(),
            (None, Some(_)) => Map::new(),
            _ => return None,
        };
        if let Some(sandbox) = self.sandbox.clone() {
            member::add(&mut object, "sandbox".to_owned(), sandbox);
        }
        Some(Value::Object(object))
    }
}

impl From<Value> for Settings {
    fn from(settings: Value) -> Self {
        Self::Json(settings)
    }
}

impl From<PathBuf> for Settings {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl From<&Path> for Settings {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl<P: Into<PathBuf>> From<P> for Plugin {
    fn from(path: P) -> Self {
        Self::local(path)
    }
}

/// Settings can contain secrets, for example in `env`, so only the keys are printed.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Json(Value::Object(object)) => {
                f.debug_tuple("Json").field(&names(object.keys())).finish()
            }
            Self::Json(_) => f.write_str("Json(not an object)"),
        }
    }
}

/// So can the sandbox, flags and fields.
impl fmt::Debug for SettingsOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sandbox = self.sandbox.clone().map(Settings::Json);
        f.debug_struct("SettingsOptions")
            .field("settings", &self.settings)
            .field("sandbox", &sandbox)
            .field("managed", &self.managed.clone().map(Settings::Json))
            .field("sources", &self.sources)
            .field("plugins", &self.plugins)
            .field("skills", &self.skills)
            .field("extra_args", &names(self.extra_args.iter().map(|(name, _)| name)))
            .field("initialize_fields", &names(self.initialize_fields.iter().map(|(name, _)| name)))
            .field("include_partial_messages", &self.include_partial_messages)
            .field("include_hook_events", &self.include_hook_events)
            .field("forward_subagent_text", &self.forward_subagent_text)
            .field("prompt_suggestions", &self.prompt_suggestions)
            .field("agent_progress_summaries", &self.agent_progress_summaries)
            .finish()
    }
}
