//! Reading: one thread reads lines, passes them to the session and polls the calls.
//!
//! Another thread takes over when a tool or a decoder blocks the reader. So the reader keeps its
//! line in memory of its own, and does not lock the input while it runs user code.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use toolwright::host::{Admission, Received, Runner};
use toolwright::mcp::{Done, Run};
use toolwright_console::Thread;

use crate::input::{Input, Next};
use crate::output::{Output, PATIENCE};
use crate::sentinel::Sentinel;

/// How often a reader that waits for the client to read looks whether the client has ended.
const LOOK: Duration = Duration::from_millis(50);
/// How long to wait before another attempt to start a thread.
const RETRY: Duration = Duration::from_millis(50);

/// The state that the threads share which take turns in reading.
pub(crate) struct Reader {
    runner: Arc<Runner>,
    output: Arc<Output>,
    /// Locked by the reader while it reads bytes or takes a line.
    source: Mutex<Source>,
    sentinel: Sentinel,
    /// The number of the newest poll; each poll has its own.
    polls: AtomicU64,
    /// How many readers are blocked and were overtaken, and how many may be.
    held_up: AtomicUsize,
    most_held_up: usize,
    is_stopped: AtomicBool,
}

/// What a reader that takes over goes on with.
struct Source {
    /// Calls of a batch that were begun. If one of them blocks, the next reader polls the others.
    begun: VecDeque<Run>,
    input: Input,
}

/// What to do next.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
enum Todo<'a> {
    Nothing,
    Call(Admission<'a>),
    Batch(Vec<Admission<'a>>),
    Run(Run),
    Ended,
}

impl Source {
    /// The next call that was begun. There are such only after a batch.
    #[inline]
    fn next_begun(&mut self) -> Option<Run> {
        let run = self.begun.pop_front()?;
        if self.begun.is_empty() {
            // After a large batch the memory is released.
            self.begun = VecDeque::new();
        }
        Some(run)
    }
}

impl Reader {
    /// At most `most_held_up` readers are blocked and overtaken at once. At the bound the runtime
    /// runs all further calls, and a decoder that blocks one more reader blocks the input.
    pub(crate) fn start(
        runner: Arc<Runner>,
        output: Arc<Output>,
        input: Input,
        most_held_up: usize,
    ) -> io::Result<Arc<Self>> {
        let reader = Arc::new(Self {
            runner,
            output,
            source: Mutex::new(Source { begun: VecDeque::new(), input }),
            sentinel: Sentinel::default(),
            polls: AtomicU64::new(0),
            held_up: AtomicUsize::new(0),
            most_held_up,
            is_stopped: AtomicBool::new(false),
        });
        reader.greet();
        reader.spawn()?;
        Ok(reader)
    }

    /// Answers a client that has sent its first request already. To start the thread that reads
    /// would take longer than that.
    fn greet(&self) {
        let _context = self.runner.runtime().enter();
        if !self.source().input.is_ready() {
            return;
        }
        self.read_more();
        if !self.source().input.begins_session() {
            return;
        }
        let mut line = Vec::new();
        match self.take(&mut line, &mut None) {
            // The text has misled: it is in the arguments of a call.
            Todo::Call(call) => self.runner.run(call),
            Todo::Batch(calls) => calls.into_iter().for_each(|call| self.runner.run(call)),
            _ => {}
        }
        self.runner.flush();
    }

    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        self.sentinel.stop();
    }

    fn spawn(self: &Arc<Self>) -> io::Result<()> {
        let reader = self.clone();
        let thread = Builder::new().name("toolwright".into());
        Thread::spawn(thread, Box::new(move || reader.read())).map(drop)
    }

    fn spawn_sentinel(self: &Arc<Self>) {
        let reader = self.clone();
        // `tracing` layers run on this thread too, so its stack has the usual size.
        let thread = Builder::new().name("toolwright-watch".into());
        let may_overtake =
            |reader: &Self| reader.held_up.load(Ordering::Relaxed) < reader.most_held_up;
        let watch = move || reader.sentinel.watch(|| may_overtake(&reader), || reader.overtake());
        if let Err(error) = Thread::spawn(thread, Box::new(watch)) {
            tracing::error!(%error, "no thread can watch for tools that hold up the reader");
            self.sentinel.unstarted();
        }
    }

    /// The reader is blocked: another one takes over, and the old one ends when its tool returns.
    fn overtake(self: &Arc<Self>) {
        self.held_up.fetch_add(1, Ordering::Relaxed);
        // The old reader will not read again, so without a new one reading would stop.
        while let Err(error) = self.spawn() {
            tracing::error!(%error, "no other thread can read on yet");
            thread::sleep(RETRY);
            if self.is_stopped.load(Ordering::SeqCst) {
                return;
            }
        }
        tracing::debug!("a tool holds up the reader: another thread reads on");
    }

    fn read(self: Arc<Self>) {
        let _guard = EndsServer(&self.output);
        let _context = self.runner.runtime().enter();
        let mut line = Vec::new();
        // A finished call is answered together with the next line.
        let mut done = None;
        // The previous reader may have left its batch unsent.
        self.runner.flush();
        loop {
            let is_reader = match self.take(&mut line, &mut done) {
                Todo::Nothing => true,
                Todo::Call(call) => self.watched(|| {
                    if let Some(run) = self.runner.begin(call) {
                        self.poll(run, &mut done);
                    }
                }),
                Todo::Batch(calls) => self.begin(calls),
                Todo::Run(run) => self.watched(|| self.poll(run, &mut done)),
                Todo::Ended => {
                    self.runner.flush();
                    return self.output.ended.notify_one();
                }
            };
            if !is_reader {
                self.finish(&mut done);
                return self.runner.flush();
            }
        }
    }

    fn source(&self) -> MutexGuard<'_, Source> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a line, and reads if there is none. The batch is sent before the reader waits.
    fn take<'a>(&self, line: &'a mut Vec<u8>, done: &mut Option<Done>) -> Todo<'a> {
        if self.output.is_full() {
            self.finish(done);
            self.runner.flush();
            if !self.has_room() {
                return Todo::Ended;
            }
        }
        let next = {
            let mut source = self.source();
            if let Some(run) = source.next_begun() {
                drop(source);
                self.finish(done);
                return Todo::Run(run);
            }
            source.input.next(line)
        };
        match next {
            Some(Next::Line) => {}
            Some(Next::TooLong { head, tail, length }) => {
                self.finish(done);
                self.runner.receive_too_long(&head, &tail, length);
                return Todo::Nothing;
            }
            None => {
                self.finish(done);
                return self.read_more();
            }
        }
        match self.runner.finish_and_receive(done.take(), line) {
            Received::Call(call) => Todo::Call(call),
            Received::Batch(batch) => Todo::Batch(batch.calls),
            Received::Closed => Todo::Ended,
            _ => Todo::Nothing,
        }
    }

    fn read_more(&self) -> Todo<'static> {
        self.runner.flush();
        if !self.has_room() {
            return Todo::Ended;
        }
        match self.sentinel.rest(|| self.source().input.read()) {
            Ok(false) => return Todo::Ended,
            Ok(true) => {}
            Err(error) => tracing::warn!(%error, "standard input cannot be read"),
        }
        Todo::Nothing
    }

    /// Runs user code under the eyes of the sentinel. Returns whether this thread is still the
    /// reader.
    #[inline]
    fn watched(self: &Arc<Self>, f: impl FnOnce()) -> bool {
        // Only one thread reads at a time, so this needs no atomic addition.
        let poll = self.polls.load(Ordering::Relaxed) + 1;
        self.polls.store(poll, Ordering::Relaxed);
        self.sentinel.enter(poll, || self.spawn_sentinel());
        f();
        let is_reader = self.sentinel.leave(poll);
        if !is_reader {
            self.held_up.fetch_sub(1, Ordering::Relaxed);
        }
        is_reader
    }

    /// Polls a call. One that is done at once needs no task, no channel and no waker.
    #[inline]
    fn poll(&self, mut run: Run, done: &mut Option<Done>) {
        // Each tool that blocks a reader costs a thread. At the bound the runtime runs the call
        // instead.
        if self.held_up.load(Ordering::Relaxed) < self.most_held_up {
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(result) = Pin::new(&mut run).poll(&mut context) {
                *done = Some(result);
                return;
            }
        }
        self.runner.spawn(run);
    }

    /// Decodes the arguments of all calls of a batch before it polls one of them: that may block.
    #[inline(never)]
    fn begin(self: &Arc<Self>, calls: Vec<Admission<'_>>) -> bool {
        let mut is_reader = true;
        for call in calls {
            // Once a decoder has blocked, another thread reads, and may wait for bytes.
            if !is_reader {
                self.runner.run(call);
                continue;
            }
            let mut begun = None;
            is_reader = self.watched(|| begun = self.runner.begin(call));
            match begun {
                Some(run) if is_reader => self.source().begun.push_back(run),
                Some(run) => self.runner.spawn(run),
                None => {}
            }
        }
        is_reader
    }

    fn finish(&self, done: &mut Option<Done>) {
        if let Some(done) = done.take() {
            self.runner.finish(done);
        }
    }

    /// Waits while the client has too much to read; false once it has ended and reads no more.
    fn has_room(&self) -> bool {
        // The writes at the last look, and since when a client that has ended reads nothing.
        let mut quiet: Option<(usize, Instant)> = None;
        while self.output.is_stuffed() {
            if self.is_stopped.load(Ordering::SeqCst) {
                return false;
            }
            let writes = self.output.writes();
            quiet = match self.source().input.has_hung_up() {
                true => quiet.filter(|(before, _)| *before == writes),
                false => None,
            };
            let (_, since) = quiet.get_or_insert_with(|| (writes, Instant::now()));
            if since.elapsed() > PATIENCE {
                return false;
            }
            self.output.wait_for_room(LOOK);
        }
        true
    }
}

/// Ends the server if the reader panics, as a `tracing` layer may: no other thread would read.
struct EndsServer<'a>(&'a Output);

impl Drop for EndsServer<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.ended.notify_one();
        }
    }
}
