//! The MCP servers of a session.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::agent::control;
use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::options::{McpServer, server_complaints};
use crate::agent::permission::PermissionMode;
use crate::agent::servers::Servers;
use crate::agent::setters::setters;
use crate::agent::wire::{Object, RawJson, kept, millis, record};

const CALL: &str = "mcp_call";

/// A call of an MCP tool without the model, for [`Handle::mcp_call`].
///
/// ```
/// use std::time::Duration;
/// use toolwright::agent::requests::McpCall;
/// use toolwright::json;
///
/// let call = McpCall::new("mcp__calc__add", json!({"a": 2, "b": 40}))
///     .timeout(Duration::from_secs(5))
///     .check_permissions();
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct McpCall {
    tool: String,
    arguments: Value,
    timeout: Option<Duration>,
    check_permissions: bool,
    result_not_for_model: bool,
}

impl McpCall {
    /// `tool` is a full name such as `mcp__calc__add`, `arguments` is a JSON object.
    pub fn new(tool: impl Into<String>, arguments: impl Into<Value>) -> Self {
        Self {
            tool: tool.into(),
            arguments: arguments.into(),
            timeout: None,
            check_permissions: false,
            result_not_for_model: false,
        }
    }
}

setters! {
    impl McpCall, call = self;

    /// How long the tool may take, from 1 s to 10 min. Default:
    /// [`control_timeout`](crate::agent::AgentOptionsBuilder::control_timeout).
    timeout(timeout: Duration) { call.timeout = Some(timeout) }
    /// Decides about the call as if the model made it: by rules, hooks and the permission callback.
    check_permissions() { call.check_permissions = true }
    /// Gives the server's content as it is, not as a model would be shown it.
    result_not_for_model() { call.result_not_for_model = true }
}

kept! {
    /// What changed by [`Handle::set_mcp_servers`].
    pub struct McpServersSet {
        /** The servers that came. */ pub added: Vec<String>,
        /** The servers that went. */ pub removed: Vec<String>,
        /** Why some cannot be reached, by name. */ pub errors: BTreeMap<String, String>,
    }

    /// The result of an MCP tool.
    pub struct McpCallResult {
        /** MCP's content blocks, or a text. */ pub content: RawJson,
        /** The structured content. */
        pub structured_content: Option<RawJson> = "structuredContent",
        /** MCP's `_meta`. */ pub meta: Option<RawJson> = "_meta",
    }

    /// A resource, or a part of it.
    pub struct McpResourceContents {
        /** Its URI. */ pub uri: String,
        /** Its media type. */ pub mime_type: Option<String> = "mimeType",
        /** The text. */ pub text: Option<String>,
        /** The bytes, in Base64. */ pub blob: Option<String>,
        /** MCP's `_meta`. */ pub meta: Option<RawJson> = "_meta",
    }
}

record! {
    struct Staging {
        pub ok: Option<bool>,
        pub error_code: Option<String>,
        pub detail: Option<String>,
    }
}

impl McpCallResult {
    /// With a time-out of its own, a call that fails is answered as a success.
    pub(super) fn unless_failed(self) -> Result<Self, ControlError> {
        match control::decode(CALL, self.member("staging").unwrap_or("{}")) {
            Ok(Staging { ok: Some(false), error_code: code, detail }) => {
                let message = detail.unwrap_or_else(|| "the call failed".into());
                Err(ControlError::Refused { message, code })
            }
            // What is no object says nothing of the call.
            _ => Ok(self),
        }
    }

    /// The texts of the content, with line breaks between them.
    pub fn text(&self) -> String {
        let texts = match self.content.to_value() {
            Value::String(text) => vec![text],
            Value::Array(blocks) => blocks
                .iter()
                .filter_map(|block| block.get("text")?.as_str().map(str::to_owned))
                .collect(),
            _ => Vec::new(),
        };
        texts.join("\n")
    }
}

/// The MCP servers of a session.
impl Handle {
    /// Replaces the servers that were added while the session ran; those it began with stay. The
    /// answer comes once each is connected or has failed, and another call waits until then. A
    /// registry of this program under a name that is there already takes no other's place.
    ///
    /// # Errors
    ///
    /// A server is wrong ([`ControlError::WrongServers`]), and as for all requests: see [`Handle`].
    pub async fn set_mcp_servers(
        &self,
        servers: impl IntoIterator<Item: Into<McpServer>>,
    ) -> Result<McpServersSet, ControlError> {
        let servers: Vec<McpServer> = servers.into_iter().map(Into::into).collect();
        let complaints = server_complaints(&servers);
        if !complaints.is_empty() {
            return Err(ControlError::WrongServers { complaints });
        }
        let here = &self.core.servers;
        // Of those that the run began with, the CLI keeps the ones of this program only if they are
        // named again.
        let mut configs = here.configs.clone();
        configs.extend(servers.iter().map(|server| (server.name().to_owned(), with_args(server))));
        let registries: Vec<_> = servers.iter().filter_map(McpServer::registry).collect();
        let _alone = here.setting.lock().await;
        // The CLI initialises them before it answers.
        let mut added = Added { servers: here, names: here.add(&registries) };
        if !added.names.is_empty() {
            self.core.lifecycle.need_us();
        }
        let set = self.typed("mcp_set_servers", &json!({"servers": configs})).await?;
        added.names.clear();
        here.keep(|name| registries.iter().any(|(kept, _)| *kept == name));
        Ok(set)
    }

    /// Connects a server again. Calls of a registry of this program that still run are cancelled.
    ///
    /// # Errors
    ///
    /// There is no such server or it cannot be reached, and as for all requests: see [`Handle`].
    pub async fn reconnect_mcp_server(&self, name: &str) -> Result<(), ControlError> {
        self.request("mcp_reconnect", json!({"serverName": name})).await.map(drop)
    }

    /// Switches a server on or off. Calls of a registry of this program that still run when it is
    /// switched off are cancelled.
    ///
    /// # Errors
    ///
    /// There is no such server or it cannot be reached, and as for all requests: see [`Handle`].
    pub async fn toggle_mcp_server(&self, name: &str, enabled: bool) -> Result<(), ControlError> {
        self.request("mcp_toggle", json!({"serverName": name, "enabled": enabled})).await?;
        if !enabled {
            self.core.servers.switched_off(name);
        }
        Ok(())
    }

    /// The permission mode for the tools of one server, [`PermissionMode::Default`] or
    /// [`PermissionMode::Auto`]; `None` takes it back. Gives the CLI's warning, if it has one.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn set_mcp_permission_mode_override(
        &self,
        name: &str,
        mode: Option<PermissionMode>,
    ) -> Result<Option<String>, ControlError> {
        let body = json!({"serverName": name, "mode": mode});
        self.member("set_mcp_permission_mode_override", &body, "warning").await
    }

    /// Reads a resource with a `ui://` URI, the only ones that the CLI reads for this.
    ///
    /// # Errors
    ///
    /// The server is not connected or has no such resource, and as for all requests: see
    /// [`Handle`].
    pub async fn mcp_read_resource(
        &self,
        server: &str,
        uri: &str,
    ) -> Result<Vec<McpResourceContents>, ControlError> {
        let body = json!({"serverName": server, "uri": uri});
        self.member("mcp_read_resource", &body, "contents").await
    }

    /// Calls a tool of a server that the CLI talks to, without the model. The tools of this program
    /// cannot be called so.
    ///
    /// # Errors
    ///
    /// The tool failed, timed out or was not permitted, its server is not connected, and as for all
    /// requests: see [`Handle`].
    pub async fn mcp_call(&self, call: McpCall) -> Result<McpCallResult, ControlError> {
        let body = Object::default()
            .member("tool", &call.tool)
            .member("arguments", &call.arguments)
            .optional("timeout_ms", call.timeout.map(millis))
            .flag("check_permissions", call.check_permissions)
            .flag("result_not_for_model", call.result_not_for_model)
            .finish();
        // The CLI counts the time, and says so when it is over.
        let timeout = self.timeout().saturating_add(call.timeout.unwrap_or_default());
        let answer = self.exchange(CALL, &body, timeout).await?;
        control::decode::<McpCallResult>(CALL, &answer)?.unless_failed()
    }
}

/// Takes the servers that were added away again, unless the CLI has said that it has them.
struct Added<'a> {
    servers: &'a Servers,
    names: Vec<&'a str>,
}

impl Drop for Added<'_> {
    fn drop(&mut self) {
        if !self.names.is_empty() {
            self.servers.keep(|name| !self.names.contains(&name));
        }
    }
}

/// The configuration of a server. CLI 2.1.328 cannot start a program without `args` here.
fn with_args(server: &McpServer) -> Value {
    let mut config = server.config();
    if config["type"] == "stdio" && config["args"].is_null() {
        config["args"] = json!([]);
    }
    config
}
