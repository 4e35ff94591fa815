//! The one event loop of a run: takes what the CLI writes, and sees the run to its end. It waits
//! for nobody who reads messages, for no callback, and not for the CLI to read.

use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use serde_json::value::RawValue;

use super::control::Control;
use super::core::{Core, State, Stop};
use super::error::{ProcessExit, RunError};
use super::inbox::Batch;
use super::message::{Peek, is_part_of_an_answer, peek, peek_head};
use super::run_end::{RunEnd, Verdict};
use super::transport::{Connection, Incoming, Outgoing, Peer};
use crate::jsonl::{Line, Lines};

/// How long output may still come once the process has ended: a child of its own may hold the pipe
/// open for ever.
const LAST_OUTPUT: Duration = Duration::from_millis(200);

enum Event {
    /// So many bytes came; none is the end.
    Read(std::io::Result<usize>),
    Exited(ProcessExit),
    Stopped,
}

/// Runs until the CLI has ended, one way or another, and leaves nothing of it behind.
pub(crate) async fn drive(core: Arc<Core>, connection: Connection, max_line: usize) {
    let Connection { mut incoming, outgoing, mut peer } = connection;
    let writer = tokio::spawn(write(core.clone(), outgoing));
    let over = Over(&core);
    let mut lines = Lines::new(max_line);
    let mut failure = None;
    let mut exit = None;
    loop {
        match next(&core, &mut *incoming, &mut *peer, &mut lines).await {
            Event::Read(Ok(0)) => break,
            Event::Read(Ok(_)) => core.take_lines(&mut lines),
            Event::Read(Err(error)) => {
                failure = Some(RunError::Transport(error));
                break;
            }
            Event::Exited(ended) => {
                read_the_rest(&core, &mut *incoming, &mut lines).await;
                exit = Some(ended);
                break;
            }
            Event::Stopped => break,
        }
    }
    core.end_input();
    let exit = match exit {
        Some(exit) => exit,
        None => close(&core, &mut *incoming, &mut *peer, &mut lines).await,
    };
    core.take_last_line(&mut lines);
    writer.abort();
    drop(incoming);
    let stop = core.state().stop.take();
    let error = match stop {
        Some(Stop::Closed) => None,
        Some(Stop::Failed(error)) => Some(error),
        None => failure.or_else(|| core.failure(&exit)),
    };
    over.tell(exit, error);
}

/// Tells everybody that the run is over, at the latest when it is dropped: the runtime may be shut
/// down in the midst of a run.
struct Over<'a>(&'a Core);

impl Over<'_> {
    fn tell(&self, exit: ProcessExit, error: Option<RunError>) {
        self.0.fail_all(&exit);
        self.0.exit.send_replace(Some(exit));
        self.0.inbox.end(error);
    }
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        if self.0.exit.borrow().is_none() {
            self.tell(
                ProcessExit::default(),
                Some(RunError::Transport(std::io::Error::other("the runtime was shut down"))),
            );
        }
    }
}

/// Whatever comes first.
async fn next(
    core: &Core,
    incoming: &mut dyn Incoming,
    peer: &mut dyn Peer,
    lines: &mut Lines,
) -> Event {
    let mut read = incoming.read(lines.buffer());
    let mut wait = peer.wait(false);
    let mut stopped = pin!(core.stopped.notified());
    poll_fn(|cx| {
        if stopped.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Event::Stopped);
        }
        if let Poll::Ready(read) = read.as_mut().poll(cx) {
            return Poll::Ready(Event::Read(read));
        }
        wait.as_mut().poll(cx).map(Event::Exited)
    })
    .await
}

/// Waits for the end of a CLI whose input is closed. What it still writes is read, as it could not
/// end otherwise.
async fn close(
    core: &Core,
    incoming: &mut dyn Incoming,
    peer: &mut dyn Peer,
    lines: &mut Lines,
) -> ProcessExit {
    let mut wait = peer.wait(true);
    let mut has_ended = false;
    loop {
        let event = {
            let mut read = incoming.read(lines.buffer());
            poll_fn(|cx| match has_ended {
                false => match read.as_mut().poll(cx) {
                    Poll::Ready(read) => Poll::Ready(Event::Read(read)),
                    Poll::Pending => wait.as_mut().poll(cx).map(Event::Exited),
                },
                true => wait.as_mut().poll(cx).map(Event::Exited),
            })
            .await
        };
        match event {
            Event::Read(Ok(1..)) => core.take_lines(lines),
            Event::Exited(exit) => return exit,
            _ => has_ended = true,
        }
    }
}

/// What the process wrote before it ended.
async fn read_the_rest(core: &Core, incoming: &mut dyn Incoming, lines: &mut Lines) {
    while let Ok(Ok(1..)) = tokio::time::timeout(LAST_OUTPUT, incoming.read(lines.buffer())).await {
        core.take_lines(lines);
    }
}

/// Writes what there is to write, until the input may end. A CLI that does not read holds up only
/// this.
async fn write(core: Arc<Core>, mut outgoing: Box<dyn Outgoing>) {
    let mut bytes = Vec::new();
    loop {
        let is_last = {
            let state = &mut *core.state();
            std::mem::swap(&mut bytes, &mut state.out);
            state.end_input
        };
        let result = match (bytes.is_empty(), is_last) {
            (false, _) => outgoing.write(&bytes).await,
            (true, true) => {
                if let Err(error) = outgoing.end().await {
                    tracing::debug!(%error, "the CLI's input could not be closed in order");
                }
                return;
            }
            (true, false) => {
                core.to_write.notified().await;
                Ok(())
            }
        };
        if let Err(error) = result {
            // The end of the CLI's output tells the run; what it is not told any more is lost with
            // it.
            return tracing::debug!(%error, "the CLI takes no more input");
        }
        core.written.notify_one();
        bytes.clear();
        bytes.shrink_to(1024 * 1024);
    }
}

impl Core {
    /// Takes all whole lines.
    fn take_lines(&self, lines: &mut Lines) {
        let mut messages = Batch::new(lines.waiting());
        let mut is_at_work = self.is_at_work();
        while let Some(line) = lines.next() {
            is_at_work = self.take_line(line, is_at_work, &mut messages);
        }
        self.hand_over(messages);
    }

    /// Whether more work of the main conversation is no news: then its messages, which are the most
    /// by far, need not be looked into.
    fn is_at_work(&self) -> bool {
        let state = self.state();
        !state.has_error_result
            && state.linger.is_none()
            && state.run_end.as_ref().is_none_or(RunEnd::is_at_work)
    }

    /// Takes a line that the end of the output has left without its end, if it is whole all the
    /// same.
    fn take_last_line(&self, lines: &mut Lines) {
        let mut messages = Batch::new(lines.waiting());
        match lines.finish() {
            Some(Line::Whole(line)) if serde_json::from_slice::<&RawValue>(line).is_err() => {
                tracing::warn!(length = line.len(), "the CLI's last line is torn and was dropped");
            }
            Some(line) => drop(self.take_line(line, false, &mut messages)),
            None => {}
        }
        self.hand_over(messages);
    }

    fn hand_over(&self, messages: Batch) {
        let (has_output, is_stopped) = {
            let state = self.state();
            (!state.out.is_empty() || state.end_input, state.stop.is_some())
        };
        if has_output {
            self.to_write.notify_one();
        }
        // Whoever stopped the run reads no further, and what came before is enough for who is told
        // that it was too much.
        if is_stopped || messages.is_empty() {
            return;
        }
        if let Err(error) = self.inbox.push(messages) {
            self.stop(Stop::Failed(error));
        }
    }

    /// Takes a line; says whether more work is no news after it, which `is_at_work` says of the
    /// time before.
    fn take_line(&self, line: Line<'_>, is_at_work: bool, messages: &mut Batch) -> bool {
        let line = match line {
            Line::Whole(line) => line,
            Line::TooLong { head, length, .. } => {
                self.take_head(&String::from_utf8_lossy(head), length);
                return self.is_at_work();
            }
        };
        let text = match std::str::from_utf8(line) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(line),
        };
        if !text.trim_start().starts_with('{') {
            tracing::debug!(line = %text.chars().take(200).collect::<String>(), "a line of the CLI's is no message");
            return is_at_work;
        }
        if is_at_work && is_part_of_an_answer(&text) {
            messages.add(text);
            return is_at_work;
        }
        match peek(&text) {
            Peek::Control(kind) => self.control(Control::read(kind, &text)),
            Peek::Internal => {}
            peek => {
                self.note(&peek);
                if !matches!(peek, Peek::State { for_host_only: true, .. }) {
                    messages.add(text);
                }
                return self.is_at_work();
            }
        }
        is_at_work
    }

    /// Takes the beginning of a line that was too long: nobody gets it, but whoever waits for an
    /// answer is not left waiting.
    fn take_head(&self, head: &str, length: usize) {
        tracing::error!(length, "a line of the CLI's is too long and was dropped");
        match peek_head(head) {
            Peek::Control(kind) => self.control(Control::too_long(kind, head)),
            peek => self.note(&peek),
        }
    }

    /// Takes note of what a message says about the run.
    fn note(&self, peek: &Peek<'_>) {
        match peek {
            Peek::State { state, .. } => self.follow(|run| run.state(state)),
            Peek::Result { is_error } => {
                self.state().has_error_result = *is_error;
                self.follow(RunEnd::result);
            }
            Peek::Work => {
                self.state().has_error_result = false;
                self.follow(RunEnd::work);
            }
            Peek::TaskStarted { id, kind } => self.follow(|run| run.task_started(id, kind)),
            Peek::TaskEnded { id } => self.follow(|run| run.task_ended(id)),
            Peek::Control(_) | Peek::Internal | Peek::Other => {}
        }
    }

    /// Lets the run's end know of something and does what follows from it.
    pub(super) fn follow(&self, event: impl FnOnce(&mut RunEnd)) {
        let mut state = self.state();
        let State { run_end: Some(run), linger, end_input, .. } = &mut *state else { return };
        event(run);
        let verdict = run.verdict();
        match verdict {
            Verdict::Lingering if linger.is_some() => return,
            _ => linger.take().iter().for_each(tokio::task::AbortHandle::abort),
        }
        match verdict {
            Verdict::Open => {}
            Verdict::Close => {
                *end_input = true;
                self.to_write.notify_one();
            }
            Verdict::Lingering => {
                let Some(ceiling) = self.ceiling else { return };
                let core = self.this();
                let timer = self.runtime.spawn(async move {
                    tokio::time::sleep(ceiling).await;
                    core.iter().for_each(|core| core.end_input());
                });
                *linger = Some(timer.abort_handle());
            }
        }
    }

    /// Why a run that nobody stopped is a failure, if it is: a status that no error result has
    /// explained.
    fn failure(&self, exit: &ProcessExit) -> Option<RunError> {
        let failed = exit.status.is_some_and(|status| !status.success());
        (failed && !self.state().has_error_result).then(|| RunError::Process(exit.clone()))
    }
}
