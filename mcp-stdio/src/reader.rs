//! Reading: one thread takes lines off the wire, hands them to the session and polls the calls.
//!
//! Another thread takes over when a tool or a decoder holds the reader up, so the reader keeps its
//! line in memory of its own and gives the input back before it runs code of the user's.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use toolwright::host::{Admission, Received, Runner};
use toolwright::jsonl::{Line, Taken};
use toolwright::mcp::Done;

use crate::input::Input;
use crate::output::Output;
use crate::sentinel::Sentinel;

/// How long to wait before a thread is asked for again that the system did not give.
const RETRY: Duration = Duration::from_millis(50);

/// What the threads share that take turns in reading.
pub(crate) struct Reader {
    runner: Arc<Runner>,
    output: Arc<Output>,
    /// The input, while nobody reads. It is owned, not locked, as a `tracing` layer may run
    /// while a line is read.
    input: Mutex<Option<Box<Input>>>,
    sentinel: Sentinel,
    /// Numbers the polls, so that each is told from the others.
    polls: AtomicU64,
    /// How many readers are held up and were overtaken, and how many may be.
    held_up: AtomicUsize,
    most_held_up: usize,
    is_stopped: AtomicBool,
}

/// What the next line asks for.
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
enum Next<'a> {
    Nothing,
    Call(Admission<'a>),
    Ended,
}

impl Reader {
    /// At most `most_held_up` readers are held up and overtaken at once. What comes then is left to
    /// the runtime; a decoder that holds up one more reader holds up the input.
    pub(crate) fn start(
        runner: Arc<Runner>,
        output: Arc<Output>,
        input: Input,
        most_held_up: usize,
    ) -> io::Result<Arc<Self>> {
        let reader = Arc::new(Self {
            runner,
            output,
            input: Mutex::new(Some(Box::new(input))),
            sentinel: Sentinel::new(),
            polls: AtomicU64::new(0),
            held_up: AtomicUsize::new(0),
            most_held_up,
            is_stopped: AtomicBool::new(false),
        });
        reader.spawn()?;
        Ok(reader)
    }

    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        self.sentinel.stop();
    }

    fn spawn(self: &Arc<Self>) -> io::Result<()> {
        let reader = self.clone();
        thread::Builder::new().name("toolwright".into()).spawn(move || reader.read()).map(drop)
    }

    fn spawn_sentinel(self: &Arc<Self>) {
        let reader = self.clone();
        // The program's log runs on this thread too, so its stack is an ordinary one.
        let thread = thread::Builder::new().name("toolwright-watch".into());
        let may_overtake =
            |reader: &Self| reader.held_up.load(Ordering::Relaxed) < reader.most_held_up;
        let watch = move || reader.sentinel.watch(|| may_overtake(&reader), || reader.overtake());
        if let Err(error) = thread.spawn(watch) {
            tracing::error!(%error, "no thread can watch for tools that hold up the reader");
            self.sentinel.unstarted();
        }
    }

    /// The reader holds up the wire: another one takes over, and the old one ends when it comes
    /// back from its tool.
    fn overtake(self: &Arc<Self>) {
        self.held_up.fetch_add(1, Ordering::Relaxed);
        // The old reader will not read on, so without a new one nobody ever would.
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
        // A call that is done is answered together with the next line.
        let mut done = None;
        // The reader before may not have come to send what its batch had said.
        self.runner.flush();
        while let Some(mut input) = self.take_input() {
            let call = loop {
                match self.take(&mut input, &mut line, &mut done) {
                    Next::Nothing => {}
                    Next::Call(call) => break call,
                    Next::Ended => {
                        self.runner.flush();
                        return self.output.ended.notify_one();
                    }
                }
            };
            *self.input() = Some(input);
            if !self.run(call, &mut done) {
                self.finish(&mut done);
                return self.runner.flush();
            }
        }
    }

    /// Takes the input and gives the lock back at once, which a `while let` would not.
    fn take_input(&self) -> Option<Box<Input>> {
        self.input().take()
    }

    fn input(&self) -> MutexGuard<'_, Option<Box<Input>>> {
        self.input.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a line, after reading if it must. What was said is sent before the reader waits.
    fn take<'a>(
        &self,
        input: &mut Input,
        line: &'a mut Vec<u8>,
        done: &mut Option<Done>,
    ) -> Next<'a> {
        if self.output.is_full() {
            self.finish(done);
            self.runner.flush();
            if !self.has_room() {
                return Next::Ended;
            }
        }
        match input.next(line) {
            Some(Taken::Moved) => {}
            Some(Taken::Line(Line::TooLong { head, tail, length })) => {
                self.finish(done);
                self.runner.receive_too_long(head, tail, length);
                return Next::Nothing;
            }
            Some(_) => return Next::Nothing,
            None => {
                self.finish(done);
                return self.read_more(input);
            }
        }
        match self.runner.finish_and_receive(done.take(), line) {
            Received::Call(call) => {
                // With too many calls that wait no more is read, and this one is not refused.
                if call.will_wait() {
                    self.runner.flush();
                    if !self.has_room() {
                        return Next::Ended;
                    }
                }
                Next::Call(call)
            }
            Received::Closed => Next::Ended,
            _ => Next::Nothing,
        }
    }

    fn read_more(&self, input: &mut Input) -> Next<'static> {
        if input.has_ended() {
            return Next::Ended;
        }
        self.runner.flush();
        if !self.has_room() {
            return Next::Ended;
        }
        if let Err(error) = input.read() {
            tracing::warn!(%error, "standard input cannot be read");
        }
        Next::Nothing
    }

    /// Decodes a call's arguments and polls it. What is done at once is answered without a task, a
    /// channel or a waker. Says whether this thread is still the reader.
    fn run(self: &Arc<Self>, call: Admission<'_>, done: &mut Option<Done>) -> bool {
        // One thread reads at a time, so that this needs no atomic addition.
        let poll = self.polls.load(Ordering::Relaxed) + 1;
        self.polls.store(poll, Ordering::Relaxed);
        self.sentinel.enter(poll, || self.spawn_sentinel());
        if let Some(mut run) = self.runner.begin(call) {
            // Each tool that holds up a reader costs a thread. With so many at once the rest is
            // left to the runtime.
            if self.held_up.load(Ordering::Relaxed) >= self.most_held_up {
                self.runner.spawn(run);
            } else {
                let mut context = Context::from_waker(Waker::noop());
                match Pin::new(&mut run).poll(&mut context) {
                    Poll::Ready(result) => *done = Some(result),
                    Poll::Pending => self.runner.spawn(run),
                }
            }
        }
        let is_reader = self.sentinel.leave(poll);
        if !is_reader {
            self.held_up.fetch_sub(1, Ordering::Relaxed);
        }
        is_reader
    }

    fn finish(&self, done: &mut Option<Done>) {
        if let Some(done) = done.take() {
            self.runner.finish(done);
        }
    }

    /// Waits while there is too much that the client does not take, or that waits to be run.
    fn has_room(&self) -> bool {
        self.runner.wait_for_room() && self.output.wait_for_room()
    }
}

/// Ends the server if the reader panics, which a layer of `tracing` may cause: nobody reads on.
struct EndsServer<'a>(&'a Output);

impl Drop for EndsServer<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.ended.notify_one();
        }
    }
}
