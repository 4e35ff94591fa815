//! Requests about the MCP servers.
//!
//! Servers that come, or come back, are initialised before the request is answered.

use serde_json::{Value, json};

use super::answer::Answer;
use super::cli::{Cli, State};
use super::json::str;
use super::server::Server;
use super::steering::unknown_mode;

impl Cli {
    /// The answer, if there is one now. `None` if the request is of another kind.
    pub(super) fn serve(&self, id: &str, subtype: &str, request: &Value) -> Option<Option<Answer>> {
        let name = str(&request["serverName"]);
        let answer = match subtype {
            "mcp_status" => Answer::with(json!({"mcpServers": self.server_status()})),
            "mcp_set_servers" => {
                self.set_servers(id, &request["servers"]);
                return Some(None);
            }
            "mcp_call" => Answer::refusal(self.refuse_call(str(&request["tool"]))),
            "mcp_read_resource" if !str(&request["uri"]).starts_with("ui://") => {
                Answer::refusal("mcp_read_resource: uri must use the ui:// scheme")
            }
            "set_mcp_permission_mode_override" => self.override_mode(name, &request["mode"]),
            "mcp_toggle" | "mcp_reconnect" | "mcp_read_resource" => {
                match (subtype, self.with_server(name, |server| server.is_ours)) {
                    (_, None) => Answer::refusal(format!("Server not found: {name}")),
                    ("mcp_toggle", _) if request["enabled"] != false => {
                        return Some(self.switch_on(id, name));
                    }
                    ("mcp_toggle", _) => {
                        self.with_server(name, Server::switch_off);
                        self.interrupted.notify_waiters();
                        Answer::done()
                    }
                    ("mcp_reconnect", Some(true)) => {
                        Answer::refusal("SDK servers should be handled in print.ts")
                    }
                    ("mcp_read_resource", Some(true)) => Answer::refusal(
                        "mcp_read_resource does not support SDK MCP servers: the caller hosts \
                         them and can read them directly",
                    ),
                    _ => Answer::refusal(format!("MCP server not connected: {name}")),
                }
            }
            _ => return None,
        };
        Some(Some(answer))
    }

    /// Connects to the server again if it was switched off.
    fn switch_on(&self, id: &str, name: &str) -> Option<Answer> {
        if self.with_server(name, |server| server.is_off()) != Some(true) {
            return Some(Answer::done());
        }
        self.with_server(name, Server::switch_on);
        self.answer_later(id, Answer::done());
        None
    }

    /// The servers of the SDK and those that such a request has set are now these. Others stay.
    fn set_servers(&self, id: &str, configs: &Value) {
        let empty = serde_json::Map::new();
        let configs = configs.as_object().unwrap_or(&empty);
        let (mut added, mut removed, mut errors) = (Vec::new(), Vec::new(), json!({}));
        {
            let State { servers, removed: gone, .. } = &mut *self.state();
            servers.retain(|server| {
                let stays = configs.contains_key(&server.name) || !server.is_dynamic;
                if !stays {
                    removed.push(server.name.clone());
                }
                stays
            });
            for (name, config) in configs {
                if servers.iter().any(|server| server.name == *name) {
                    continue;
                }
                let server = Server::added(name, config);
                match server.is_ours {
                    true => added.push(name.clone()),
                    false => errors[name] = super::server::UNREACHABLE.into(),
                }
                servers.push(server);
            }
            gone.extend(removed.iter().cloned());
            gone.retain(|name| !configs.contains_key(name));
        }
        self.interrupted.notify_waiters();
        let set = json!({"added": added, "removed": removed, "errors": errors});
        self.answer_later(id, Answer::with(set));
    }

    /// Answers once all servers are connected.
    fn answer_later(&self, id: &str, answer: Answer) {
        self.state().later.push((id.to_owned(), answer));
        self.tools_changed.notify_one();
    }

    /// Why no tool is called without the model: servers of the SDK are not for that, and there is
    /// no connection to others.
    fn refuse_call(&self, tool: &str) -> String {
        let parts = tool.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
        let Some((server, _)) = parts else {
            return format!("Not a fully-qualified MCP tool name: {tool}");
        };
        match self.with_server(server, |server| server.is_ours && server.status == "connected") {
            Some(true) => format!(
                "mcp_call does not support SDK MCP servers. SDK servers are caller-provided — \
                 invoke {server} directly."
            ),
            _ => format!("MCP server not connected: {server}"),
        }
    }

    /// It has no effect on permissions here.
    fn override_mode(&self, name: &str, mode: &Value) -> Answer {
        if let Some(error) = mode.as_str().and_then(unknown_mode) {
            return Answer::refusal(error);
        }
        if !(mode.is_null() || mode == "default" || mode == "auto") {
            return Answer::refusal(format!(
                "Permission mode override over the control channel is tighten-only ('default', \
                 'auto', or null); rejected '{}'",
                str(mode)
            ));
        }
        let had_one = match mode.is_null() {
            true => self.state().overrides.remove(name),
            false => !self.state().overrides.insert(name.to_owned()),
        };
        if self.with_server(name, |_| ()).is_some() {
            return Answer::done();
        }
        let warning = match (mode.is_null(), had_one) {
            (false, _) => {
                "is not yet known; override stored but will not apply until a server with that \
                 exact name connects."
            }
            (true, true) => "is not known; its stored override was cleared.",
            (true, false) => "is not known; no override was present to clear.",
        };
        Answer::with(json!({"warning": format!("MCP server '{name}' {warning}")}))
    }

    pub(super) fn server_status(&self) -> Vec<Value> {
        self.state().servers.iter().map(Server::report).collect()
    }
}
