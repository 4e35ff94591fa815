//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use std::sync::Arc;

use super::state::Session;
use crate::mcp::args::BadArguments;
use crate::mcp::call::{
    Begun, Call, CallResult, Decoder, Ended, Failure, Outcome, Reply, Subject, Work,
};
use crate::mcp::context::{Asking, Caller};
use crate::mcp::protocol::{Capability, ErrorObject, Profile, Request, Revision, TaskSupport};
use crate::mcp::rounds::{Answers, Owner, read_answers};
use crate::mcp::tasks::Tasks;
use crate::scan;

/// What a request wants of a task.
#[derive(Debug, Clone)]
enum Wish {
    Get,
    Update(Arc<Answers>),
    Cancel,
}

/// One request about a task.
#[derive(Debug, Clone)]
struct TaskRequest {
    tasks: Arc<dyn Tasks>,
    id: String,
    wish: Wish,
}

/// What is asked about.
#[derive(Debug)]
struct About;

/// The members of the result.
#[derive(Debug)]
struct Told(String);

impl Session {
    /// Where the call of a tool can go on as a task, if its client supports that. A call that may
    /// have to go on so is refused without.
    pub(super) fn permit(
        &self,
        request: &Request<'_>,
        revision: Revision,
        support: TaskSupport,
    ) -> Result<Option<Arc<dyn Tasks>>, ErrorObject> {
        let declared = request.meta.client_capabilities;
        match declared.is_some_and(|it| Capability::Tasks.is_in(it, revision.profile())) {
            true => Ok(self.registry.server().tasks.get().cloned()),
            false if support == TaskSupport::Required => {
                Err(Capability::missing(&[Capability::Tasks]))
            }
            false => Ok(None),
        }
    }

    /// True if clients can ask for tasks.
    pub(super) fn has_tasks(&self) -> bool {
        self.registry.server().tasks.get().is_some()
    }

    pub(super) fn task_request<'a>(
        &mut self,
        request: &Request<'a>,
        revision: Revision,
    ) -> Result<Call<'a>, ErrorObject> {
        let permit = self.permit(request, revision, TaskSupport::Required)?;
        let tasks = permit.ok_or_else(|| ErrorObject::invalid_params("there are no tasks"))?;
        let id = request.params.get("taskId").and_then(scan::string);
        let id = id.ok_or_else(|| ErrorObject::invalid_params("`taskId` must be a string"))?;
        let wish = match &*request.method {
            "tasks/get" => Wish::Get,
            "tasks/update" => {
                let answers = request.params.input_responses.unwrap_or_default();
                Wish::Update(Arc::new(read_answers(answers)?))
            }
            _ => Wish::Cancel,
        };
        let asked = TaskRequest { tasks, id: id.into_owned(), wish };
        self.begin(request, revision, Asking::nothing(), Arc::new(About), Arc::new(asked))
    }
}

impl TaskRequest {
    async fn answer(self, owner: Option<Owner>) -> CallResult {
        let Self { tasks, id, wish } = self;
        let told = match wish {
            Wish::Get => tasks.get(&id, owner).await,
            Wish::Update(answers) => {
                let is_known = tasks.update(&id, owner, Arc::unwrap_or_clone(answers)).await;
                is_known.then(String::new)
            }
            Wish::Cancel => tasks.cancel(&id, owner).await.then(String::new),
        };
        match told {
            Some(told) => Ok(Outcome::Complete(Box::new(Told(told)))),
            None => Err(ErrorObject::invalid_params(format!("Unknown task: {id}"))),
        }
    }
}

impl Decoder for TaskRequest {
    fn subject(&self) -> &dyn Subject {
        &About
    }

    fn decode(&self, _: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let owner = caller.extensions().get::<Owner>().cloned();
        let answer = self.clone().answer(owner);
        Ok(Begun { work: Work(Box::pin(async { Ended(answer.await) })), context: None })
    }
}

impl Subject for About {
    fn name(&self) -> &str {
        "tasks"
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        let why = match failure {
            Failure::Overloaded => "too many calls wait already",
            Failure::ShutDown => "the server is shutting down",
            _ => "an internal error stopped it",
        };
        let message = format!("The request about the task failed: {why}.");
        Err(ErrorObject::new(ErrorObject::INTERNAL_ERROR, message))
    }
}

impl Reply for Told {
    fn write(&self, _: &Profile, out: &mut Vec<u8>) {
        out.extend_from_slice(self.0.as_bytes());
    }
}
