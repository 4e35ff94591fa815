//! A server whose tools become tasks.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::sleep;
use toolwright::ToolRegistry;
use toolwright::host::{Limits, Received, Runner};
use toolwright::mcp::{Host, Outbox, Session};

use super::scene::Said;
use crate::host::Threads;
use crate::mcp::rounds::Owner;

/// A server whose requests have a session each, as over HTTP; its time passes when nothing else
/// happens.
pub(super) struct Server {
    pub(super) runtime: Runtime,
    pub(super) registry: ToolRegistry,
    pub(super) owner: Option<&'static str>,
    pub(super) capabilities: Value,
}

impl Server {
    pub(super) fn of(registry: ToolRegistry) -> Self {
        let runtime =
            Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let tasks = json!({"io.modelcontextprotocol/tasks": {}});
        let capabilities = json!({"elicitation": {}, "extensions": tasks});
        Self { runtime, registry, owner: None, capabilities }
    }

    /// A session of its own.
    pub(super) fn connect(&self, limits: Limits) -> (Arc<Runner>, Said) {
        let said = Said::default();
        let _context = self.runtime.enter();
        let session = |link| {
            let mut session = Session::new(&self.registry, Host::Http, link);
            if let Some(owner) = self.owner {
                session.extensions_mut().insert(Owner(owner.into()));
            }
            session
        };
        let (threads, outbox) = (Threads::new(4), Outbox::new());
        let shell = Box::new(said.clone());
        (Runner::sharing(threads, Handle::current(), session, outbox, shell, limits), said)
    }

    /// Sends a request. Returns its session too.
    pub(super) fn begin(&self, method: &str, params: Value) -> (Arc<Runner>, Said) {
        let (runner, said) = self.connect(Limits::default());
        self.send(&runner, 1, method, params);
        (runner, said)
    }

    /// Sends a request with this id.
    pub(super) fn send(&self, runner: &Runner, id: u32, method: &str, mut params: Value) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        if let Received::Call(call) = runner.receive(line.to_string().as_bytes()) {
            runner.run(call);
        }
    }

    /// Sends a request and waits for its answer: the result, or the error.
    pub(super) fn request(&self, method: &str, params: Value) -> Value {
        let (runner, said) = self.begin(method, params);
        self.answer(&runner, &said)
    }

    /// Waits for the answer to the only open request: the result, or the error.
    pub(super) fn answer(&self, runner: &Runner, said: &Said) -> Value {
        self.runtime.block_on(runner.idle());
        let text = said.take();
        let mut answer: Value = serde_json::from_str(text.trim()).unwrap();
        let answer = answer.as_object_mut().unwrap();
        answer.remove("result").or_else(|| answer.remove("error")).unwrap()
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Begins a task, and returns its id.
    pub(super) fn task(&self, tool: &str, arguments: Value) -> String {
        let begun = self.call(tool, arguments);
        assert_eq!(begun["resultType"], "task", "{begun}");
        begun["taskId"].as_str().unwrap().to_owned()
    }

    pub(super) fn get(&self, id: &str) -> Value {
        self.request("tasks/get", json!({"taskId": id}))
    }

    pub(super) fn update(&self, id: &str, answers: Value) -> Value {
        self.request("tasks/update", json!({"taskId": id, "inputResponses": answers}))
    }

    /// The task, once it has this status.
    pub(super) fn becomes(&self, id: &str, status: &str) -> Value {
        for _ in 0..100 {
            let task = self.get(id);
            if task["status"] == status {
                return task;
            }
            self.pass(Duration::from_millis(100));
        }
        panic!("{}", self.get(id));
    }

    pub(super) fn pass(&self, time: Duration) {
        self.runtime.block_on(async { sleep(time).await });
    }
}
