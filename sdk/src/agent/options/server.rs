//! The options of an MCP server.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::redacted::names;
use crate::ToolRegistry;
use crate::agent::setters::setters;
use crate::agent::wire::millis;

/// An MCP server of a run: a registry in this program, a program that the CLI starts, or a server
/// behind a URL.
///
/// A name consists of 1 to 64 ASCII letters, digits, `_` and `-`, and is unique in the run. The
/// model sees a tool as `mcp__<server>__<tool>`. Some names, such as `workspace`, the CLI keeps for
/// servers of its own; [`InitMessage::mcp_server_errors`] tells what it has left out, and why.
///
/// In a command, its arguments and variables, a URL and headers, the CLI puts the value of its own
/// variable `NAME`, or the default, in the place of `${NAME}` and `${NAME:-default}`; most that
/// hold credentials count as empty. Without either it stays as it is. So neither a script for
/// `sh -c` nor a secret may contain that.
///
/// [`InitMessage::mcp_server_errors`]:
///     crate::agent::message::system::InitMessage::mcp_server_errors
///
/// ```
/// # use std::time::Duration;
/// # use toolwright::ToolRegistry;
/// # use toolwright::agent::options::{AgentOptions, McpServer};
/// # let registry = ToolRegistry::builder("calc").build()?;
/// let options = AgentOptions::builder()
///     .mcp_server(registry)
///     .mcp_server(McpServer::stdio("files", "files-server").env("ROOT", "/srv"))
///     .mcp_server(
///         McpServer::http("search", "https://example.org/mcp")
///             .header("Authorization", "Bearer …")
///             .timeout(Duration::from_secs(60)),
///     )
///     .build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct McpServer {
    name: String,
    pub(super) kind: Kind,
    pub(super) timeout: Option<Duration>,
    always_load: Option<bool>,
    extra: Map<String, Value>,
    /// Setters that do not apply to this kind of server; the checks report them.
    pub(super) misuses: Vec<&'static str>,
}

/// The kinds of servers.
#[derive(Clone)]
pub(super) enum Kind {
    InProcess(ToolRegistry),
    Stdio { command: OsString, args: Vec<String>, env: Map<String, Value> },
    Remote { transport: &'static str, url: String, headers: Map<String, Value> },
}

impl McpServer {
    /// A registry in this program, served over the control protocol under its own name, or the one
    /// of [`named`](Self::named). A registry converts by itself.
    pub fn in_process(registry: &ToolRegistry) -> Self {
        Self::new(registry.name().to_owned(), Kind::InProcess(registry.clone()))
    }

    /// A program that the CLI starts and speaks to over standard input and output.
    pub fn stdio(name: impl Into<String>, command: impl AsRef<OsStr>) -> Self {
        let command = command.as_ref().to_owned();
        Self::new(name.into(), Kind::Stdio { command, args: Vec::new(), env: Map::new() })
    }

    /// A server behind a URL that speaks the older HTTP transport with server-sent events.
    pub fn sse(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self::remote(name.into(), "sse", url.into())
    }

    /// A server behind a URL that speaks streamable HTTP.
    pub fn http(name: impl Into<String>, url: impl Into<String>) -> Self {
        Self::remote(name.into(), "http", url.into())
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The registry, with the name that it has in the run, if the server is in this program.
    pub(crate) fn registry(&self) -> Option<(&str, &ToolRegistry)> {
        match &self.kind {
            Kind::InProcess(registry) => Some((&self.name, registry)),
            _ => None,
        }
    }

    /// The configuration in the form that the CLI reads.
    pub(crate) fn config(&self) -> Value {
        let mut config = Map::new();
        let mut put = |name: &str, value: Value| drop(config.insert(name.to_owned(), value));
        match &self.kind {
            Kind::InProcess(_) => {
                put("type", json!("sdk"));
                put("name", json!(self.name));
            }
            Kind::Stdio { command, args, env } => {
                put("type", json!("stdio"));
                put("command", json!(command.to_string_lossy()));
                if !args.is_empty() {
                    put("args", json!(args));
                }
                if !env.is_empty() {
                    put("env", json!(env));
                }
            }
            Kind::Remote { transport, url, headers } => {
                put("type", json!(transport));
                put("url", json!(url));
                if !headers.is_empty() {
                    put("headers", json!(headers));
                }
            }
        }
        if let Some(timeout) = self.timeout {
            put("timeout", json!(millis(timeout)));
        }
        if let Some(always) = self.always_load {
            put("alwaysLoad", json!(always));
        }
        config.extend(self.extra.clone());
        Value::Object(config)
    }

    /// Whether the configuration may contain secrets. Other users of the machine can see the
    /// arguments of every program.
    pub(super) fn is_private(&self) -> bool {
        let has_secrets = match &self.kind {
            Kind::InProcess(_) => false,
            Kind::Stdio { args, env, .. } => !args.is_empty() || !env.is_empty(),
            // A URL may contain a password or a token.
            Kind::Remote { .. } => true,
        };
        has_secrets || !self.extra.is_empty()
    }

    fn remote(name: String, transport: &'static str, url: String) -> Self {
        Self::new(name, Kind::Remote { transport, url, headers: Map::new() })
    }

    fn new(name: String, kind: Kind) -> Self {
        let (extra, misuses) = (Map::new(), Vec::new());
        Self { name, kind, timeout: None, always_load: None, extra, misuses }
    }
}

setters! {
    impl McpServer, server = self;

    /// Gives the server another name in the run, and so its tools: a registry can be served under a
    /// name that is not its own, as two of one name must be.
    ///
    /// [`allow_registry`](super::AgentOptionsBuilder::allow_registry),
    /// [`ToolRegistry::allowed_tools`] and
    /// [`PermissionPolicy`](crate::agent::permission::PermissionPolicy) know only the registry's
    /// own name. Allow the tools of another by `mcp__<server>__*`.
    ///
    /// ```
    /// # use toolwright::ToolRegistry;
    /// # use toolwright::agent::options::{AgentOptions, McpServer};
    /// # let shop = || ToolRegistry::builder("shop").build();
    /// # let (old, new) = (shop()?, shop()?);
    /// let options = AgentOptions::builder()
    ///     .mcp_server(&new)
    ///     .mcp_server(McpServer::in_process(&old).named("old-shop"))
    ///     .allowed_tools(["mcp__old-shop__search"])
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    named(name: impl Into<String>) { server.name = name.into() }
    /// Adds arguments of the program.
    args(arguments: impl IntoIterator<Item: Into<String>>) {
        match &mut server.kind {
            Kind::Stdio { args, .. } => args.extend(arguments.into_iter().map(Into::into)),
            _ => server.misuses.push("`args` is for programs"),
        }
    }
    /// Sets a variable in the program's environment, in addition to those that the CLI passes on.
    env(name: impl Into<String>, value: impl Into<String>) {
        match &mut server.kind {
            Kind::Stdio { env, .. } => drop(env.insert(name.into(), json!(value.into()))),
            _ => server.misuses.push("`env` is for programs"),
        }
    }
    /// Adds a header to every request.
    header(name: impl Into<String>, value: impl Into<String>) {
        match &mut server.kind {
            Kind::Remote { headers, .. } => drop(headers.insert(name.into(), json!(value.into()))),
            _ => server.misuses.push("`header` is for servers behind a URL"),
        }
    }
    /// The timeout of a tool call, at least 1 s, in whole milliseconds. Progress does not extend
    /// it. The CLI's own default is more than a day.
    timeout(timeout: Duration) { server.timeout = Some(timeout) }
    /// Whether the model is given all tools at once instead of searching for them. A tool of this
    /// program decides this itself, with `#[tool(always_load)]`.
    always_load(always: bool) {
        match server.kind {
            Kind::InProcess(_) => server
                .misuses
                .push("`always_load` is for servers elsewhere; here it is for each tool to say"),
            _ => server.always_load = Some(always),
        }
    }
    /// Sets a field of the server's configuration that has no method here, by its name on the wire,
    /// such as `oauth`. It overrides what a method has set.
    field(name: impl Into<String>, value: impl Into<Value>) {
        server.extra.insert(name.into(), value.into())
    }
}

impl From<ToolRegistry> for McpServer {
    fn from(registry: ToolRegistry) -> Self {
        Self::in_process(&registry)
    }
}

impl From<&ToolRegistry> for McpServer {
    fn from(registry: &ToolRegistry) -> Self {
        Self::in_process(registry)
    }
}

/// Arguments, environments, URLs, headers and fields often contain secrets, so only their number or
/// their names are printed.
impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut server = f.debug_struct("McpServer");
        server.field("name", &self.name);
        match &self.kind {
            Kind::InProcess(registry) => server.field("registry", registry),
            Kind::Stdio { command, args, env } => server
                .field("command", command)
                .field("args", &args.len())
                .field("env", &names(env.keys())),
            Kind::Remote { transport, headers, .. } => {
                server.field("transport", transport).field("headers", &names(headers.keys()))
            }
        };
        server
            .field("timeout", &self.timeout)
            .field("fields", &names(self.extra.keys()))
            .finish_non_exhaustive()
    }
}
