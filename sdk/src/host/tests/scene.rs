//! A host that keeps the messages of the session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use toolwright::ToolRegistry;
use toolwright::host::{Limits, Received, Runner, Shell};
use toolwright::mcp::{Host, Outbox};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The messages from the outbox, in order.
#[derive(Clone, Default)]
pub(super) struct Said(Arc<(Mutex<Vec<u8>>, AtomicBool)>);

impl Shell for Said {
    fn said(&self, outbox: &mut Outbox) {
        self.0.0.lock().unwrap().extend(outbox.take(Vec::new()));
    }

    fn is_behind(&self) -> bool {
        self.0.1.load(Ordering::SeqCst)
    }
}

impl Said {
    /// Whether the client is behind with reading.
    pub(super) fn is_behind(&self, is_behind: bool) {
        self.0.1.store(is_behind, Ordering::SeqCst);
    }

    pub(super) fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.0.lock().unwrap())).unwrap()
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.0.0.lock().unwrap().clone()).unwrap()
    }
}

pub(super) struct Scene {
    pub(super) runtime: Runtime,
    pub(super) runner: Arc<Runner>,
    pub(super) said: Said,
}

impl Scene {
    pub(super) fn new(registry: &ToolRegistry, limits: Limits) -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let said = Said::default();
        let runner = {
            let _context = runtime.enter();
            Runner::new(registry, Host::InProcess, Outbox::new(), said.clone(), limits)
        };
        Self { runtime, runner, said }
    }

    /// Passes a line to the runner, and runs the call in it.
    pub(super) fn line(&self, line: &str) {
        match self.runner.receive(line.as_bytes()) {
            Received::Call(call) => self.runner.run(call),
            Received::Batch(batch) => {
                batch.calls.into_iter().for_each(|call| self.runner.run(call));
            }
            _ => {}
        }
    }

    pub(super) fn call(&self, id: u64, tool: &str, arguments: &str) {
        self.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        ));
    }

    pub(super) fn cancel(&self, id: u64) {
        self.line(&format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        ));
    }

    /// Lets the runtime work until no call is unanswered.
    pub(super) fn settle(&self) {
        self.runtime.block_on(self.runner.idle());
    }
}

/// A subscriber of `tracing` that calls a function for each event.
pub(super) struct OnEvent<F>(pub(super) F);

impl<F: Fn(&Event<'_>) + 'static> Subscriber for OnEvent<F> {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn event(&self, event: &Event<'_>) {
        self.0(event);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Fails instead of hanging if `f` never ends.
pub(super) fn in_time(f: impl FnOnce() + Send + 'static) {
    let (done, ended) = channel();
    thread::spawn(move || {
        f();
        let _ = done.send(());
    });
    // A thread that panics drops its sender, which ends the wait too.
    if let Err(error) = ended.recv_timeout(Duration::from_secs(60)) {
        panic!("it has not ended well: {error}");
    }
}
