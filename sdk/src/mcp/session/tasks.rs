//! `tasks/get`, `tasks/update` and `tasks/cancel`.

use std::sync::Arc;

use super::state::Session;
use super::told::{About, Told};
use crate::mcp::args::BadArguments;
use crate::mcp::call::{Begun, Call, CallResult, Decoder, Ended, Outcome, Subject, Work};
use crate::mcp::context::{Asking, Caller};
use crate::mcp::protocol::{Capability, ErrorObject, Request, Revision, TaskSupport, task};
use crate::mcp::registry::ToolRegistry;
use crate::mcp::rounds::{Answers, Owner, read_answers};
use crate::mcp::tasks::{Tasks, Unreachable};
use crate::scan;

const ABOUT: About = About("the task");

/// What a request wants of a task.
#[derive(Clone)]
enum Wish {
    Get,
    Update(Arc<Answers>),
    Cancel,
}

/// One request about a task.
#[derive(Clone)]
struct TaskRequest {
    registry: ToolRegistry,
    tasks: Arc<dyn Tasks>,
    id: String,
    wish: Wish,
}

impl Session {
    /// Where the call of a tool can go on as a task, if its client supports that. A call that may
    /// have to go on so is refused without.
    pub(super) fn permit(
        &self,
        request: &Request<'_>,
        revision: Revision,
        support: TaskSupport,
    ) -> Result<Option<Arc<dyn Tasks>>, ErrorObject> {
        let (declared, profile) = (request.params.meta.client_capabilities, revision.profile());
        if declared.is_some_and(|it| Capability::Tasks.is_in(it, profile)) {
            return Ok(self.registry.server().tasks.get().cloned());
        }
        match support {
            TaskSupport::Optional => Ok(None),
            TaskSupport::Required if profile.has_extensions => {
                Err(Capability::missing(&[Capability::Tasks]))
            }
            // Its client has no way to declare the extension, and does not know the code for that.
            TaskSupport::Required => Err(ErrorObject::invalid_request(format!(
                "Invalid request: it needs the extension {}, which MCP {} does not have",
                task::EXTENSION,
                profile.version
            ))),
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
        let registry = self.registry.clone();
        let asked = TaskRequest { registry, tasks, id: id.into_owned(), wish };
        self.begin(request, revision, Asking::nothing(), Arc::new(ABOUT), Arc::new(asked))
    }
}

impl TaskRequest {
    async fn answer(self, owner: Option<Owner>) -> CallResult {
        match self.fulfil(owner).await {
            Ok(Some(told)) => Ok(Outcome::Complete(Box::new(Told(told.into())))),
            Ok(None) => {
                Err(ErrorObject::invalid_params(format!("Unknown task: {}", self.id)).into())
            }
            Err(Unreachable) => {
                let message = "The tasks cannot be reached now. Try again later.";
                Err(ErrorObject::internal(message).into())
            }
        }
    }

    /// Returns the members of the result; `None` if the client has no such task.
    async fn fulfil(&self, owner: Option<Owner>) -> Result<Option<String>, Unreachable> {
        let Self { registry, tasks, id, wish } = self;
        let is_known = match wish {
            Wish::Get => {
                let state = tasks.get(id).await?;
                let owner = owner.map(|owner| owner.0);
                return Ok(state.filter(|state| state.owner == owner).map(|state| state.members));
            }
            Wish::Update(answers) => tasks.update(id, owner, answers).await?,
            Wish::Cancel => {
                let is_cancelled = tasks.cancel(id, owner).await?;
                if is_cancelled == Some(true) {
                    registry.task_changed(id).await;
                }
                is_cancelled.is_some()
            }
        };
        Ok(is_known.then(String::new))
    }
}

impl Decoder for TaskRequest {
    fn subject(&self) -> &dyn Subject {
        &ABOUT
    }

    fn decode(&self, _: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let owner = caller.extensions().get::<Owner>().cloned();
        let answer = self.clone().answer(owner);
        Ok(Begun { work: Work(Box::pin(async { Ended(answer.await) })), context: None })
    }
}
