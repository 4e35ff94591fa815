//! Messages of the SDK: prompts, responses, and requests, which are answered at once.
//!
//! An interrupt first cancels the running MCP requests with `notifications/cancelled`, then it is
//! answered, and then the turn ends.

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::cli::{Cli, Response};
use super::json::str;
use super::turn_state::Request;

/// What the CLI says to a rewind without `enable_file_checkpointing`; no file changes here.
const NO_REWINDING: &str = "File rewinding is not enabled.";

impl Cli {
    /// Handles a line.
    pub(super) fn receive(&self, line: &[u8]) {
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) => {
                return tracing::warn!(%error, "dropped a line for the scripted CLI: not JSON");
            }
        };
        self.recorder.received(&message);
        match message["type"].as_str() {
            Some("control_response") => self.resolve(&message["response"]),
            Some("control_request") => {
                self.request(str(&message["request_id"]), &message["request"])
            }
            Some("user") if message["shouldQuery"] != false => {
                self.receive_prompt(message);
            }
            // A request that the SDK withdraws was answered before.
            _ => {}
        }
    }

    fn resolve(&self, response: &Value) {
        let answer = match response["subtype"] == "success" {
            true => Ok(response["response"].clone()),
            false => Err(response["error"].as_str().unwrap_or("no reason was given").to_owned()),
        };
        let waiter = self.state().pending.remove(str(&response["request_id"]));
        // The caller may have dropped its request.
        waiter.map(|waiter| waiter.send(answer));
    }

    fn request(&self, id: &str, request: &Value) {
        match str(&request["subtype"]) {
            "initialize" => {
                if std::mem::replace(&mut self.state().is_initialized, true) {
                    return self.answer(id, Err("Already initialized".into()));
                }
                self.state().initialize = Some((id.to_owned(), request.clone()));
                self.arrived.notify_one();
            }
            "interrupt" => self.interrupt(id, request["cancel_queued"] == true),
            "mcp_message" => {
                self.message_of_server(request);
                // The real response has no `response` at all.
                let response = json!({"subtype": "success", "request_id": id});
                self.say(json!({"type": "control_response", "response": response}));
            }
            subtype => match self.scripted_answer(subtype) {
                Some(answer) => self.answer(id, answer),
                None => self.answer_itself(id, subtype, request),
            },
        }
    }

    fn answer_itself(&self, id: &str, subtype: &str, request: &Value) {
        let answer = match subtype {
            "set_model" => Ok(self.set_model(request["model"].as_str())),
            "set_permission_mode" => self.request_mode(str(&request["mode"])),
            "mcp_status" => Ok(json!({"mcpServers": self.server_status()})),
            "cancel_async_message" => {
                let uuid = str(&request["message_uuid"]);
                let is_cancelled = self.withdraw_prompt(uuid);
                Ok(json!({"cancelled": is_cancelled, "message_uuid": uuid}))
            }
            "get_context_usage" => Ok(self.context_usage()),
            // A rewind that cannot be done is refused, and only a dry run answered.
            "rewind_files" => match request["dry_run"] == true {
                true => Ok(json!({"canRewind": false, "error": NO_REWINDING})),
                false => Err(NO_REWINDING.into()),
            },
            _ => return self.refuse_unknown(id, subtype),
        };
        let mode = answer.is_ok().then(|| self.state().mode.clone());
        self.answer(id, answer);
        if let Some(mode) = mode.filter(|_| subtype == "set_permission_mode") {
            self.report_mode(&mode);
        }
    }

    /// The next answer of the script to requests of this subtype.
    fn scripted_answer(&self, subtype: &str) -> Option<Response> {
        let state = &mut *self.state();
        let responses = state.responses.get_mut(subtype)?;
        match responses.len() {
            1 => responses.front().cloned(),
            _ => responses.pop_front(),
        }
    }

    pub(super) fn answer(&self, id: &str, answer: Response) {
        let response = match answer {
            Ok(response) => json!({"subtype": "success", "request_id": id, "response": response}),
            Err(error) => json!({"subtype": "error", "request_id": id, "error": error}),
        };
        self.say(json!({"type": "control_response", "response": response}));
    }

    fn refuse_unknown(&self, id: &str, subtype: &str) {
        let error = format!("Unsupported control request subtype: {subtype}");
        let response = json!({
            "subtype": "error", "request_id": id,
            "error": error, "error_code": "unsupported_request",
        });
        self.say(json!({"type": "control_response", "response": response}));
    }

    fn interrupt(&self, id: &str, cancels_queued: bool) {
        let queued: Vec<String> = {
            let state = &mut *self.state();
            state.turn.iter_mut().for_each(|turn| turn.is_interrupted = true);
            let uuids = state.prompts.iter().map(|prompt| prompt.uuid().to_owned());
            uuids.filter(|uuid| !uuid.is_empty()).collect()
        };
        self.cancel_requests();
        let receipt = match cancels_queued {
            true => {
                queued.iter().for_each(|uuid| {
                    self.withdraw_prompt(uuid);
                });
                self.state().prompts.clear();
                json!({"still_queued": [], "cancelled": queued})
            }
            false => json!({"still_queued": queued}),
        };
        self.answer(id, Ok(receipt));
        self.interrupted.notify_waiters();
    }

    /// Cancels the running MCP requests.
    pub(super) fn cancel_requests(&self) {
        // The turn still has them: it tells which of its calls were running.
        let requests = self.with_turn(|turn| turn.requests.clone()).unwrap_or_default();
        for Request { server, id, .. } in requests {
            let params = json!({"requestId": id, "reason": "AbortError: remote-cancel"});
            let message =
                json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
            let id = format!("cli_{}", self.next_id());
            // The acknowledgement is expected, but not waited for.
            self.state().pending.insert(id.clone(), oneshot::channel().0);
            let request =
                json!({"subtype": "mcp_message", "server_name": server, "message": message});
            self.say(json!({"type": "control_request", "request_id": id, "request": request}));
        }
    }

    /// The model sees the change as the output of a command.
    fn set_model(&self, model: Option<&str>) -> Value {
        let model = model.filter(|model| *model != "default").unwrap_or(&self.setup.model);
        self.state().model = model.to_owned();
        let output = format!("<local-command-stdout>Set model to `{model}`</local-command-stdout>");
        self.say_message(json!({
            "type": "user", "message": {"role": "user", "content": output},
            "parent_tool_use_id": null, "isReplay": true,
        }));
        json!({"model": model})
    }

    fn request_mode(&self, mode: &str) -> Response {
        if mode == "bypassPermissions" && !self.setup.may_bypass {
            return Err("Cannot set permission mode to bypassPermissions because the session was \
                        not launched with --dangerously-skip-permissions"
                .into());
        }
        self.state().mode = mode.to_owned();
        Ok(json!({"mode": mode}))
    }

    /// Sets the mode that the answer to a permission request asks for.
    pub(super) fn set_mode(&self, mode: &str) {
        if self.request_mode(mode).is_ok() {
            self.report_mode(mode);
        }
    }

    fn report_mode(&self, mode: &str) {
        self.say_message(json!({
            "type": "system", "subtype": "status", "status": null, "permissionMode": mode,
        }));
    }

    fn message_of_server(&self, request: &Value) {
        if request["message"]["method"] == "notifications/tools/list_changed" {
            for server in &mut self.state().servers {
                server.is_stale |= request["server_name"] == server.name.as_str();
            }
            self.tools_changed.notify_one();
        }
    }

    fn server_status(&self) -> Vec<Value> {
        let state = self.state();
        let status = state.servers.iter().map(|server| {
            let tools = server.tools.iter().map(|tool| match tool.is_read_only {
                true => json!({"name": tool.name, "annotations": {"readOnly": true}}),
                false => json!({"name": tool.name, "annotations": {}}),
            });
            let mut status = json!({"name": server.name, "status": server.status});
            match server.status {
                "connected" => {
                    status["serverInfo"] = server.info.clone();
                    status["tools"] = tools.collect();
                }
                "failed" => status["error"] = "The scripted CLI has no connection to it".into(),
                _ => {}
            }
            status["scope"] = "dynamic".into();
            if server.is_ours {
                status["source"] = "sdk".into();
            }
            status
        });
        status.collect()
    }

    fn context_usage(&self) -> Value {
        const WINDOW: u64 = 200_000;
        let state = self.state();
        let used: u64 = state.tokens.values().map(|(input, output)| input + output).sum();
        let free = WINDOW.saturating_sub(used);
        json!({
            "categories": [
                {"id": "messages", "name": "Messages", "tokens": used, "kind": "used"},
                {"id": "free_space", "name": "Free space", "tokens": free, "kind": "free"},
            ],
            "totalTokens": used, "maxTokens": WINDOW, "rawMaxTokens": WINDOW,
            "percentage": used * 100 / WINDOW, "model": state.model,
            "memoryFiles": [], "mcpTools": [], "agents": [], "isAutoCompactEnabled": true,
        })
    }
}
