//! The state of the CLI, behind one lock, and its requests to the SDK.
//!
//! Ids count up, so that every run is the same. A request that is dropped is withdrawn with
//! `control_cancel_request`. When the input ends, all pending requests fail with `Stream closed`,
//! and the CLI continues to the end of its work, as the real one does.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot, watch};

use super::answer::Answer;
use super::hooks::Hooks;
use super::json::merge;
use super::prompt::Prompt;
use super::recorder::Recorder;
use super::rules::Rules;
use super::script::Responses;
use super::server::Server;
use super::setup::{Setup, VERSION};
use super::transcript::Transcript;
use super::turn::Turn;
use super::turn_state::{Agent, TurnState};
use super::usage;
use crate::agent::ProcessExit;

/// The time of each message.
const TIME: &str = "2026-01-01T00:00:00.000Z";

/// A response of the SDK: the response object, or its error.
pub(super) type Response = Result<Value, String>;

/// A CLI that is played from a script.
pub(super) struct Cli {
    pub(super) setup: Setup,
    pub(super) recorder: Recorder,
    /// Notified when there is output to read, or at the end.
    pub(super) output_ready: Notify,
    /// Notified when a message has arrived that the conversation waits for.
    pub(super) arrived: Notify,
    /// Notified when a turn is interrupted, and at the end of the input.
    pub(super) interrupted: Notify,
    pub(super) tools_changed: Notify,
    /// How it ended.
    pub(super) exit: watch::Sender<Option<ProcessExit>>,
    state: Mutex<State>,
}

/// The state behind the lock.
#[derive(Default)]
pub(super) struct State {
    /// Output that the SDK has not read yet.
    pub(super) unread: Vec<u8>,
    /// The SDK has closed the input.
    pub(super) input_ended: bool,
    pub(super) pending: HashMap<String, oneshot::Sender<Response>>,
    /// The `initialize` request and its id.
    pub(super) initialize: Option<(String, Value)>,
    pub(super) is_initialized: bool,
    /// The prompts that wait.
    pub(super) prompts: VecDeque<Prompt>,
    /// A turn runs, or is about to.
    pub(super) is_busy: bool,
    /// The answers of the script to control requests.
    pub(super) responses: Responses,
    /// The turns of the script for subagents.
    pub(super) agents: VecDeque<Turn>,
    /// There are such turns, so that the model can start subagents.
    pub(super) has_agents: bool,
    /// The subagents that the options define, by name.
    pub(super) definitions: Value,
    /// The SDK wants what subagents say.
    pub(super) forwards: bool,
    /// The schema of the structured output that the model is to give.
    pub(super) schema: Option<Value>,
    pub(super) hooks: Arc<Hooks>,
    pub(super) servers: Vec<Server>,
    /// The names of servers that were taken away.
    pub(super) removed: BTreeSet<String>,
    pub(super) rules: Rules,
    pub(super) mode: String,
    /// The servers whose permission mode a request has set.
    pub(super) overrides: BTreeSet<String>,
    /// Answers that wait until all servers are connected, with the ids of their requests.
    pub(super) later: Vec<(String, Answer)>,
    /// The settings of the options and those that requests have set, an object.
    pub(super) settings: Value,
    pub(super) title: Option<String>,
    pub(super) cwd: String,
    pub(super) model: String,
    /// The state that was reported last.
    pub(super) reported: &'static str,
    /// The current turn, if there is one.
    pub(super) turn: Option<TurnState>,
    /// The number of answers of the model in this session.
    pub(super) answers: u64,
    pub(super) results: u64,
    /// The tokens of each model: input and output.
    pub(super) tokens: BTreeMap<String, (u64, u64)>,
    pub(super) transcript: Option<Transcript>,
    last_id: u64,
}

impl Cli {
    pub(super) fn new(mut setup: Setup, recorder: Recorder) -> Arc<Self> {
        recorder.started(&setup.args);
        let transcript = setup.transcript.take();
        let servers = setup.servers.iter().map(|(name, config)| Server::new(name, config));
        let state = State {
            servers: servers.collect(),
            rules: Rules::new(
                &setup.allowed,
                &setup.disallowed,
                &setup.folders,
                &setup.settings["permissions"],
            ),
            mode: setup.mode.clone(),
            settings: setup.settings.clone(),
            cwd: setup.cwd.clone(),
            model: setup.model.clone(),
            schema: setup.schema.clone(),
            reported: "idle",
            // An id means the same message in all runs of a session.
            last_id: transcript.as_ref().map_or(0, |transcript| transcript.last_number),
            transcript,
            ..State::default()
        };
        Arc::new(Self {
            setup,
            recorder,
            output_ready: Notify::new(),
            arrived: Notify::new(),
            interrupted: Notify::new(),
            tools_changed: Notify::new(),
            exit: watch::Sender::new(None),
            state: Mutex::new(state),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the current turn, if there is one.
    pub(super) fn with_turn<T>(&self, change: impl FnOnce(&mut TurnState) -> T) -> Option<T> {
        self.state().turn.as_mut().map(change)
    }

    /// The budget in USD, if it is used up.
    pub(super) fn used_up_budget(&self) -> Option<f64> {
        let cost = usage::total_cost(&self.state().tokens);
        self.setup.max_budget.filter(|budget| cost >= *budget)
    }

    /// The folder that the session is in.
    pub(super) fn cwd(&self) -> String {
        self.state().cwd.clone()
    }

    /// The subagent that is running.
    pub(super) fn agent(&self) -> Option<Agent> {
        self.with_turn(|turn| turn.speaker.agent.clone()).flatten()
    }

    /// Sends a line.
    pub(super) fn say(&self, line: Value) {
        {
            let state = &mut *self.state();
            state.unread.extend_from_slice(line.to_string().as_bytes());
            state.unread.push(b'\n');
            // Before it can be read.
            self.recorder.sent_by_cli(line);
        }
        self.output_ready.notify_one();
    }

    /// Sends a message of the session, or of the subagent that is running.
    pub(super) fn say_message(&self, mut message: Value) {
        let speaks = message["type"] == "user" || message["type"] == "assistant";
        if speaks {
            message["timestamp"] = TIME.into();
        }
        let agent = self.agent();
        // What a subagent of a subagent says is passed on only if the SDK wants it.
        let is_nested = self.with_turn(|turn| turn.waiting.len() > 1) == Some(true);
        if speaks && is_nested && !self.state().forwards {
            return;
        }
        let is_kept = speaks && agent.is_none();
        if let Some(agent) = agent.filter(|_| speaks) {
            message["parent_tool_use_id"] = agent.tool_use.into();
            message["agent_id"] = agent.id.into();
            message["subagent_type"] = agent.kind.into();
            message["task_description"] = agent.description.into();
        }
        message["uuid"] = self.uuid().into();
        message["session_id"] = self.setup.session_id.as_str().into();
        if is_kept {
            self.mirror(&message);
        }
        self.say(message);
    }

    /// Tells the store, if there is one, of a message of the main conversation.
    pub(super) fn mirror(&self, message: &Value) {
        let (path, parent, cwd) = {
            let state = &mut *self.state();
            let Some(transcript) = &mut state.transcript else { return };
            let parent = transcript.last.replace(message["uuid"].as_str().unwrap_or("").into());
            (transcript.path.clone(), parent, state.cwd.clone())
        };
        let entry = json!({
            "parentUuid": parent, "isSidechain": false, "isMeta": message["isSynthetic"] == true,
            "type": message["type"], "message": message["message"], "uuid": message["uuid"],
            "userType": "external", "cwd": cwd, "version": VERSION,
            "sessionId": self.setup.session_id, "timestamp": TIME,
        });
        self.say(json!({"type": "transcript_mirror", "filePath": path, "entries": [entry]}));
    }

    /// Sends a request and waits for its response. Dropping the future withdraws the request.
    pub(super) async fn ask(&self, subtype: &str, body: Value) -> Response {
        self.ask_quietly(subtype, body, false).await
    }

    /// Like [`ask`](Self::ask). With `is_quiet` dropping the future sends nothing: an MCP request
    /// is cancelled by MCP's own notification.
    pub(super) async fn ask_quietly(&self, subtype: &str, body: Value, is_quiet: bool) -> Response {
        let (sender, answer) = oneshot::channel();
        let id = format!("cli_{}", self.next_id());
        {
            let state = &mut *self.state();
            if state.input_ended {
                return Err("Stream closed".into());
            }
            state.pending.insert(id.clone(), sender);
        }
        let mut request = json!({"subtype": subtype});
        merge(&mut request, body);
        self.say(json!({"type": "control_request", "request_id": id, "request": request}));
        let _withdrawal = Withdrawal { cli: self, id, is_quiet };
        answer.await.unwrap_or_else(|_| Err("Stream closed".into()))
    }

    /// Ends the input of the CLI.
    pub(super) fn end_input(&self) {
        let pending = {
            let state = &mut *self.state();
            state.input_ended = true;
            std::mem::take(&mut state.pending)
        };
        drop(pending);
        self.arrived.notify_one();
        self.interrupted.notify_waiters();
    }

    /// Waits until a turn is interrupted or the input ends, as `is_so` says. Both may be waited for
    /// at once.
    pub(super) async fn when(&self, is_so: impl Fn() -> bool) {
        loop {
            // Before the check, so that no notification after it is missed.
            let heard = self.interrupted.notified();
            if is_so() {
                return;
            }
            heard.await;
        }
    }

    /// Ends the CLI, unless it has ended.
    pub(super) fn end(&self, exit: ProcessExit) {
        self.recorder.ended();
        self.exit.send_modify(|known| {
            known.get_or_insert(exit);
        });
        self.output_ready.notify_one();
    }

    pub(super) fn next_id(&self) -> u64 {
        let state = &mut *self.state();
        state.last_id += 1;
        state.last_id
    }

    pub(super) fn uuid(&self) -> String {
        format!("00000000-0000-4000-8000-{:012x}", self.next_id())
    }
}

struct Withdrawal<'a> {
    cli: &'a Cli,
    id: String,
    is_quiet: bool,
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        let was_open = self.cli.state().pending.remove(&self.id).is_some();
        if was_open && !self.is_quiet {
            self.cli.say(json!({"type": "control_cancel_request", "request_id": self.id}));
        }
    }
}
