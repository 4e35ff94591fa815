//! Settings while a session runs.

use serde_json::{Value, json};

use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::wire::{RawJson, kept, record};

/// The file that [`Handle::update_settings`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingsTarget {
    /// The project's on this machine. CLI 2.1.328 takes `outputStyle` only.
    Local,
    /// The user's. CLI 2.1.328 takes `effortLevel` only.
    User,
}

kept! {
    /// The settings in force and where they are from.
    pub struct SettingsReport {
        /** All settings as one object. */ pub effective: RawJson,
        /** The settings of each source; a later one overrides those before it. */
        pub sources: Vec<SettingsOfSource>,
        /** What the session makes of them. */ pub applied: AppliedSettings,
        /** Files that could not be read. */ pub errors: Vec<SettingsError>,
    }

    /// What a session makes of its settings.
    pub struct AppliedSettings {
        /** The full name of the model. */ pub model: String,
        /** The level of effort. */ pub effort: Option<String>,
    }

    /// The hooks in force, as `/hooks` shows them.
    pub struct HooksListing {
        /** The hooks. Those of this program are not among them. */ pub hooks: Vec<ListedHook>,
        /** Files that could not be read, and whose hooks are missing. */
        pub errors: Vec<SettingsError>,
    }

    /// A hook of settings or plugins.
    pub struct ListedHook {
        /** Its event. */ pub event: String,
        /** Its matcher; empty if it has none. */ pub matcher: String,
        /** Where it is from, such as `userSettings` or `pluginHook`. */ pub source: String,
        /** Its plugin. */ pub plugin_name: Option<String> = "pluginName",
        /** `command`, `prompt`, `agent`, `http` or `mcp_tool`. */ pub r#type: String = "type",
        /** The command, prompt or URL. */ pub command_text: String = "commandText",
        /** How long it may take, in seconds. */ pub timeout: Option<f64>,
        /** The mode or a policy keeps it from running. */ pub disabled: bool,
    }
}

record! {
    /// The settings of one source.
    pub struct SettingsOfSource {
        /** The source, such as `localSettings` or `flagSettings`. */ pub source: String,
        /** Its settings, an object. */ pub settings: RawJson,
    }

    /// Something wrong with a file of settings.
    pub struct SettingsError {
        /** The file. */ pub file: Option<String>,
        /** The setting, such as `permissions.allow`; empty for the whole file. */
        pub path: String,
        /** What is wrong. */ pub message: String,
    }
}

impl SettingsTarget {
    fn as_str(self) -> &'static str {
        match self {
            Self::Local => "localSettings",
            Self::User => "userSettings",
        }
    }
}

/// Settings while a session runs.
impl Handle {
    /// The settings in force, and where each is from.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_settings(&self) -> Result<SettingsReport, ControlError> {
        self.typed("get_settings", &json!({})).await
    }

    /// Changes settings of this session, such as `{"model": "opus"}`; `null` takes one back. No
    /// file is written.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn apply_flag_settings(&self, settings: Value) -> Result<(), ControlError> {
        self.request("apply_flag_settings", json!({"settings": settings})).await.map(drop)
    }

    /// Writes settings into a file, and changes those of this session.
    ///
    /// # Errors
    ///
    /// The CLI does not write such a setting, and as for all requests: see [`Handle`].
    pub async fn update_settings(
        &self,
        target: SettingsTarget,
        settings: Value,
    ) -> Result<(), ControlError> {
        let body = json!({"source": target.as_str(), "settings": settings});
        self.request("update_settings", body).await.map(drop)
    }

    /// The hooks of settings and plugins.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_hooks_listing(&self) -> Result<HooksListing, ControlError> {
        self.typed("get_hooks_listing", &json!({})).await
    }
}
