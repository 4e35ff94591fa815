//! One connection: the session, what runs for it, and how it ends.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use toolwright::ToolRegistry;
use toolwright::mcp::{CallId, CancelToken, Host, Link, Run, Session};
use toolwright::threads::Threads;

use crate::Options;
use crate::output::Output;
use crate::reader::Input;
use crate::sentinel::Sentinel;
use crate::wire::Wire;

/// What all threads of a server share.
///
/// Locks are taken in this order: `input`, the turn of `output`, `state`. No code of the user's
/// runs under `state`.
pub(crate) struct Server {
    pub(crate) options: Options,
    /// Where tools run.
    pub(crate) runtime: Handle,
    /// Where their time is kept. A tool may hold up its runtime, but should not hold up this.
    pub(crate) clock: Handle,
    pub(crate) input: Mutex<Input>,
    pub(crate) output: Arc<Output>,
    pub(crate) sentinel: Sentinel,
    pub(crate) threads: Arc<Threads>,
    state: Mutex<State>,
    /// There is so much to send that the reader's batch has to wait for it.
    pub(crate) is_full: AtomicBool,
    /// How many readers are held up in a tool and were overtaken.
    pub(crate) held_up: AtomicUsize,
    /// Signals that fewer calls wait.
    pub(crate) fewer_waiting: Condvar,
    /// No more is to come from the client.
    pub(crate) ended: Notify,
    /// No call runs any more.
    idle: Notify,
    this: Weak<Server>,
}

pub(crate) struct State {
    pub(crate) session: Session,
    /// What the session said and nobody has sent yet.
    pub(crate) out: Vec<u8>,
    /// Calls that were not done at once, by their number.
    pub(crate) running: HashMap<u64, Running>,
    /// Calls that wait for others to end, and the length of their lines.
    pub(crate) waiting: VecDeque<(Run, usize)>,
    pub(crate) waiting_bytes: usize,
    /// Nothing that comes now is answered.
    pub(crate) closed: bool,
}

/// How to stop a call.
#[derive(Default)]
pub(crate) struct Running {
    pub(crate) task: Option<AbortHandle>,
    pub(crate) timer: Option<AbortHandle>,
    pub(crate) cancel: Option<CancelToken>,
}

impl Server {
    /// Tools will run on `runtime`; everything else that waits is on the present one.
    pub(crate) fn start(
        registry: &ToolRegistry,
        mut options: Options,
        wire: Wire,
        runtime: Handle,
    ) -> io::Result<Arc<Self>> {
        // With none nothing would ever run.
        options.max_running = options.max_running.max(1);
        let server = Arc::new_cyclic(|this: &Weak<Self>| Self {
            runtime,
            clock: Handle::current(),
            input: Mutex::new(Input::new(wire.input, options.max_line)),
            output: Arc::new(Output::new(wire.output)),
            sentinel: Sentinel::new(),
            threads: Arc::new(Threads::new(options.sync_threads)),
            state: Mutex::new(State {
                session: Session::new(registry, Host::Stdio, this.clone()),
                out: Vec::new(),
                running: HashMap::new(),
                waiting: VecDeque::new(),
                waiting_bytes: 0,
                closed: false,
            }),
            is_full: AtomicBool::new(false),
            held_up: AtomicUsize::new(0),
            fewer_waiting: Condvar::new(),
            ended: Notify::new(),
            idle: Notify::new(),
            options,
            this: this.clone(),
        });
        server.spawn_reader()?;
        Ok(server)
    }

    /// Serves until the client ends or `stop` is ready, and then ends in order: calls have their
    /// grace, every request its answer.
    pub(crate) async fn run(&self, stop: impl Future<Output = ()>) {
        // A serve future that is dropped half way must not go on reading and answering.
        let _closing = Closing(self);
        let mut stop = std::pin::pin!(stop);
        let mut ended = std::pin::pin!(self.ended.notified());
        std::future::poll_fn(|cx| match stop.as_mut().poll(cx) {
            std::task::Poll::Ready(()) => std::task::Poll::Ready(()),
            std::task::Poll::Pending => ended.as_mut().poll(cx),
        })
        .await;
        tracing::debug!("no more is to come: ending");
        let _ = tokio::time::timeout(self.options.grace, self.idle()).await;
    }

    async fn idle(&self) {
        loop {
            let notified = self.idle.notified();
            if self.state().session.running() == 0 {
                return;
            }
            notified.await;
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn this(&self) -> Option<Arc<Self>> {
        self.this.upgrade()
    }

    /// Sends what the session has said.
    pub(crate) fn flush(&self) {
        let mut turn = self.output.turn();
        let bytes = {
            let mut state = self.state();
            if state.out.is_empty() {
                return;
            }
            self.is_full.store(false, Ordering::Relaxed);
            std::mem::replace(&mut state.out, turn.spare())
        };
        if !self.output.send(&mut turn, bytes) {
            self.ended.notify_one();
        }
    }

    /// Tells whoever waits for it when the last call has ended.
    pub(crate) fn note_idle(&self, state: &State) {
        if state.session.running() == 0 {
            self.idle.notify_waiters();
        }
    }

    fn close(&self) {
        let stopped = {
            let mut state = self.state();
            let State { session, out, .. } = &mut *state;
            session.close(out);
            state.closed = true;
            state.waiting_bytes = 0;
            (std::mem::take(&mut state.running), std::mem::take(&mut state.waiting))
        };
        stopped.0.into_values().for_each(Running::stop);
        drop(stopped.1);
        self.fewer_waiting.notify_all();
        self.flush();
        self.output.close(self.options.grace / 2);
        self.sentinel.stop();
    }
}

/// Closes the server however serving ends.
struct Closing<'a>(&'a Server);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Running {
    /// An async tool is dropped, a plain function is told.
    pub(crate) fn stop(self) {
        self.task.iter().for_each(AbortHandle::abort);
        self.timer.iter().for_each(AbortHandle::abort);
        self.cancel.iter().for_each(CancelToken::cancel);
    }
}

impl Link for Server {
    fn notify(&self, call: &CallId, write: &mut dyn FnMut(&mut Vec<u8>)) {
        // A tool is not made to wait for its client. Of what it says before its answer the client
        // misses some instead.
        if self.output.has_over(self.options.max_unsent) {
            return;
        }
        {
            let State { session, out, .. } = &mut *self.state();
            // Once the session is closed no call of it runs.
            session.notify(call, write, out);
        }
        self.flush();
    }

    fn tools_changed(&self) {
        {
            let State { session, out, closed: false, .. } = &mut *self.state() else { return };
            session.tools_changed(out);
        }
        self.flush();
    }
}
