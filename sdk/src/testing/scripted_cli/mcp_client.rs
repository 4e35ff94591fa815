//! The MCP client: the CLI's requests to in-process servers.
//!
//! `initialize` with 2025-11-25 and id 0 is sent before the SDK's own `initialize` is answered;
//! `notifications/initialized` and `tools/list` follow the first prompt. Notifications are
//! acknowledged as well. `tools/list` is sent again when a server reports a change.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::arguments::converted;
use super::cli::{Cli, State};
use super::concurrent::unless;
use super::json::{list, str};
use super::rules::{AGENT, TASK};
use super::server::{Server, Tool};
use super::structured_output::OUTPUT;
use super::turn_state::Request;
use crate::mcp::words::full_name;

/// What the model is told of a call whose server has gone.
const CLOSED: &str = "Connection closed";

/// A server's response: the result, or the message of an error.
type Reply = Result<Value, String>;

impl Cli {
    fn server_names(&self, matching: impl Fn(&Server) -> bool) -> Vec<String> {
        let state = self.state();
        let servers = state.servers.iter().filter(|server| matching(server));
        servers.map(|server| server.name.clone()).collect()
    }

    pub(super) fn with_server<T>(
        &self,
        name: &str,
        change: impl FnOnce(&mut Server) -> T,
    ) -> Option<T> {
        self.state().servers.iter_mut().find(|server| server.name == name).map(change)
    }

    /// Connects to the servers: the first half of MCP's handshake.
    pub(super) async fn connect_servers(&self) {
        for name in self.server_names(|server| server.is_ours && !server.is_new) {
            self.connect_server(&name).await;
        }
    }

    async fn connect_server(&self, name: &str) {
        let client = json!({
            "name": "claude-code",
            "title": "Claude Code",
            "description": "Anthropic's agentic coding tool",
            "websiteUrl": "https://claude.com/claude-code",
            "version": super::setup::VERSION,
        });
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let reply = self.mcp_request(name, "initialize", Some(params)).await;
        self.with_server(name, |server| match reply {
            // It was switched off meanwhile.
            _ if server.is_off() => {}
            Ok(result) => {
                server.status = "connected";
                server.info = result["serverInfo"].clone();
            }
            Err(_) => server.status = "failed",
        });
    }

    /// The second half of the handshake, which follows the first prompt.
    pub(super) async fn announce_to_servers(&self) {
        for name in self.server_names(Server::is_half_connected) {
            self.announce_to(&name).await;
        }
    }

    async fn announce_to(&self, name: &str) {
        let message = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let body = json!({"server_name": name, "message": message});
        if self.ask("mcp_message", body).await.is_err() {
            self.with_server(name, |server| server.status = "failed");
        }
    }

    /// Lists the tools of all servers that are not ready.
    pub(super) async fn list_tools(&self) {
        for name in self.server_names(Server::is_half_connected) {
            self.list_tools_of(&name).await;
        }
    }

    /// Connects to servers that have come, and lists the tools again of those that have reported a
    /// change. It never returns.
    pub(super) async fn follow_changes(&self) {
        loop {
            if let Some(name) = self.server_names(|server| server.is_new).pop() {
                self.connect_server(&name).await;
                if self.with_server(&name, |server| server.is_half_connected()) == Some(true) {
                    self.announce_to(&name).await;
                    self.list_tools_of(&name).await;
                }
                self.with_server(&name, |server| server.is_new = false);
                self.arrived.notify_one();
                continue;
            }
            let answers = std::mem::take(&mut self.state().later);
            answers.into_iter().for_each(|(id, answer)| self.answer(&id, answer));
            let stale = |server: &mut Server| {
                (server.is_stale, server.is_listing) = (false, true);
                server.name.clone()
            };
            let stale = self.state().servers.iter_mut().find(|it| it.is_stale).map(stale);
            let Some(name) = stale else {
                self.tools_changed.notified().await;
                continue;
            };
            self.list_tools_of(&name).await;
            self.with_server(&name, |server| server.is_listing = false);
            self.arrived.notify_one();
        }
    }

    /// Whether all reported changes are known. A turn starts only then, so that it can call tools
    /// that were added before its prompt.
    pub(super) fn has_followed(&self) -> bool {
        !self.state().servers.iter().any(|it| it.is_new || it.is_stale || it.is_listing)
    }

    async fn list_tools_of(&self, name: &str) {
        let mut tools = Vec::new();
        let mut cursor = None;
        loop {
            let params = cursor.map(|cursor: Value| json!({"cursor": cursor}));
            let Ok(result) = self.mcp_request(name, "tools/list", params).await else { return };
            tools.extend(list(&result["tools"]).map(|tool| Tool {
                name: str(&tool["name"]).to_owned(),
                schema: tool["inputSchema"].clone(),
                is_read_only: tool["annotations"]["readOnlyHint"] == true,
                is_destructive: tool["annotations"]["destructiveHint"] == true,
            }));
            match result.get("nextCursor") {
                Some(next) => cursor = Some(next.clone()),
                None => break,
            }
        }
        self.with_server(name, |server| {
            if !server.is_off() {
                (server.tools, server.is_ready) = (tools, true);
            }
        });
    }

    /// Calls a tool. An interrupt cancels the request while it runs, and so does a timeout.
    pub(super) async fn call_tool(
        &self,
        server: &str,
        tool: &str,
        tool_use_id: &str,
        input: &Value,
    ) -> Reply {
        let (id, limit) =
            self.with_server(server, |it| (it.next_id, it.timeout)).unwrap_or_default();
        let params = json!({
            "name": tool,
            "arguments": input,
            "_meta": {"claudecode/toolUseId": tool_use_id, "progressToken": id},
        });
        let tool_use = tool_use_id.to_owned();
        let request = Request { server: server.to_owned(), id, tool_use };
        self.with_turn(|turn| turn.requests.push(request.clone()));
        let call = self.mcp_request(server, "tools/call", Some(params));
        let call = unless(self.loss_of(server), call);
        let reply = match limit.or(self.setup.tool_timeout) {
            Some(limit) => timeout(limit, call).await.unwrap_or_else(|_| {
                self.cancel(&request, "McpError: MCP error -32001: Request timed out");
                let seconds = limit.as_secs();
                Some(Err(format!(
                    "MCP server \"{server}\" tool \"{tool}\" timed out after {seconds}s"
                )))
            }),
            None => call.await,
        };
        let reply = reply.unwrap_or_else(|| Err(CLOSED.into()));
        self.with_turn(|turn| turn.requests.retain(|other| *other != request));
        reply
    }

    /// Waits until the server is switched off or taken away.
    async fn loss_of(&self, server: &str) {
        let is_there = |server: &mut Server| server.status == "connected";
        self.when(|| self.with_server(server, is_there) != Some(true)).await;
    }

    async fn mcp_request(&self, server: &str, method: &str, params: Option<Value>) -> Reply {
        let id = self.with_server(server, |server| {
            server.next_id += 1;
            server.next_id - 1
        });
        let mut message = json!({"method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        message["jsonrpc"] = "2.0".into();
        message["id"] = id.into();
        let body = json!({"server_name": server, "message": message});
        let mut answer = self.ask_quietly("mcp_message", body, true).await?;
        let mut response = answer["mcp_response"].take();
        match (response["id"] == message["id"], response["error"]["message"].as_str()) {
            (false, _) => Err(format!("the answer has another id than the request: {response}")),
            (true, Some(error)) => Err(format!("MCP error {}: {error}", response["error"]["code"])),
            (true, None) => Ok(response["result"].take()),
        }
    }

    /// The full names of the tools that the model can call.
    pub(super) fn tool_names(&self) -> Vec<String> {
        let has_agents = self.has_agents();
        let state = self.state();
        let builtins = self.setup.builtins.iter().map(|(name, _)| name.clone());
        let builtins = builtins.filter(|name| self.may_offer(name));
        let names = state.tools().map(|(server, tool)| full_name(&server.name, &tool.name));
        let mut names: Vec<_> = names.collect();
        names.sort();
        let output = state.schema.is_some().then(|| OUTPUT.to_owned());
        let agent = (has_agents && self.may_offer(AGENT)).then(|| TASK.to_owned());
        let all = agent.into_iter().chain(output).chain(builtins).chain(names);
        all.filter(|name| !state.rules.hide(name)).collect()
    }

    /// The server and the tool of a full name, unless a rule hides it.
    pub(super) fn find_tool(&self, name: &str) -> Option<(String, Tool)> {
        let state = self.state();
        let has_name =
            |(server, tool): &(&Server, &Tool)| full_name(&server.name, &tool.name) == name;
        let found = state.tools().find(has_name).filter(|_| !state.rules.hide(name));
        found.map(|(server, tool)| (server.name.clone(), tool.clone()))
    }

    /// The input of a call as the tool gets it.
    pub(super) fn converted(&self, tool: &str, input: Value) -> Value {
        let schema = match self.find_tool(tool) {
            Some((_, tool)) => Some(tool.schema),
            None => self.state().schema.clone().filter(|_| tool == OUTPUT),
        };
        schema.map_or(input.clone(), |schema| converted(&schema, input))
    }

    /// What the model is told of a tool whose server is switched off or was taken away.
    pub(super) fn loss_of_tool(&self, tool: &str) -> String {
        let state = self.state();
        let has_it = |server: &String| tool.starts_with(&full_name(server, ""));
        let mut off = state.servers.iter().filter(|server| server.is_off());
        if let Some(server) = off.find(|server| has_it(&server.name)) {
            let name = &server.name;
            return format!(
                ". Its MCP server '{name}' has been switched off. Continue without this tool."
            );
        }
        let lost = ". No MCP server in this session provides it; continue without this tool.";
        if state.removed.iter().any(has_it) { lost.to_owned() } else { String::new() }
    }

    /// The name that a server gives itself, which may be another than it has in the session.
    pub(super) fn own_name(&self, server: String) -> String {
        let state = self.state();
        let known = state.servers.iter().find(|known| known.name == server);
        known.and_then(|known| known.info["name"].as_str()).map_or(server, str::to_owned)
    }
}

impl State {
    fn tools(&self) -> impl Iterator<Item = (&Server, &Tool)> {
        self.servers.iter().flat_map(|server| server.tools.iter().map(move |tool| (server, tool)))
    }
}
