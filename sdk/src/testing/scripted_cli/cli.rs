//! What a played CLI consists of, behind one lock, and how it asks the SDK.
//!
//! Ids count up, so that what is played is the same each time. A request of the CLI's that is given
//! up is withdrawn with `control_cancel_request`. When its input ends, all its requests fail with
//! `Stream closed`, and it goes on to the end of what it has to do (agent-protocol d.5, d.6).

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot, watch};

use super::hooks::Hooks;
use super::recorder::Recorder;
use super::rules::Rules;
use super::server::Server;
use super::setup::Setup;

/// An answer of the SDK's: the response object, or its error.
pub(super) type Answer = Result<Value, String>;

/// A CLI that is played.
pub(super) struct Cli {
    pub(super) setup: Setup,
    pub(super) recorder: Recorder,
    /// There is something to read, or no more will come.
    pub(super) to_read: Notify,
    /// Something was said by the SDK that the conversation waits for.
    pub(super) told: Notify,
    pub(super) interrupted: Notify,
    pub(super) tools_changed: Notify,
    pub(super) at_end: watch::Sender<bool>,
    state: Mutex<State>,
}

/// What is behind the lock.
pub(super) struct State {
    /// What the SDK has not read yet.
    pub(super) said: Vec<u8>,
    /// The SDK says no more.
    pub(super) input_ended: bool,
    /// The CLI is at its end; after an error result or not.
    pub(super) ended: Option<bool>,
    pub(super) pending: HashMap<String, oneshot::Sender<Answer>>,
    /// The `initialize` request and its id.
    pub(super) initialize: Option<(String, Value)>,
    pub(super) is_initialized: bool,
    pub(super) prompts: VecDeque<Value>,
    pub(super) hooks: Arc<Hooks>,
    pub(super) servers: Vec<Server>,
    pub(super) rules: Rules,
    pub(super) mode: String,
    pub(super) model: String,
    /// The last state that was reported.
    pub(super) reported: &'static str,
    /// The turn at hand, if there is one.
    pub(super) turn: Option<TurnState>,
    /// Answers of the model in the whole session.
    pub(super) answers: u64,
    pub(super) results: u64,
    last_id: u64,
}

/// What is known of the turn at hand.
#[derive(Default)]
pub(super) struct TurnState {
    pub(super) prompt: String,
    pub(super) is_interrupted: bool,
    /// It was interrupted by the answer to a permission request.
    pub(super) is_denied: bool,
    /// A hook wants it to end.
    pub(super) stopped: bool,
    /// Calls run.
    pub(super) in_tools: bool,
    /// The call that a hook put off.
    pub(super) deferred: Option<Value>,
    /// User messages that the CLI has added to the conversation.
    pub(super) added: u64,
    pub(super) answers: u64,
    pub(super) text: String,
    pub(super) tool_result: Option<String>,
    pub(super) denials: Vec<Value>,
    /// The ids of tool uses without a result.
    pub(super) open: Vec<String>,
    /// The MCP requests that run for them: servers and ids.
    pub(super) requests: Vec<(String, u64)>,
    /// An answer has named the prompt.
    pub(super) is_attributed: bool,
}

impl Cli {
    pub(super) fn new(setup: Setup, recorder: Recorder) -> Arc<Self> {
        recorder.started(&setup.args);
        let state = State {
            said: Vec::new(),
            input_ended: false,
            ended: None,
            pending: HashMap::new(),
            initialize: None,
            is_initialized: false,
            prompts: VecDeque::new(),
            hooks: Arc::default(),
            servers: setup
                .servers
                .iter()
                .map(|(name, is_ours)| Server::new(name, *is_ours))
                .collect(),
            rules: Rules::new(&setup.allowed, &setup.disallowed),
            mode: setup.mode.clone(),
            model: setup.model.clone(),
            reported: "idle",
            turn: None,
            answers: 0,
            results: 0,
            last_id: 0,
        };
        Arc::new(Self {
            setup,
            recorder,
            to_read: Notify::new(),
            told: Notify::new(),
            interrupted: Notify::new(),
            tools_changed: Notify::new(),
            at_end: watch::Sender::new(false),
            state: Mutex::new(state),
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the turn at hand, if there is one.
    pub(super) fn with_turn<T>(&self, change: impl FnOnce(&mut TurnState) -> T) -> Option<T> {
        self.state().turn.as_mut().map(change)
    }

    /// Says a line.
    pub(super) fn say(&self, line: Value) {
        {
            let state = &mut *self.state();
            state.said.extend_from_slice(line.to_string().as_bytes());
            state.said.push(b'\n');
        }
        self.recorder.said_by_cli(line);
        self.to_read.notify_one();
    }

    /// Says a message of the session.
    pub(super) fn say_message(&self, mut message: Value) {
        message["uuid"] = self.uuid().into();
        message["session_id"] = self.setup.session_id.as_str().into();
        self.say(message);
    }

    /// Sends a request of the CLI's and waits for its answer; a future that is dropped withdraws
    /// it.
    pub(super) async fn ask(&self, subtype: &str, body: Value) -> Answer {
        self.ask_quietly(subtype, body, false).await
    }

    /// The same; an MCP request that is given up is cancelled by MCP's own notification, and then
    /// the other protocol says nothing.
    pub(super) async fn ask_quietly(
        &self,
        subtype: &str,
        mut body: Value,
        is_quiet: bool,
    ) -> Answer {
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
        if let (Value::Object(request), Value::Object(body)) = (&mut request, &mut body) {
            request.append(body);
        }
        self.say(json!({"type": "control_request", "request_id": id, "request": request}));
        let _withdrawal = Withdrawal { cli: self, id, is_quiet };
        answer.await.unwrap_or_else(|_| Err("Stream closed".into()))
    }

    /// The SDK says no more.
    pub(super) fn end_input(&self) {
        let pending = {
            let state = &mut *self.state();
            state.input_ended = true;
            std::mem::take(&mut state.pending)
        };
        drop(pending);
        self.told.notify_one();
        self.interrupted.notify_one();
    }

    /// Plays no more.
    pub(super) fn end(&self, is_error: bool) {
        self.state().ended = Some(is_error);
        self.recorder.ended();
        self.at_end.send_replace(true);
        self.to_read.notify_one();
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
