//! Reads what the CLI writes: control messages are handled at once, messages go to the inbox.

use std::borrow::Cow;
use std::io;

use serde_json::value::RawValue;

use super::control::Control;
use super::core::Core;
use super::error::RunError;
use super::inbox::Batch;
use super::lifecycle::Stop;
use super::message::{Peek, cut_result, is_part_of_an_answer, peek, peek_head};
use super::trace::Trace;
use super::transport::Incoming;
use crate::jsonl::{Line, Lines};

/// Cuts the CLI's output into lines.
pub(crate) struct Reader<'a> {
    lines: Lines,
    sorter: Sorter<'a>,
}

/// Passes each line on to where it belongs.
struct Sorter<'a> {
    core: &'a Core,
    trace: Trace,
    /// For the inbox.
    messages: Batch,
    /// What the lifecycle says. It changes with few lines, so that the others take no lock.
    is_at_work: bool,
}

impl<'a> Reader<'a> {
    /// Lines of more than `max_line` bytes are dropped.
    pub(crate) fn new(core: &'a Core, max_line: usize, trace: Trace) -> Self {
        let sorter = Sorter { core, trace, messages: Batch::default(), is_at_work: false };
        Self { lines: Lines::new(max_line), sorter }
    }

    /// Reads once and appends the bytes; 0 is the end. Nothing is lost if the future is dropped.
    pub(crate) async fn read(&mut self, incoming: &mut dyn Incoming) -> io::Result<usize> {
        incoming.read(self.lines.buffer()).await
    }

    /// Takes all whole lines.
    pub(crate) fn take_lines(&mut self) {
        self.sorter.begin(self.lines.waiting());
        while let Some(line) = self.lines.next() {
            self.sorter.take(line);
        }
        self.sorter.hand_over();
    }

    /// Takes the last line, which has no end, if it is whole all the same.
    pub(crate) fn take_last_line(&mut self) {
        self.sorter.begin(self.lines.waiting());
        match self.lines.finish() {
            Some(Line::Whole(line)) if serde_json::from_slice::<&RawValue>(line).is_err() => {
                tracing::warn!(length = line.len(), "the CLI's last line is torn and was dropped");
            }
            Some(line) => self.sorter.take(line),
            None => {}
        }
        self.sorter.hand_over();
    }

    /// The run has ended.
    pub(crate) fn end(self, error: Option<&RunError>) {
        self.sorter.trace.end(error);
    }
}

impl Sorter<'_> {
    /// So many bytes of lines are to be taken.
    fn begin(&mut self, bytes: usize) {
        self.messages = Batch::new(bytes);
        self.is_at_work = self.core.lifecycle.is_at_work();
    }

    fn take(&mut self, line: Line<'_>) {
        match line {
            Line::Whole(line) => self.take_text(&text(line)),
            Line::TooLong { head, length, .. } => {
                tracing::error!(length, "a line of the CLI's is too long and was dropped");
                self.take_head(&String::from_utf8_lossy(head), length);
            }
        }
    }

    fn take_text(&mut self, text: &str) {
        if !text.trim_start().starts_with('{') {
            let line = text.chars().take(200).collect::<String>();
            return tracing::debug!(line, "a line of the CLI's is no message");
        }
        if self.is_at_work && is_part_of_an_answer(text) {
            if self.trace.is_on() {
                self.trace.note(&peek(text), text);
            }
            return self.messages.add(text);
        }
        match peek(text) {
            Peek::Control(kind) => self.core.control(Control::read(kind, text), text.len()),
            Peek::Internal => {}
            Peek::Mirror => self.core.mirror(text),
            peek => {
                self.trace.note(&peek, text);
                self.note(&peek);
                if matches!(peek, Peek::Result { .. }) {
                    self.core.flush_mirror();
                }
                if !matches!(peek, Peek::State { for_host_only: true, .. }) {
                    self.messages.add(text);
                }
            }
        }
    }

    /// Takes the beginning of a line that was too long. It is not delivered, but what it answers or
    /// asks must not be left waiting, and a turn needs an end.
    fn take_head(&mut self, head: &str, length: usize) {
        match peek_head(head) {
            Peek::Result { .. } => self.take_text(&cut_result(head, length)),
            Peek::Control(kind) => self.core.control(Control::too_long(kind, head), head.len()),
            Peek::Mirror => self.core.mirror(head),
            peek => self.note(&peek),
        }
    }

    fn note(&mut self, peek: &Peek<'_>) {
        if self.core.lifecycle.note(peek) {
            self.core.channel.writer.end();
        }
        self.is_at_work = self.core.lifecycle.is_at_work();
    }

    /// Gives the inbox what was taken.
    fn hand_over(&mut self) {
        let messages = std::mem::take(&mut self.messages);
        let written = self.core.flush();
        self.core.jobs.begin();
        // A run that was stopped delivers what came before, and no more.
        if written.is_err() || messages.is_empty() || self.core.lifecycle.is_stopped() {
            return;
        }
        if let Err(error) = self.core.inbox.push(messages) {
            self.core.lifecycle.stop(Stop::Failed(error));
        }
    }
}

fn text(line: &[u8]) -> Cow<'_, str> {
    // The check alone is faster than the replacement, which is hardly ever needed.
    std::str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed)
}
