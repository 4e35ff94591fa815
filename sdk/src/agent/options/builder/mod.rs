//! Putting options together. The setters are in a file a theme.

mod model;
mod process;
mod prompt;
mod session;
mod settings;
mod tools;

use super::{AgentOptions, OptionsError, check};

/// Options in the making; see [`AgentOptions::builder`].
///
/// The names are those of the official Agent SDKs. A setter for one value replaces it, a setter for
/// several adds to them. No setter checks anything: [`build`](Self::build) does, and reports
/// everything at once.
#[derive(Debug, Clone, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct AgentOptionsBuilder {
    options: AgentOptions,
}

impl AgentOptions {
    /// Begins options.
    pub fn builder() -> AgentOptionsBuilder {
        AgentOptionsBuilder::default()
    }

    /// A builder that begins with these options, for a run that is to differ in a few of them.
    pub fn to_builder(&self) -> AgentOptionsBuilder {
        AgentOptionsBuilder::from(self.clone())
    }
}

impl AgentOptionsBuilder {
    /// The options.
    ///
    /// # Errors
    ///
    /// All complaints at once: values that the CLI would refuse, or silently read as something
    /// else, and combinations that cannot be.
    pub fn build(mut self) -> Result<AgentOptions, OptionsError> {
        OptionsError::unless_none(check::complaints(&self.options))?;
        let tools = &mut self.options.tools;
        tools.registries =
            tools.servers.iter().filter_map(|server| server.registry().cloned()).collect();
        Ok(self.options)
    }
}

impl From<AgentOptions> for AgentOptionsBuilder {
    fn from(options: AgentOptions) -> Self {
        Self { options }
    }
}
