//! Requests and notifications: the method table.

use std::sync::Arc;

use super::state::Session;
use super::step::Step;
use crate::mcp::context::{Asking, Context};
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Params, Request, RequestId, Revision};
use crate::mcp::rounds::Owner;
use crate::mcp::span::Method;
use crate::{panics, scan};

impl Session {
    pub(super) fn request<'a>(
        &mut self,
        request: &Request<'a>,
        line: &str,
        out: &mut Outbox,
    ) -> Step<'a> {
        let checked = self.check(request);
        let step = checked.and_then(|revision| match &*request.method {
            "tools/call" => {
                self.call_named(Method::CallTool, request, revision, out).map(Step::Call)
            }
            _ => self.route(request, revision, out),
        });
        step.unwrap_or_else(|error| self.refuse(request, line, error, out))
    }

    #[cold]
    fn refuse<'a>(
        &self,
        request: &Request<'a>,
        line: &str,
        error: ErrorObject,
        out: &mut Outbox,
    ) -> Step<'a> {
        // No decoder has checked the grammar of the arguments.
        let error = if scan::is_json(line) { error } else { ErrorObject::not_json() };
        let revision = if self.is_modern(request) { Revision::LATEST } else { self.legacy };
        out.error(&request.id, None, revision, &error);
        let id = request.id.clone();
        out.later(move || tracing::debug!(%id, %error, "a request was refused"));
        Step::Idle
    }

    /// Checks what every request must have, and returns the revision it is in.
    fn check(&self, request: &Request<'_>) -> Result<Revision, ErrorObject> {
        if request.params.ill_typed {
            return Err(ErrorObject::invalid_params("`params` must be an object"));
        }
        if self.in_flight.contains(&request.id) || self.subscriptions.contains(&request.id) {
            return Err(ErrorObject::invalid_request(
                "Invalid request: a request with this id is still being answered",
            ));
        }
        if !self.is_modern(request) {
            return Ok(self.legacy);
        }
        self.registry.server().eras.refuse_handshake(request)?;
        Revision::for_request(&request.params.meta.version()?)
    }

    fn is_modern(&self, request: &Request<'_>) -> bool {
        self.registry.server().eras.is_modern(&request.method, &request.params.meta)
    }

    /// The method table of all requests but `tools/call`. It is kept out of the code that a call
    /// runs: a processor that has run another process meanwhile must load that code again.
    #[inline(never)]
    fn route<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
        out: &mut Outbox,
    ) -> Result<Step<'a>, ErrorObject> {
        let method = &*request.method;
        let is_known = |method: &&str| revision.profile().methods.contains(method);
        let offers = self.registry.server().offers();
        let is_offered = || match method.split_once('/') {
            Some(("prompts", _)) => offers.prompts,
            Some(("resources", _)) => offers.resources,
            Some(("completion", _)) => offers.completions,
            Some(("tasks", _)) => self.has_tasks(),
            _ => true,
        };
        // None of them is one of the protocol.
        if let Some(custom) = self.registry.server().custom_request(method) {
            let (custom, asking) = (custom.clone(), Asking::by_requests(request, revision));
            let method = custom.method.clone();
            return self.begin(request, revision, asking, method, Arc::new(custom)).map(Step::Call);
        }
        match method {
            "tools/list" => match self.registry.server().tool_filter.clone() {
                None => self.list(|this| &mut this.tools, request, revision, out)?,
                Some(filter) => {
                    return self.list_filtered(filter, request, revision, out).map(Step::Call);
                }
            },
            method if !is_offered() => return Err(not_found(method)),
            "prompts/get" => {
                return self.call_named(Method::GetPrompt, request, revision, out).map(Step::Call);
            }
            "prompts/list" => self.list(|this| &mut this.prompts, request, revision, out)?,
            "resources/read" => {
                return self.read_resource(request, revision, out).map(Step::Call);
            }
            "resources/list" => self.list(|this| &mut this.resources, request, revision, out)?,
            "resources/templates/list" => {
                self.list(|this| &mut this.templates, request, revision, out)?;
            }
            "completion/complete" => {
                return self.complete_argument(request, revision, out);
            }
            method if !is_known(&method) => return Err(not_found(method)),
            "initialize" => self.initialize(request, out)?,
            "tasks/get" | "tasks/update" | "tasks/cancel" => {
                return self.task_request(request, revision).map(Step::Call);
            }
            "ping" => out.result(&request.id, None, revision, &mut |_| {}),
            "logging/setLevel" => self.set_log_level(request, out)?,
            "server/discover" => self.discover(request, revision, out),
            "subscriptions/listen" => {
                let owner = self.connection.extensions.get::<Owner>().cloned();
                self.subscriptions.open(request, offers, owner, out)?;
                self.hear_changes();
            }
            // A session without a stream for notifications promises none.
            "resources/subscribe" | "resources/unsubscribe" if !self.is_brief => {
                self.subscribe(request, revision, out)?;
                self.hear_changes();
            }
            method => return Err(not_found(method)),
        }
        Ok(Step::Idle)
    }

    pub(super) fn notification(
        &mut self,
        method: &str,
        params: &Params<'_>,
        out: &mut Outbox,
    ) -> Step<'static> {
        match method {
            "notifications/cancelled" => return self.cancelled(params, out),
            "notifications/initialized" if self.registry.server().eras.legacy() => {
                self.initialized();
            }
            _ => self.hand_over(method, params, out),
        }
        Step::Idle
    }

    /// Gives a notification outside of the protocol to the function that the server has for it.
    fn hand_over(&self, method: &str, params: &Params<'_>, out: &mut Outbox) {
        let listeners = &self.registry.server().listeners;
        let listener = listeners.get(method).filter(|_| !self.is_alone).cloned();
        if let Some((listener, params)) = listener.zip(params.text().map(str::to_owned)) {
            let (connection, method) = (self.connection.clone(), method.to_owned());
            out.later(move || {
                // JSON has numbers and texts that a `Value` has not.
                let params = match params.parse() {
                    Ok(params) => params,
                    Err(error) => {
                        return tracing::warn!(method, %error, "a notification was dropped");
                    }
                };
                let context = Context::of_session(connection);
                if let Err(panic) = panics::catch(|| listener(params, context)) {
                    tracing::error!(panic, "a function for notifications has panicked");
                }
            });
        }
    }

    /// `notifications/cancelled`: frees the id and sends nothing more for the call. An unknown or
    /// finished request is ignored, as MCP demands.
    fn cancelled(&mut self, params: &Params<'_>, out: &mut Outbox) -> Step<'static> {
        let Some(id) = params.get("requestId").and_then(RequestId::read) else {
            return Step::Idle;
        };
        self.subscriptions.cancel(&id);
        match self.in_flight.find(&id) {
            Some(call) => {
                self.cancel(&call, out);
                Step::Cancel(Box::new(call))
            }
            None => Step::Idle,
        }
    }

    /// The revision of a message that cannot name one.
    pub(super) fn unnamed(&self) -> Revision {
        match self.registry.server().eras.legacy() {
            true => self.legacy,
            false => Revision::LATEST,
        }
    }
}

fn not_found(method: &str) -> ErrorObject {
    ErrorObject::new(ErrorObject::METHOD_NOT_FOUND, format!("Method not found: {method}"))
}
