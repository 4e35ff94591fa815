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
    core: &'a Core,
    lines: Lines,
    trace: Trace,
}

impl<'a> Reader<'a> {
    /// Lines of more than `max_line` bytes are dropped.
    pub(crate) fn new(core: &'a Core, max_line: usize, trace: Trace) -> Self {
        Self { core, lines: Lines::new(max_line), trace }
    }

    /// Reads once and appends the bytes; 0 is the end. Nothing is lost if the future is dropped.
    pub(crate) async fn read(&mut self, incoming: &mut dyn Incoming) -> io::Result<usize> {
        incoming.read(self.lines.buffer()).await
    }

    /// Takes all whole lines.
    pub(crate) fn take_lines(&mut self) {
        let (core, trace) = (self.core, &mut self.trace);
        let mut messages = Batch::new(self.lines.waiting());
        let mut is_at_work = core.lifecycle.is_at_work();
        while let Some(line) = self.lines.next() {
            is_at_work = take_line(core, trace, line, is_at_work, &mut messages);
        }
        self.hand_over(messages);
    }

    /// Takes the last line, which has no end, if it is whole all the same.
    pub(crate) fn take_last_line(&mut self) {
        let mut messages = Batch::new(self.lines.waiting());
        match self.lines.finish() {
            Some(Line::Whole(line)) if serde_json::from_slice::<&RawValue>(line).is_err() => {
                tracing::warn!(length = line.len(), "the CLI's last line is torn and was dropped");
            }
            Some(line) => {
                take_line(self.core, &mut self.trace, line, false, &mut messages);
            }
            None => {}
        }
        self.hand_over(messages);
    }

    /// The run has ended.
    pub(crate) fn end(self, error: Option<&RunError>) {
        self.trace.end(error);
    }

    fn hand_over(&self, messages: Batch) {
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

/// Takes a line. True if more work of the main conversation makes no difference after it;
/// `is_at_work` is the same before it.
fn take_line(
    core: &Core,
    trace: &mut Trace,
    line: Line<'_>,
    is_at_work: bool,
    messages: &mut Batch,
) -> bool {
    match line {
        Line::Whole(line) => take_text(core, trace, &text(line), is_at_work, messages),
        Line::TooLong { head, length, .. } => {
            tracing::error!(length, "a line of the CLI's is too long and was dropped");
            let head = String::from_utf8_lossy(head);
            match peek_head(&head) {
                // A turn needs an end.
                Peek::Result { .. } => {
                    take_text(core, trace, &cut_result(&head, length), is_at_work, messages)
                }
                peek => {
                    take_head(core, &peek, &head);
                    core.lifecycle.is_at_work()
                }
            }
        }
    }
}

fn take_text(
    core: &Core,
    trace: &mut Trace,
    text: &str,
    is_at_work: bool,
    messages: &mut Batch,
) -> bool {
    if !text.trim_start().starts_with('{') {
        let line = text.chars().take(200).collect::<String>();
        tracing::debug!(line, "a line of the CLI's is no message");
        return is_at_work;
    }
    if is_at_work && is_part_of_an_answer(text) {
        if trace.is_on() {
            trace.note(&peek(text), text);
        }
        messages.add(text);
        return is_at_work;
    }
    match peek(text) {
        Peek::Control(kind) => core.control(Control::read(kind, text), text.len()),
        Peek::Internal => {}
        Peek::Mirror => core.mirror(text),
        peek => {
            trace.note(&peek, text);
            note(core, &peek);
            if matches!(peek, Peek::Result { .. }) {
                core.flush_mirror();
            }
            if !matches!(peek, Peek::State { for_host_only: true, .. }) {
                messages.add(text);
            }
            return core.lifecycle.is_at_work();
        }
    }
    is_at_work
}

/// Takes the beginning of a line that was too long. It is not delivered, but what it answers or
/// asks must not be left waiting.
fn take_head(core: &Core, peek: &Peek<'_>, head: &str) {
    match peek {
        Peek::Control(kind) => core.control(Control::too_long(kind, head), head.len()),
        Peek::Mirror => core.mirror(head),
        peek => note(core, peek),
    }
}

fn note(core: &Core, peek: &Peek<'_>) {
    if core.lifecycle.note(peek) {
        core.channel.end_input();
    }
}

fn text(line: &[u8]) -> Cow<'_, str> {
    // The check alone is faster than the replacement, which is hardly ever needed.
    std::str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed)
}
