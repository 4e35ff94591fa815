//! The builder of [`AgentOptions`]. Each file has the setters of one topic.

mod model;
mod process;
mod prompt;
mod session;
mod settings;
#[cfg(feature = "sessions")]
mod store;
mod tools;

use super::{AgentOptions, OptionsError, check};

/// Builds [`AgentOptions`]; [`AgentOptions::builder`] creates one.
///
/// ```
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::options::McpServer;
///
/// let options = AgentOptions::builder()
///     .model("haiku")
///     .mcp_server(McpServer::stdio("files", "files-server"))
///     .allowed_tools(["mcp__files__read"])
///     .max_turns(5)
///     .build()?;
///
/// let error = AgentOptions::builder().max_turns(0).build().unwrap_err();
/// assert_eq!(error.complaints(), ["max_turns: at least 1 is needed"]);
/// # Ok::<(), toolwright::agent::options::OptionsError>(())
/// ```
///
/// The setters have the names of the official Agent SDKs. A setter for one value replaces it; a
/// setter for several values adds to them, except for
/// [`setting_sources`](Self::setting_sources), [`skills`](Self::skills) and
/// [`on_user_dialog`](Self::on_user_dialog), which replace them.
/// Nothing is checked before [`build`](Self::build), which reports all problems at once.
#[derive(Debug, Clone, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct AgentOptionsBuilder {
    options: AgentOptions,
}

impl AgentOptions {
    /// A builder with the default options.
    pub fn builder() -> AgentOptionsBuilder {
        AgentOptionsBuilder::default()
    }

    /// A builder with these options, for a run that differs from them in a few points.
    pub fn to_builder(&self) -> AgentOptionsBuilder {
        AgentOptionsBuilder::from(self.clone())
    }
}

impl AgentOptionsBuilder {
    /// Checks the options and returns them.
    ///
    /// # Errors
    ///
    /// All problems at once: values that the CLI would refuse or silently misread, and
    /// contradictions.
    pub fn build(self) -> Result<AgentOptions, OptionsError> {
        OptionsError::unless_none(check::complaints(&self.options))?;
        Ok(self.options)
    }
}

impl From<AgentOptions> for AgentOptionsBuilder {
    fn from(options: AgentOptions) -> Self {
        Self { options }
    }
}
