//! The requests of a session to its client. This program answers them: the CLI refuses all requests
//! of in-process servers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use serde_json::json;
use tokio::runtime::Handle;

use crate::CancelToken;
use crate::agent::callbacks::{Callbacks, Outcome, unless_cancelled};
use crate::agent::elicitation::CANCELLED;
use crate::agent::options::Roots;
use crate::agent::wire::RawJson;
use crate::host::Runner;
use crate::mcp::protocol::{ErrorObject, RequestId};
use crate::scan;

/// What the session takes for its client's capabilities. Questions to the user are among them
/// without a callback too: like the CLI without a user, the program then answers `cancel`.
pub(super) const CAPABILITIES: &str = r#"{"elicitation":{"form":{},"url":{}},"roots":{}}"#;

/// The open requests of one session.
pub(super) struct Questions {
    server: Arc<str>,
    callbacks: Arc<Callbacks>,
    roots: Arc<Roots>,
    /// Where callbacks run: a tool may ask from a thread without a runtime.
    runtime: Handle,
    /// Where the answers go.
    runner: OnceLock<Weak<Runner>>,
    open: Mutex<HashMap<String, CancelToken>>,
}

impl Questions {
    pub(super) fn new(server: &str, callbacks: &Arc<Callbacks>, roots: &Arc<Roots>) -> Arc<Self> {
        Arc::new(Self {
            server: server.into(),
            callbacks: callbacks.clone(),
            roots: roots.clone(),
            runtime: Handle::current(),
            runner: OnceLock::new(),
            open: Mutex::default(),
        })
    }

    /// The name of the server.
    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// The runner of the session.
    pub(super) fn answer_to(&self, runner: Weak<Runner>) {
        let _ = self.runner.set(runner);
    }

    /// The session sends a request. What is returned answers it, and must run without a lock.
    pub(super) fn open(self: &Arc<Self>, id: &RequestId, request: &str) -> impl FnOnce() + use<> {
        let (this, id, request) = (self.clone(), id.to_string(), request.to_owned());
        let cancel = CancelToken::default();
        this.table().insert(id.clone(), cancel.clone());
        move || this.answer(id, &request, cancel)
    }

    /// The session withdraws a request. What is returned stops its callback, and must run without a
    /// lock. `None` if the notification is about something else.
    pub(super) fn withdraw(&self, notification: &str) -> Option<impl FnOnce() + use<>> {
        let method = scan::member(notification, "method")?;
        let is_withdrawal = method == r#""notifications/cancelled""#;
        let params = scan::member(notification, "params").filter(|_| is_withdrawal)?;
        let cancel = self.table().remove(scan::member(params, "requestId")?);
        Some(move || cancel.iter().for_each(CancelToken::cancel))
    }

    fn answer(self: Arc<Self>, id: String, request: &str, cancel: CancelToken) {
        let method = scan::text(request, "method").unwrap_or_default();
        match &*method {
            "elicitation/create" => {
                let params = scan::member(request, "params").unwrap_or("{}").into();
                // Here the span of the call is the current one.
                let answer = self.callbacks.elicited(self.server.clone(), params, cancel.clone());
                self.runtime.clone().spawn(self.elicit(id, answer, cancel));
            }
            "roots/list" => match self.roots.list() {
                Ok(roots) => self.respond(&id, "result", &roots.to_string()),
                Err(error) => self.refuse(&id, ErrorObject::INTERNAL_ERROR, &error.to_string()),
            },
            _ => {
                let message = format!("{method} is not supported");
                self.refuse(&id, ErrorObject::METHOD_NOT_FOUND, &message);
            }
        }
    }

    async fn elicit(
        self: Arc<Self>,
        id: String,
        answer: Option<impl Future<Output = Outcome>>,
        cancel: CancelToken,
    ) {
        let Some(answer) = answer else { return self.respond(&id, "result", CANCELLED) };
        let answer = unless_cancelled(answer, &cancel).await.and_then(Result::ok);
        self.respond(&id, "result", answer.as_ref().map_or(CANCELLED, RawJson::get));
    }

    fn refuse(&self, id: &str, code: i64, message: &str) {
        self.respond(id, "error", &json!({"code": code, "message": message}).to_string());
    }

    /// Gives the session the response to a request, unless that was withdrawn.
    fn respond(&self, id: &str, member: &str, value: &str) {
        let was_open = self.table().remove(id).is_some();
        let runner = self.runner.get().and_then(Weak::upgrade);
        if let Some(runner) = runner.filter(|_| was_open) {
            let response = format!(r#"{{"jsonrpc":"2.0","id":{id},"{member}":{value}}}"#);
            // A response begins no call that would have to be run.
            let _ = runner.receive(response.as_bytes());
        }
    }

    fn table(&self) -> MutexGuard<'_, HashMap<String, CancelToken>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
