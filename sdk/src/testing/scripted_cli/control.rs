//! Messages of the SDK: prompts, responses, and requests, which are answered at once.
//!
//! An interrupt first cancels the running MCP requests with `notifications/cancelled`, then it is
//! answered, and then the turn ends.

use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::answer::Answer;
use super::cli::{Cli, Response};
use super::json::str;
use super::turn_state::Request;
use crate::agent::decode_line;

impl Cli {
    /// Handles a line.
    pub(super) fn receive(&self, line: &[u8]) {
        let message = match decode_line(line) {
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
            // A request that the SDK withdraws is answered all the same.
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
                    return self.answer(id, Answer::refusal("Already initialized"));
                }
                self.state().initialize = Some((id.to_owned(), request.clone()));
                self.arrived.notify_one();
            }
            "interrupt" => self.interrupt(id, request["cancel_queued"] == true),
            "mcp_message" => {
                self.message_of_server(request);
                // The real response has no `response` at all.
                self.answer(id, Answer::done());
            }
            subtype => match self.scripted_answer(subtype) {
                Some(answer) => self.answer(id, answer),
                None => self.answer_itself(id, subtype, request),
            },
        }
    }

    fn answer_itself(&self, id: &str, subtype: &str, request: &Value) {
        let before = self.mode();
        let answer = match self.serve(id, subtype, request) {
            Some(answer) => answer,
            None => Some(
                self.steer(subtype, request)
                    .or_else(|| self.report(subtype, request))
                    .unwrap_or_else(|| {
                        let error = format!("Unsupported control request subtype: {subtype}");
                        Answer::coded_refusal("unsupported_request", error)
                    }),
            ),
        };
        if let Some(answer) = answer {
            self.answer(id, answer);
        }
        if subtype == "set_permission_mode" {
            self.report_change_from(&before);
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

    pub(super) fn answer(&self, id: &str, answer: impl Into<Answer>) {
        let Answer(mut response) = answer.into();
        response["request_id"] = id.into();
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
        self.answer(id, Answer::with(receipt));
        self.interrupted.notify_waiters();
    }

    /// Cancels the running MCP requests.
    pub(super) fn cancel_requests(&self) {
        // The turn still has them: it tells which of its calls were running.
        let requests = self.with_turn(|turn| turn.requests.clone()).unwrap_or_default();
        requests.iter().for_each(|request| self.cancel(request, "AbortError: remote-cancel"));
    }

    /// Cancels an MCP request.
    pub(super) fn cancel(&self, request: &Request, reason: &str) {
        let Request { server, id, .. } = request;
        let params = json!({"requestId": id, "reason": reason});
        let message =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
        let id = format!("cli_{}", self.next_id());
        // The acknowledgement is expected, but not waited for.
        self.state().pending.insert(id.clone(), oneshot::channel().0);
        let request = json!({"subtype": "mcp_message", "server_name": server, "message": message});
        self.say(json!({"type": "control_request", "request_id": id, "request": request}));
    }

    fn message_of_server(&self, request: &Value) {
        if request["message"]["method"] == "notifications/tools/list_changed" {
            self.with_server(str(&request["server_name"]), |server| {
                server.is_stale |= !server.is_off();
            });
            self.tools_changed.notify_one();
        }
    }
}
