//! Running calls: where each kind runs, how long, and how it stops.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::task::AbortHandle;
use toolwright::mcp::{CallId, Done, Kind, Run};

use crate::server::{Running, Server, State};

/// The reader's batch is sent when it has grown to so many bytes.
const BATCH: usize = 1024 * 1024;

impl Server {
    /// Runs a call whose line had `length` bytes. What is done at once is answered without a task,
    /// a channel or a waker. Returns whether the caller is still the reader.
    pub(crate) fn begin(self: &Arc<Self>, mut run: Run, length: usize, poll: u64) -> bool {
        {
            let mut state = self.state();
            if state.closed {
                // It is answered. What is dropped may run code of the tool's, so not under the
                // lock.
                drop(state);
                drop(run);
                return false;
            }
            if state.running.len() >= self.options.max_running {
                state.waiting_bytes += length;
                state.waiting.push_back((run, length));
                return true;
            }
            self.register(&mut state, &run);
            if run.kind() == Kind::Sync {
                self.on_thread(&mut state, run);
                return true;
            }
            // Each tool that holds up a reader costs a thread. With so many at once the rest is
            // left to the runtime.
            if self.held_up.load(Ordering::Relaxed) >= self.options.sync_threads {
                self.on_runtime(&mut state, run);
                return true;
            }
        }
        self.sentinel.enter(poll, || self.spawn_sentinel());
        let polled = Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop()));
        let still_reader = self.sentinel.leave(poll);
        if !still_reader {
            self.held_up.fetch_sub(1, Ordering::Relaxed);
        }
        match polled {
            Poll::Ready(done) => self.finish(done),
            Poll::Pending => self.on_runtime(&mut self.state(), run),
        }
        still_reader
    }

    /// Notes how a call is stopped, where there is a way while it is polled: its token, its timer.
    /// Most calls have neither and cost nothing here.
    fn register(&self, state: &mut State, run: &Run) {
        let timer = run.timeout().map(|limit| self.arm(run.id().clone(), limit));
        let cancel = run.cancel_token().cloned();
        if timer.is_some() || cancel.is_some() {
            state.running.insert(run.id().number(), Running { task: None, timer, cancel });
        }
    }

    /// Takes what a call came to. The answer is sent with the reader's batch.
    pub(crate) fn finish(&self, done: Done) {
        let mut state = self.state();
        let State { session, out, running, .. } = &mut *state;
        let ended = match running.is_empty() {
            true => None,
            false => running.remove(&done.id().number()),
        };
        session.finish(done, out);
        self.note_full(out);
        self.note_idle(&state);
        if let Some(ended) = ended {
            ended.timer.iter().for_each(AbortHandle::abort);
            self.begin_waiting(&mut state);
        }
    }

    /// Has the reader send its batch, if that has grown enough.
    pub(crate) fn note_full(&self, out: &[u8]) {
        if out.len() > BATCH {
            self.is_full.store(true, Ordering::Relaxed);
        }
    }

    /// The client has cancelled: the tool stops, and nothing is said.
    pub(crate) fn cancel(&self, mut state: MutexGuard<'_, State>, call: &CallId) {
        let running = state.running.remove(&call.number());
        let position = state.waiting.iter().position(|(run, _)| run.id() == call);
        let waiting = position.and_then(|position| state.waiting.remove(position));
        if let Some((_, length)) = &waiting {
            state.waiting_bytes -= length;
        }
        self.begin_waiting(&mut state);
        self.note_idle(&state);
        drop(state);
        running.into_iter().for_each(Running::stop);
        // What the tool drops runs its own code, so not under the lock.
        drop(waiting);
    }

    fn time_out(&self, call: &CallId) {
        let mut state = self.state();
        let State { session, out, running, .. } = &mut *state;
        session.time_out(call, out);
        let running = running.remove(&call.number());
        self.begin_waiting(&mut state);
        self.note_idle(&state);
        drop(state);
        if let Some(mut running) = running {
            // The timer is the task that is running this.
            running.timer = None;
            running.stop();
        }
        self.flush();
    }

    /// Starts the calls that waited for others to end.
    fn begin_waiting(&self, state: &mut MutexGuard<'_, State>) {
        while state.running.len() < self.options.max_running && !state.closed {
            let Some((run, length)) = state.waiting.pop_front() else { return };
            state.waiting_bytes -= length;
            self.register(state, &run);
            match run.kind() {
                Kind::Sync => self.on_thread(state, run),
                _ => self.on_runtime(state, run),
            }
            self.fewer_waiting.notify_all();
        }
    }

    /// Leaves a call that has to wait for something to the runtime, unless it was cancelled while
    /// it was polled.
    fn on_runtime(&self, state: &mut MutexGuard<'_, State>, run: Run) {
        let Some(server) = self.this().filter(|_| state.session.is_running(run.id())) else {
            // The tool's own code runs when it is dropped, so not here, under the lock.
            return drop(self.runtime.spawn(async move { drop(run) }));
        };
        let number = run.id().number();
        let task = self.runtime.spawn(async move {
            let done = run.await;
            server.finish(done);
            server.flush();
        });
        state.running.entry(number).or_default().task = Some(task.abort_handle());
    }

    fn on_thread(&self, state: &mut MutexGuard<'_, State>, mut run: Run) {
        let Some(server) = self.this() else { return };
        state.running.entry(run.id().number()).or_default();
        let refused = self.threads.execute(Box::new(move || {
            let _context = server.runtime.enter();
            // It may have been cancelled, or have run out of time, while it waited for a thread.
            if !server.state().session.is_running(run.id()) {
                return;
            }
            // A plain function has no point at which it could wait: one poll is all of it.
            if let Poll::Ready(done) =
                Pin::new(&mut run).poll(&mut Context::from_waker(Waker::noop()))
            {
                server.finish(done);
                server.flush();
            }
        }));
        if let Some(job) = refused {
            self.runtime.spawn(async move { job() });
        }
    }

    fn arm(&self, call: CallId, limit: Duration) -> AbortHandle {
        let server = self.this();
        let timer = self.clock.spawn(async move {
            tokio::time::sleep(limit).await;
            if let Some(server) = server {
                server.time_out(&call);
            }
        });
        timer.abort_handle()
    }
}
