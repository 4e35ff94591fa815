//! How far a recording is played.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::{Notify, watch};

use super::comparison::{difference, excerpt};
use super::file::Replay;
use super::ids::Ids;
use super::tool_uses::ToolUses;
use crate::agent::{ProcessExit, decode_line};
use crate::testing::recording::{Entry, REDACTED};
use crate::testing::scripted_cli::exit;
use crate::testing::scripted_cli::json::text;
use crate::testing::scripted_cli::recorder::Recorder;

/// A CLI that plays a recording.
pub(super) struct Player {
    replay: Replay,
    recorder: Recorder,
    /// Notified when the SDK has sent something.
    pub(super) changed: Notify,
    pub(super) exit: watch::Sender<Option<ProcessExit>>,
    state: Mutex<State>,
}

/// What the recording comes to.
pub(super) enum Progress {
    /// So many bytes.
    Said(usize),
    Waits,
    /// It waits for this entry, which later messages of the SDK have overtaken.
    Misses(usize),
    Over,
}

struct State {
    /// The next entry to play.
    at: usize,
    /// The entries of the SDK that it has sent in this run.
    sent: Vec<bool>,
    ids: Ids,
    tool_uses: ToolUses,
    input_ended: bool,
    /// How the CLI exits once it has said the rest, which may be recorded behind its exit.
    exit: Option<ProcessExit>,
}

impl Player {
    pub(super) fn new(replay: Replay, recorder: Recorder) -> Self {
        let sent = vec![false; replay.entries.len()];
        let (ids, tool_uses, exit) = Default::default();
        Self {
            state: Mutex::new(State { at: 0, sent, ids, tool_uses, input_ended: false, exit }),
            replay,
            recorder,
            changed: Notify::new(),
            exit: watch::Sender::new(None),
        }
    }

    /// Takes a line of the SDK.
    pub(super) fn receive(&self, line: &[u8]) {
        let found = match decode_line(line) {
            Ok(message) => self.take(&message),
            Err(error) => {
                Err((self.state().at, format!("the SDK sends what cannot be read: {error}")))
            }
        };
        if let Err((at, what)) = found {
            self.differ(at, &what);
        }
        self.changed.notify_one();
    }

    /// # Errors
    ///
    /// Those of [`find`](Self::find).
    fn take(&self, message: &Value) -> Result<(), (usize, String)> {
        self.recorder.received(message);
        if message["type"] == "user" {
            self.recorder.prompt(&text(&message["message"]["content"]));
        }
        self.find(message)
    }

    /// Finds the message in the recording.
    ///
    /// # Errors
    ///
    /// The entry from which it differs, or which is played next, and how it differs.
    fn find(&self, message: &Value) -> Result<(), (usize, String)> {
        let state = &mut *self.state();
        let mut first = None;
        for (at, entry) in self.replay.entries.iter().enumerate() {
            let Entry::Sdk(recorded) = entry else { continue };
            if state.sent[at] || !state.ids.fit(recorded, message) {
                continue;
            }
            match difference(recorded, message) {
                None => {
                    state.sent[at] = true;
                    state.ids.learn(recorded, message);
                    return Ok(());
                }
                Some(difference) => {
                    let why = self.reason_to_differ(recorded);
                    first = first.or_else(|| Some((at, difference + why)));
                }
            }
        }
        Err(first.unwrap_or_else(|| {
            (state.at, format!("the SDK sends what was not recorded: {}", excerpt(message)))
        }))
    }

    /// What is said behind a difference in the answer to a request that is not played as it came.
    fn reason_to_differ(&self, recorded: &Value) -> &'static str {
        let asked = recorded.pointer("/response/request_id");
        let is_redacted = |entry: &Entry| match entry {
            Entry::Cli(message) => {
                message["type"] == "control_request"
                    && message.get("request_id") == asked
                    && message.to_string().contains(REDACTED)
            }
            _ => false,
        };
        match asked.is_some() && self.replay.entries.iter().any(is_redacted) {
            true => "; what it was asked was redacted",
            false => "",
        }
    }

    /// The SDK has closed the input.
    pub(super) fn end_input(&self) {
        self.state().input_ended = true;
        self.changed.notify_one();
    }

    /// Plays what can be played, into `buffer`.
    pub(super) fn advance(&self, buffer: &mut Vec<u8>) -> Progress {
        let from = buffer.len();
        let progress = self.play(&mut self.state(), buffer);
        match (progress, buffer.len() - from) {
            (Ok(progress), 0) => progress,
            // How it goes on is looked at in the next read.
            (_, length @ 1..) => Progress::Said(length),
            (Err(at), 0) => {
                self.miss(at);
                Progress::Over
            }
        }
    }

    /// # Errors
    ///
    /// The entry that is missing, and can no longer come.
    fn play(&self, state: &mut State, buffer: &mut Vec<u8>) -> Result<Progress, usize> {
        if self.has_ended() {
            return Ok(Progress::Over);
        }
        while let Some(entry) = self.replay.entries.get(state.at) {
            match entry {
                Entry::Sdk(_) if state.sent[state.at] || state.exit.is_some() => {}
                Entry::Sdk(_) if state.input_ended => return Err(state.at),
                Entry::Sdk(_) if self.is_overtaken(state) => return Ok(Progress::Misses(state.at)),
                Entry::Sdk(_) => return Ok(Progress::Waits),
                Entry::InputEnd if !state.input_ended && state.exit.is_none() => {
                    return Ok(Progress::Waits);
                }
                Entry::Launch { .. } | Entry::InputEnd => {}
                Entry::Cli(message) => {
                    let mut message = message.clone();
                    state.ids.put_into(&mut message);
                    buffer.extend_from_slice(message.to_string().as_bytes());
                    buffer.push(b'\n');
                    state.tool_uses.take(&message, &self.recorder);
                    if message["type"] == "result" {
                        self.recorder.turns_left(self.replay.results_after(state.at));
                    }
                    self.recorder.sent_by_cli(message);
                }
                Entry::CliText(text) => {
                    buffer.extend_from_slice(text.as_bytes());
                    buffer.push(b'\n');
                }
                Entry::Exit { .. } => state.exit = entry.process_exit(),
            }
            state.at += 1;
        }
        match (state.exit.take(), state.input_ended) {
            (Some(exit), _) => Ok(self.end_of_recording(exit)),
            // The recording was cut off.
            (None, true) => Ok(self.end_of_recording(ProcessExit::default())),
            (None, false) => Ok(Progress::Waits),
        }
    }

    /// Whether the SDK has sent something that comes after what is missing. An answer may take its
    /// time.
    fn is_overtaken(&self, state: &State) -> bool {
        let is_ours = |at: usize| match &self.replay.entries[at] {
            Entry::Sdk(message) => message["type"] != "control_response",
            _ => false,
        };
        is_ours(state.at) && (state.at..state.sent.len()).any(|at| state.sent[at] && is_ours(at))
    }

    /// A message does not come.
    pub(super) fn miss(&self, at: usize) {
        let message = match self.replay.entries.get(at) {
            Some(Entry::Sdk(message)) => excerpt(message),
            _ => String::new(),
        };
        self.differ(at, &format!("the SDK does not send {message}"));
    }

    pub(super) fn has_ended(&self) -> bool {
        self.exit.borrow().is_some()
    }

    /// The CLI fails, and its standard error says why.
    fn differ(&self, at: usize, what: &str) {
        let text = format!("the run differs from {}, line {}: {what}", self.replay.name, at + 1);
        self.recorder.differs(&text);
        self.end(exit::with_code(1, text));
    }

    /// The last turn may have no result.
    fn end_of_recording(&self, exit: ProcessExit) -> Progress {
        self.recorder.turns_left(0);
        self.end(exit)
    }

    fn end(&self, exit: ProcessExit) -> Progress {
        self.exit.send_modify(|known| {
            known.get_or_insert(exit);
        });
        self.recorder.ended();
        Progress::Over
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
