//! The sandbox of commands.

use std::fmt;

use serde_json::{Map, Value, json};

use super::member;
use super::redacted::names;
use crate::agent::setters::setters;

/// The sandbox in which the CLI runs commands: the `sandbox` object of the settings.
///
/// ```
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::options::Sandbox;
///
/// let sandbox = Sandbox::new()
///     .allow_domains(["crates.io", "*.rust-lang.org"])
///     .deny_read(["~/.ssh"])
///     .exclude_commands(["docker *"]);
/// let options = AgentOptions::builder().sandbox(sandbox).build()?;
/// # Ok::<(), toolwright::agent::options::OptionsError>(())
/// ```
///
/// It is about the commands of the `Bash` tool; permission rules are about all tools.
#[derive(Clone, PartialEq)]
pub struct Sandbox(Map<String, Value>);

impl Sandbox {
    /// A sandbox that is switched on, without which the CLI does not start.
    pub fn new() -> Self {
        let settings = [("enabled", json!(true)), ("failIfUnavailable", json!(true))];
        Self(settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        member::add(&mut self.0, name.into(), value.into());
    }

    /// Adds to the list `name` of the object `part`.
    fn add(&mut self, part: &str, name: &str, values: impl IntoIterator<Item: Into<String>>) {
        member::add_within(&mut self.0, part, name.to_owned(), member::list(values));
    }
}

setters! {
    impl Sandbox, sandbox = self;

    /// Whether commands run in the sandbox.
    enabled(yes: bool) { sandbox.set("enabled", yes) }
    /// Whether the CLI refuses to start where there can be no sandbox. Otherwise it warns and runs
    /// commands without one.
    fail_if_unavailable(yes: bool) { sandbox.set("failIfUnavailable", yes) }
    /// Whether commands in the sandbox need no permission. The CLI's default: yes.
    auto_allow_bash_if_sandboxed(yes: bool) { sandbox.set("autoAllowBashIfSandboxed", yes) }
    /// Whether the model may ask to run a command outside of the sandbox. The CLI's default: yes.
    allow_unsandboxed_commands(yes: bool) { sandbox.set("allowUnsandboxedCommands", yes) }
    /// Adds commands that run outside of the sandbox, such as `docker *`.
    exclude_commands(commands: impl IntoIterator<Item: Into<String>>) {
        sandbox.set("excludedCommands", member::list(commands))
    }
    /// Adds domains that commands may reach, such as `*.example.org`.
    allow_domains(domains: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("network", "allowedDomains", domains)
    }
    /// Adds domains that commands may not reach.
    deny_domains(domains: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("network", "deniedDomains", domains)
    }
    /// Adds Unix sockets that commands may use.
    allow_unix_sockets(paths: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("network", "allowUnixSockets", paths)
    }
    /// Adds paths that commands may write.
    allow_write(paths: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("filesystem", "allowWrite", paths)
    }
    /// Adds paths that commands may not write.
    deny_write(paths: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("filesystem", "denyWrite", paths)
    }
    /// Adds paths that commands may not read.
    deny_read(paths: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("filesystem", "denyRead", paths)
    }
    /// Adds paths that commands may read although [`deny_read`](Self::deny_read) has a folder above
    /// them.
    allow_read(paths: impl IntoIterator<Item: Into<String>>) {
        sandbox.add("filesystem", "allowRead", paths)
    }
    /// Sets a member that has no method here, by its name in the settings, such as `bwrapPath`. An
    /// object, such as `network`, and a list add to what was set before; anything else takes its
    /// place.
    field(name: impl Into<String>, value: impl Into<Value>) { sandbox.set(name, value) }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Sandbox> for Value {
    fn from(sandbox: Sandbox) -> Self {
        Self::Object(sandbox.0)
    }
}

/// Credentials may be in it, so only the names of its members are printed.
impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sandbox").field(&names(self.0.keys())).finish()
    }
}
