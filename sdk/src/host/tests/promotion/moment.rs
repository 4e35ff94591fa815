//! A call that is about to become a task.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::yield_now;
use toolwright::host::{Received, Runner};
use toolwright::{AskError, Context, State, ToolRegistry, tool, tools};

use super::super::scene::Said;
use super::super::server::Server;
use super::gated::Gated;

/// Lets a tool go on.
pub(super) type Go = Arc<Notify>;

/// How many calls run.
pub(super) type Count = Arc<AtomicUsize>;

struct Counted(Count);

#[tool(task)]
async fn work(go: State<Go>, count: State<Count>) -> &'static str {
    let _counted = Counted::new(&count);
    go.notified().await;
    "worked"
}

#[tool(task, timeout = "3s")]
async fn late(count: State<Count>) {
    let _counted = Counted::new(&count);
    std::future::pending::<()>().await;
}

#[tool(task)]
async fn ask(go: State<Go>, cx: &Context) -> Result<bool, AskError> {
    go.notified().await;
    cx.confirm("Sure?").key("sure").await
}

/// Asks from elsewhere, and so without a turn of its own.
#[tool(task)]
async fn ask_elsewhere(go: State<Go>, count: State<Count>, cx: &Context) -> Result<bool, AskError> {
    let (go, counted, cx) = ((*go).clone(), Counted::new(&count), cx.clone());
    let asks = async move {
        let _counted = counted;
        go.notified().await;
        cx.confirm("Sure?").key("sure").await
    };
    tokio::spawn(asks).await.map_err(|_| AskError::Closed)?
}

#[tool(task)]
fn block(gate: State<Mutex<std::sync::mpsc::Receiver<()>>>) -> &'static str {
    gate.lock().unwrap().recv().unwrap();
    "passed"
}

impl Counted {
    fn new(count: &Count) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A call that is about to become a task.
pub(super) struct Moment {
    pub(super) server: Server,
    pub(super) tasks: Arc<Gated>,
    pub(super) go: Go,
    pub(super) count: Count,
    pub(super) gate: std::sync::mpsc::Sender<()>,
    pub(super) runner: Arc<Runner>,
    pub(super) said: Said,
}

impl Moment {
    /// Of a call of this tool.
    pub(super) fn of(tool: &str) -> Self {
        Self::with(json!({"name": tool, "arguments": {}}))
    }

    /// Of a call with these parameters.
    pub(super) fn with(params: Value) -> Self {
        let (tasks, go, count) = (Arc::<Gated>::default(), Go::default(), Count::default());
        let (gate, passes) = std::sync::mpsc::channel();
        let registry = ToolRegistry::builder("toy")
            .tools(tools![work, late, ask, ask_elsewhere, block])
            .state(go.clone())
            .state(count.clone())
            .state(Mutex::new(passes))
            .build()
            .unwrap();
        assert!(registry.server().tasks.set(tasks.clone()).is_ok());
        let server = Server::of(registry);
        let (runner, said) = server.begin("tools/call", params);
        server.runtime.block_on(tasks.begin.reached());
        assert_eq!(said.text(), "");
        Self { server, tasks, go, count, gate, runner, said }
    }

    /// Lets everything run that can.
    pub(super) fn settle(&self) {
        self.server.pass(Duration::from_millis(1));
    }

    /// Wakes one and then the other, and lets everything run that can. What either of them wakes
    /// comes after both.
    pub(super) fn wake(&self, one: impl Fn(), other: impl Fn()) {
        self.server.runtime.block_on(async {
            one();
            other();
        });
        self.settle();
    }

    /// The result that the call was answered with. It was answered once.
    pub(super) fn answer(&self) -> Value {
        self.response()["result"].take()
    }

    /// What the call was answered with, once.
    pub(super) fn response(&self) -> Value {
        let said = self.said.take();
        assert_eq!(said.lines().count(), 1, "{said}");
        serde_json::from_str(&said).unwrap()
    }

    /// Lets the task begin, and everything run until the call is answered with it.
    pub(super) fn begin(&self) {
        self.tasks.begin.open();
        self.server.runtime.block_on(async {
            while self.said.text().is_empty() {
                yield_now().await;
            }
        });
    }

    /// The call does not become a task any more, and nothing is left of it.
    pub(super) fn is_over(&self) {
        self.tasks.begin.open();
        self.settle();
        assert_eq!(self.said.take(), "");
        assert_eq!(self.server.get(&self.id())["code"], -32602);
        assert_eq!(self.count.load(Ordering::SeqCst), 0);
        assert_eq!(self.runner.left(), [0; 4]);
    }

    pub(super) fn id(&self) -> String {
        self.tasks.id.lock().unwrap().clone()
    }

    pub(super) fn status(&self) -> Value {
        self.server.get(&self.id())["status"].take()
    }

    /// Cancels the call's request. Returns whether it was unanswered.
    pub(super) fn cancel(&self) -> bool {
        let line = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        matches!(self.runner.receive(line.to_string().as_bytes()), Received::Cancelled(_))
    }
}
