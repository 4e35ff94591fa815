//! What is said to the client and what it says.

use std::io::{BufRead, Write, stdin, stdout};

use toolwright::{Value, json};

use super::broken;
use super::process::sdk_servers;

/// The two ends of the wire. Nothing is read unless a step waits for it.
#[derive(Default)]
pub(super) struct Speech {
    /// What was read and no step has waited for yet.
    unused: Vec<Value>,
    /// What was read since the last report.
    heard: Vec<Value>,
    /// The control request that is answered next.
    request: Value,
}

impl Speech {
    pub(super) fn say(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        let mut out = stdout().lock();
        if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
            broken(&format!("nobody reads: {error}"));
        }
    }

    pub(super) fn initialize(&mut self, answer: &Value) {
        self.wait_for_request("initialize");
        let request = self.request.take();
        for server in sdk_servers() {
            let id = json!(format!("initialize {server}"));
            let params = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "claude-code", "version": "2.1.328"},
            });
            let message =
                json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
            self.ask(
                &id,
                &json!({"subtype": "mcp_message", "server_name": server, "message": message}),
            );
            self.wait_for_answer(&id);
        }
        self.request = request;
        self.reply(json!({"subtype": "success", "response": answer}));
    }

    pub(super) fn ask(&mut self, id: &Value, request: &Value) {
        self.say(&json!({"type": "control_request", "request_id": id, "request": request}));
    }

    pub(super) fn wait_for_request(&mut self, subtype: &str) {
        self.request = self.wait_for(subtype, |line| {
            line["type"] == "control_request" && line["request"]["subtype"] == subtype
        });
    }

    pub(super) fn reply(&mut self, mut response: Value) {
        response["request_id"] = self.request["request_id"].clone();
        self.say(&json!({"type": "control_response", "response": response}));
    }

    pub(super) fn wait_for_answer(&mut self, id: &Value) {
        let what = format!("the answer to {id}");
        self.wait_for(&what, |line| {
            line["type"] == "control_response" && line["response"]["request_id"] == *id
        });
    }

    pub(super) fn wait_for(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(at) = self.unused.iter().position(&fits) {
                return self.unused.remove(at);
            }
            match read() {
                Some(line) => {
                    self.heard.push(line.clone());
                    self.unused.push(line);
                }
                None => broken(&format!("the input ended before {what} came")),
            }
        }
    }

    pub(super) fn wait_for_end(&mut self) {
        while let Some(line) = read() {
            self.heard.push(line);
        }
    }

    /// What was read since the last report.
    pub(super) fn heard(&self) -> &[Value] {
        &self.heard
    }

    pub(super) fn report(&mut self) {
        let heard = std::mem::take(&mut self.heard);
        self.say(&json!({"type": "report", "heard": heard}));
    }
}

fn read() -> Option<Value> {
    let mut line = String::new();
    match stdin().lock().read_line(&mut line) {
        Ok(0) => None,
        Ok(_) => Some(line.parse().unwrap_or_else(|error| broken(&format!("{error} in {line}")))),
        Err(error) => broken(&format!("nothing can be read: {error}")),
    }
}
