//! Calls that go on as tasks.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::failure::failed;
use super::result::{error, outcome};
use super::subscriptions::is_of;
use super::test_client::TestClient;
use crate::ToolResult;

/// A call that goes on as a task, from [`TestClient::task`]. Its methods fail as those of the
/// client do.
///
/// ```
/// use toolwright::testing::{TaskStatus, TestClient};
/// use toolwright::{AskError, Context, ToolRegistry, json, tool, tools};
///
/// /// Build the program, and deploy it if the user agrees.
/// #[tool(task)]
/// async fn deploy(cx: &Context) -> Result<&'static str, AskError> {
///     tokio::task::yield_now().await; // It builds.
///     match cx.confirm("It is built. Deploy it?").await? {
///         true => Ok("deployed"),
///         false => Ok("built"),
///     }
/// }
///
/// let registry = ToolRegistry::builder("ci").tools(tools![deploy]).build()?;
/// let mut client = TestClient::in_memory(&registry)?.tasks();
/// client.on_elicit(|asked| asked.agree())?;
/// let task = client.task("deploy", json!({}))?;
/// assert_eq!(task.wait(&mut client)?, TaskStatus::InputRequired);
/// assert_eq!(task.result(&mut client)?.to_text(), "deployed");
/// assert_eq!(task.status(&mut client)?, TaskStatus::Completed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct TestTask {
    id: String,
    /// The call, for error messages.
    request: String,
}

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskStatus {
    /// It runs.
    Working,
    /// It waits for the answers to its questions.
    InputRequired,
    /// It has a result, which may be the error of a tool.
    Completed,
    /// It has ended with an error of the protocol.
    Failed,
    /// It was cancelled.
    Cancelled,
}

/// What the server knows of a task: the result of `tasks/get`.
struct State {
    status: TaskStatus,
    members: Value,
}

impl TestTask {
    /// The task that this answer to a call announces.
    pub(super) fn announced(answer: &Value, request: &str) -> Option<Self> {
        let result = &answer["result"];
        let id = result["taskId"].as_str().filter(|_| result["resultType"] == "task")?;
        Some(Self { id: id.to_owned(), request: request.to_owned() })
    }

    /// The id, by which any request of its client can ask for the task.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the task does now.
    ///
    /// # Errors
    ///
    /// The server does not know the task or has closed its output, or the timeout expired.
    pub fn status(&self, client: &mut TestClient) -> io::Result<TaskStatus> {
        self.state(client).map(|state| state.status)
    }

    /// What the server knows of the task now: the result of `tasks/get` as it is on the wire.
    ///
    /// # Errors
    ///
    /// The server does not know the task or has closed its output, or the timeout expired.
    pub fn get(&self, client: &mut TestClient) -> io::Result<Value> {
        self.state(client).map(|state| state.members)
    }

    /// Waits until the task asks or has ended, and returns what it does then. The client listens
    /// for its changes meanwhile, and asks anew whenever the interval that the server has named is
    /// over.
    ///
    /// # Errors
    ///
    /// The server does not know the task or has closed its output, or the timeout expired.
    pub fn wait(&self, client: &mut TestClient) -> io::Result<TaskStatus> {
        self.pause(client, &BTreeSet::new()).map(|state| state.status)
    }

    /// Waits for the end of the task and returns the result. The client answers the questions of
    /// the task with what [`on_elicit`](TestClient::on_elicit) and the like have set.
    ///
    /// # Errors
    ///
    /// The task has ended with an error, of which the error shows the text, or it was cancelled. Or
    /// it asks what the client does not answer.
    pub fn result(&self, client: &mut TestClient) -> io::Result<ToolResult> {
        let answer = self.end(client)?;
        outcome(&answer, Some(false), &self.request)?.map_err(|text| error(&text, &self.request))
    }

    /// Answers questions of the task by their keys: the requests in `inputRequests` of
    /// [`get`](Self::get). For questions that [`result`](Self::result) is not to answer, or not
    /// yet.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{AskError, Context, ToolRegistry, json, tool, tools};
    ///
    /// #[tool(task)]
    /// async fn name_it(cx: &Context) -> Result<bool, AskError> {
    ///     tokio::task::yield_now().await;
    ///     cx.confirm("Is it a cat?").key("cat").await
    /// }
    ///
    /// let registry = ToolRegistry::builder("pets").tools(tools![name_it]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?.tasks();
    /// client.on_elicit(|asked| asked.decline())?;
    /// let task = client.task("name_it", json!({}))?;
    /// task.wait(&mut client)?;
    /// let asked = &task.get(&mut client)?["inputRequests"]["cat"]["params"];
    /// assert_eq!(asked["message"], "Is it a cat?");
    /// task.update(&mut client, json!({"cat": {"action": "accept"}}))?;
    /// assert_eq!(task.result(&mut client)?.to_text(), "true");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The server does not know the task or refuses the answers, or has closed its output; the
    /// timeout expired; or the answers cannot be written as JSON.
    pub fn update(&self, client: &mut TestClient, answers: impl Serialize) -> io::Result<()> {
        let params = json!({"taskId": self.id, "inputResponses": serde_json::to_value(answers)?});
        client.result("tasks/update", params).map(drop)
    }

    /// Cancels the task, and returns once the server has done it. In memory an `async` tool is
    /// dropped by then.
    ///
    /// # Errors
    ///
    /// The task had ended before.
    pub fn cancel(&self, client: &mut TestClient) -> io::Result<()> {
        client.result("tasks/cancel", json!({"taskId": self.id}))?;
        match self.state(client)? {
            State { status: TaskStatus::Cancelled, .. } => Ok(()),
            State { members, .. } => {
                let what = format!("the task had ended before it was cancelled: {members}");
                Err(failed(ErrorKind::Other, what, &self.request))
            }
        }
    }

    /// Subscribes to changes of the task, which [`notifications`](TestClient::notifications)
    /// returns. For what follows in a test it is not needed.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool(task)]
    /// async fn index() {
    ///     std::future::pending::<()>().await;
    /// }
    ///
    /// let registry = ToolRegistry::builder("search").tools(tools![index]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?.tasks();
    /// let task = client.task("index", json!({}))?;
    /// task.listen(&mut client)?;
    /// task.cancel(&mut client)?;
    /// let notifications = client.notifications()?;
    /// assert_eq!(notifications[0]["method"], "notifications/subscriptions/acknowledged");
    /// assert_eq!(notifications[1]["method"], "notifications/tasks");
    /// assert_eq!(notifications[1]["params"]["status"], "cancelled");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The server refuses the request, does not grant it or has closed its output, or the timeout
    /// expired.
    pub fn listen(&self, client: &mut TestClient) -> io::Result<()> {
        client.listen("taskIds", &self.id)
    }

    /// The end of the task in the form of an answer to its call.
    pub(super) fn end(&self, client: &mut TestClient) -> io::Result<Value> {
        // The keys of a task's questions are unique for its life.
        let mut answered = BTreeSet::new();
        loop {
            let State { status, mut members } = self.pause(client, &answered)?;
            match status {
                TaskStatus::Completed => return Ok(json!({"result": members["result"].take()})),
                TaskStatus::Failed => return Ok(json!({"error": members["error"].take()})),
                TaskStatus::Cancelled => {
                    return Err(failed(ErrorKind::Other, "the task was cancelled", &self.request));
                }
                TaskStatus::Working | TaskStatus::InputRequired => {}
            }
            let questions = &members["inputRequests"];
            let is_new = |key: &str| !answered.contains(key);
            let Some(responses) = client.answers.responses_to(questions, is_new) else {
                let what = format!("the task asks what the client does not answer: {questions}");
                return Err(failed(ErrorKind::Other, what, &self.request));
            };
            answered.extend(responses.keys().cloned());
            self.update(client, responses)?;
        }
    }

    /// The state of the task once it has ended, or asks a question that was not answered.
    fn pause(&self, client: &mut TestClient, answered: &BTreeSet<String>) -> io::Result<State> {
        let listener = client.send_listen("taskIds", &self.id)?;
        let state = self.paused(client, answered, listener);
        let closed = client.close_listen(listener);
        state.and_then(|state| closed.map(|()| state))
    }

    /// The same, told of changes by a subscription.
    fn paused(
        &self,
        client: &mut TestClient,
        answered: &BTreeSet<String>,
        listener: u64,
    ) -> io::Result<State> {
        let end = client.end();
        loop {
            let state = self.state(client)?;
            if state.is_pause(answered) {
                return Ok(state);
            }
            if Instant::now() >= end {
                let what = format!("no change of the task within {:?}", client.timeout);
                return Err(failed(ErrorKind::TimedOut, what, &self.request));
            }
            let next = Instant::now() + state.poll_interval();
            client.comes(next.min(end), |message| {
                // The test itself may listen too.
                message["method"] == "notifications/tasks" && is_of(message, listener)
            })?;
        }
    }

    fn state(&self, client: &mut TestClient) -> io::Result<State> {
        let members = client.result("tasks/get", json!({"taskId": self.id}))?;
        let status = TaskStatus::deserialize(&members["status"]).map_err(|error| {
            let what = format!("the answer is no state of a task: {error}: {members}");
            failed(ErrorKind::InvalidData, what, &self.request)
        })?;
        Ok(State { status, members })
    }
}

impl State {
    /// True unless the task goes on without its client.
    fn is_pause(&self, answered: &BTreeSet<String>) -> bool {
        match self.status {
            TaskStatus::Working => false,
            TaskStatus::InputRequired => {
                let mut questions = self.members["inputRequests"].as_object().into_iter().flatten();
                questions.any(|(key, _)| !answered.contains(key))
            }
            _ => true,
        }
    }

    /// How long the client should wait before it asks again. A server need not say it.
    fn poll_interval(&self) -> Duration {
        Duration::from_millis(self.members["pollIntervalMs"].as_u64().unwrap_or(1_000))
    }
}
