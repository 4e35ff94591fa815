//! One server: a session, and what runs for its calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::calls::Running;
use crate::agent::channel::Channel;
use crate::agent::control::ReceivedId;
use crate::mcp::{CallId, Host, Link, Session};
use crate::threads::Threads;
use crate::{ToolRegistry, panics};

pub(super) struct Server {
    name: String,
    channel: Arc<Channel>,
    threads: Arc<Threads>,
    this: Weak<Self>,
    state: Mutex<State>,
}

pub(super) struct State {
    /// `None` once the run has ended.
    session: Option<Session>,
    /// What the session says, until it is sent.
    said: Vec<u8>,
    /// The calls, by the control requests that brought them.
    pub(super) running: HashMap<ReceivedId, Running>,
}

impl Server {
    pub(super) fn new(
        registry: &ToolRegistry,
        channel: Arc<Channel>,
        threads: Arc<Threads>,
    ) -> Arc<Self> {
        Arc::new_cyclic(|this: &Weak<Self>| {
            let link: Weak<dyn Link> = this.clone();
            let session = Some(Session::new(registry, Host::InProcess, link));
            Self {
                name: registry.name().to_owned(),
                channel,
                threads,
                this: this.clone(),
                state: Mutex::new(State { session, said: Vec::new(), running: HashMap::new() }),
            }
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn channel(&self) -> &Channel {
        &self.channel
    }

    pub(super) fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    pub(super) fn this(&self) -> Option<Arc<Self>> {
        self.this.upgrade()
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the session speak and adds what it says to the channel: its answer as the answer to
    /// `request`, notifications as requests of ours. The lock is held all the time, so that
    /// messages leave in the order in which they were said. Gives what `speak` gives, and whether
    /// there was an answer.
    pub(super) fn speak<T>(
        &self,
        state: &mut State,
        request: Option<&ReceivedId>,
        speak: impl FnOnce(&mut Session, &mut Vec<u8>) -> T,
    ) -> Option<(T, bool)> {
        const KEEP: usize = 1024 * 1024;
        let State { session: Some(session), said, .. } = state else { return None };
        let step = speak(session, said);
        let mut is_answered = false;
        for line in said.split(|byte| *byte == b'\n') {
            match (std::str::from_utf8(line), request) {
                (Ok("") | Err(_), _) => {}
                // A session begins its answers, and only them, with the id.
                (Ok(line), request) if line.starts_with("{\"jsonrpc\":\"2.0\",\"id\":") => {
                    is_answered = true;
                    request.iter().for_each(|request| self.channel.answer_mcp(request, line));
                }
                (Ok(line), _) => self.channel.send_mcp(&self.name, line),
            }
        }
        said.clear();
        said.shrink_to(KEEP);
        Some((step, is_answered))
    }

    pub(super) fn close(&self) {
        let (session, running) = {
            let state = &mut *self.state();
            (state.session.take(), std::mem::take(&mut state.running))
        };
        panics::discard(session);
        running.into_values().for_each(Running::stop);
    }
}

impl Link for Server {
    fn notify(&self, call: &CallId, write: &mut dyn FnMut(&mut Vec<u8>)) {
        self.speak(&mut self.state(), None, |session, said| session.notify(call, write, said));
        self.channel.flush();
    }

    fn tools_changed(&self) {
        self.speak(&mut self.state(), None, |session, said| session.tools_changed(said));
        self.channel.flush();
    }
}
