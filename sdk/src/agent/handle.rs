//! What steers a run: [`Handle`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::oneshot::Receiver;

use super::channel::{Channel, Closed};
use super::control::{self, Answer, SentId};
use super::core::Core;
use super::error::{ControlError, ProcessExit, RunError};
use super::permission::PermissionMode;
use super::prompt::UserPrompt;
use super::status::{ContextUsage, Interrupted, McpServerStatus, Rewound};
use super::turns::Asker;
use super::wire::{Field, RawJson, Record};

const INTERRUPT: &str = "interrupt";
const SET_MODE: &str = "set_permission_mode";

/// Prompts and controls a run from any task. Its tools have it from
/// [`Context::agent`](crate::Context::agent), its hooks and other callbacks from what they are
/// called with.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use std::time::Duration;
///
/// use toolwright::agent::{AgentClient, AgentOptions};
///
/// let mut client = AgentClient::connect(AgentOptions::builder().build()?).await?;
/// client.query("Count the files here.").await?;
/// let handle = client.handle();
/// tokio::spawn(async move {
///     tokio::time::sleep(Duration::from_secs(60)).await;
///     handle.interrupt().await
/// });
/// while let Some(message) = client.next_response().await {
///     println!("{}", message?.raw());
/// }
/// # Ok(())
/// # }
/// ```
///
/// A clone controls the same run. A handle does not keep the run alive. A request fails if the CLI
/// refuses it, does not answer in time or has ended, or if its input is closed
/// ([`ControlError::InputClosed`]).
#[derive(Clone)]
pub struct Handle {
    pub(super) core: Arc<Core>,
}

impl Handle {
    /// Sends a prompt, also from within a tool or a callback. It does not wait for the answer:
    /// a tool's own call has to end before the turn can go on. It waits for room like
    /// [`ask`](super::AgentClient::ask). A future that is dropped before it is ready has sent
    /// nothing.
    ///
    /// By default a turn that runs tools takes the prompt up when these have ended, and answers
    /// both; [`UserPrompt::priority`] changes this. If the prompt begins a turn, then
    /// [`AgentClient::next_response`](super::AgentClient::next_response) and
    /// [`messages`](super::AgentClient::messages) have it, as they have the turns that the CLI
    /// begins by itself.
    ///
    /// ```
    /// use toolwright::agent::{AgentClient, AgentOptions, RunError};
    /// use toolwright::testing::ScriptedCli;
    /// use toolwright::{Context, ToolRegistry, json, tool, tools};
    ///
    /// /// Count the stars.
    /// #[tool]
    /// async fn count(cx: &Context) -> Result<u32, RunError> {
    ///     if let Some(agent) = cx.agent() {
    ///         agent.send("By the way, one has just fallen.").await?;
    ///     }
    ///     Ok(3000)
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let sky = ToolRegistry::builder("sky").tools(tools![count]).build()?;
    /// let options = AgentOptions::builder().allow_registry(&sky).mcp_server(sky).build()?;
    /// let cli = ScriptedCli::new()
    ///     .turn(|turn| turn.call("mcp__sky__count", json!({})).say("2999, then."));
    /// let seen = cli.seen();
    /// let client = AgentClient::connect_with(cli, options).await?;
    ///
    /// let result = client.ask("How many stars are there?").await?.finish().await?;
    /// // One turn answers both.
    /// assert_eq!(result.text(), "2999, then.");
    /// assert_eq!(seen.prompts()[1], "By the way, one has just fallen.");
    /// # client.close().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The CLI has ended, or its input is closed.
    pub async fn send(&self, prompt: impl Into<UserPrompt>) -> Result<(), RunError> {
        self.core.prompt_as(prompt.into(), Asker::Handle, |_| ()).await.map(drop)
    }

    /// Stops the current turn. Unless it ended just before, its result has `is_error`, and the
    /// error of [`Turn::finish`](super::Turn::finish) says that it
    /// [was interrupted](RunError::is_interrupted). To drop the future withdraws the request, but
    /// the CLI may have interrupted by then.
    ///
    /// It stops whatever turn runs when it arrives: wait for its answer before the next prompt. For
    /// a prompt that still waits there is [`cancel_async_message`](Self::cancel_async_message). The
    /// CLI takes back what it asks the callbacks of the turn before it answers. So in a callback
    /// nothing behind this call runs: call it from a task of its own, or let the permission be
    /// [denied with an interrupt](super::Permission::and_interrupt).
    ///
    /// # Errors
    ///
    /// The CLI refuses it, does not answer in time or has ended.
    pub async fn interrupt(&self) -> Result<Interrupted, ControlError> {
        control::decode(INTERRUPT, &self.send_interrupt(&json!({})).await?)
    }

    /// Changes the permission mode. Returns the mode that is then in effect, which can be another
    /// one, or `mode` where the CLI does not name it.
    ///
    /// # Errors
    ///
    /// The CLI refuses it, as it does for [`PermissionMode::BypassPermissions`] in a run that was
    /// not started for that, does not answer in time or has ended.
    pub async fn set_permission_mode(
        &self,
        mode: PermissionMode,
    ) -> Result<PermissionMode, ControlError> {
        let answer = self.exchange(SET_MODE, &json!({"mode": mode}), self.timeout()).await?;
        let now = control::decode_member::<Option<_>>(SET_MODE, &answer, "mode");
        Ok(now.ok().flatten().unwrap_or(mode))
    }

    /// Changes the model; `None` means the default model.
    ///
    /// # Errors
    ///
    /// The CLI refuses it, does not answer in time or has ended.
    pub async fn set_model(&self, model: Option<&str>) -> Result<(), ControlError> {
        self.exchange("set_model", &json!({"model": model}), self.timeout()).await.map(drop)
    }

    /// The status of the MCP servers.
    ///
    /// # Errors
    ///
    /// The CLI refuses it, does not answer in time or has ended.
    pub async fn mcp_status(&self) -> Result<Vec<McpServerStatus>, ControlError> {
        self.member("mcp_status", &json!({}), "mcpServers").await
    }

    /// Restores files that `Write`, `Edit` and `NotebookEdit` have changed, and not those that a
    /// command of `Bash` has, to their state before the prompt of this uuid, which is
    /// [`Turn::prompt_uuid`](super::Turn::prompt_uuid) or was given by
    /// [`UserPrompt::uuid`](super::UserPrompt::uuid). Needs
    /// [`enable_file_checkpointing`](super::AgentOptionsBuilder::enable_file_checkpointing). With
    /// `dry_run` nothing is changed, and the answer says whether it can be done, and what would
    /// change; without it the answer does not say what has changed.
    ///
    /// # Errors
    ///
    /// It cannot be done and is no `dry_run`, or the CLI does not answer in time or has ended.
    pub async fn rewind_files(
        &self,
        user_message_id: &str,
        dry_run: bool,
    ) -> Result<Rewound, ControlError> {
        self.typed("rewind_files", &json!({"user_message_id": user_message_id, "dry_run": dry_run}))
            .await
    }

    /// The use of the context window.
    ///
    /// # Errors
    ///
    /// The CLI refuses it, does not answer in time or has ended.
    pub async fn get_context_usage(&self) -> Result<ContextUsage, ControlError> {
        self.typed("get_context_usage", &json!({})).await
    }

    /// Sends a control request of any subtype and gives the `response` object of the answer. `body`
    /// is an object with the members beside `subtype`; anything else fails and is not sent.
    /// Dropping the future withdraws the request.
    ///
    /// ```no_run
    /// # use toolwright::agent::{AgentClient, ControlError};
    /// # async fn example(client: AgentClient) -> Result<(), ControlError> {
    /// let answer = client.request("get_binary_version", toolwright::json!({})).await?;
    /// println!("{}", answer.to_value()["version"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// `body` is no object, or the CLI refuses it, does not answer in time or has ended.
    pub async fn request(&self, subtype: &str, body: Value) -> Result<RawJson, ControlError> {
        if !body.is_object() {
            return Err(ControlError::NoObject { subtype: subtype.to_owned() });
        }
        let answer = match subtype {
            INTERRUPT => self.send_interrupt(&body).await?,
            _ => self.exchange(subtype, &body, self.timeout()).await?,
        };
        control::raw(subtype, answer)
    }

    /// How the process ended, once it has.
    pub fn exit(&self) -> Option<ProcessExit> {
        self.core.lifecycle.exit()
    }

    /// Interrupts, and takes note of the turns that end by it.
    async fn send_interrupt(&self, body: &impl Serialize) -> Result<Box<str>, ControlError> {
        self.room(INTERRUPT, self.timeout()).await?;
        // The CLI knows nothing of what is sent while the request is under way.
        let numbering = self.core.numbering.lock().await;
        let sent = self.core.turns.sent();
        let begun = self.core.channel.request(INTERRUPT, body);
        drop(numbering);
        let Ok((id, answer)) = begun else { return Err(self.closed(INTERRUPT).await) };
        let _retraction = Withdrawal { channel: &self.core.channel, id, by: Channel::retract };
        // What was interrupted before that stays so: a task of its own waits for the answer.
        let this = self.clone();
        let noted = tokio::spawn(async move {
            let answer = this.answered(INTERRUPT, id, answer, this.timeout()).await?;
            if let Ok(receipt) = control::decode::<Interrupted>(INTERRUPT, &answer) {
                this.core.turns.interrupt(sent, &receipt.still_queued, &receipt.cancelled);
            }
            Ok(answer)
        });
        // It ends early only with the runtime.
        match noted.await {
            Ok(answer) => answer,
            Err(_) => Err(self.closed(INTERRUPT).await),
        }
    }

    /// A handle of this run.
    pub(super) fn of(core: Arc<Core>) -> Self {
        Self { core }
    }

    /// How long a request of this program waits for its answer.
    pub(super) fn timeout(&self) -> Duration {
        self.core.control_timeout
    }

    pub(super) async fn typed<T: Record>(
        &self,
        subtype: &str,
        body: &impl Serialize,
    ) -> Result<T, ControlError> {
        let answer = self.exchange(subtype, body, self.timeout()).await?;
        control::decode(subtype, &answer)
    }

    /// Sends a control request and gives a member of its answer; if it is missing, the default.
    pub(super) async fn member<T: Field + Default>(
        &self,
        subtype: &str,
        body: &impl Serialize,
        name: &str,
    ) -> Result<T, ControlError> {
        let answer = self.exchange(subtype, body, self.timeout()).await?;
        control::decode_member(subtype, &answer, name)
    }

    /// Sends a control request and gives the text of its answer's `response`.
    pub(super) async fn exchange(
        &self,
        subtype: &str,
        body: &impl Serialize,
        timeout: Duration,
    ) -> Result<Box<str>, ControlError> {
        self.room(subtype, timeout).await?;
        match self.core.channel.request(subtype, body) {
            Ok((id, answer)) => self.answered(subtype, id, answer, timeout).await,
            Err(Closed) => Err(self.closed(subtype).await),
        }
    }

    /// Waits until there is room for a request.
    async fn room(&self, subtype: &str, timeout: Duration) -> Result<(), ControlError> {
        let room = tokio::time::timeout(timeout, self.core.channel.writer.room(0));
        room.await.map_err(|_| late(subtype, timeout))
    }

    /// Waits for the answer to a request.
    async fn answered(
        &self,
        subtype: &str,
        id: SentId,
        answer: Receiver<Answer>,
        timeout: Duration,
    ) -> Result<Box<str>, ControlError> {
        let _withdrawal = Withdrawal { channel: &self.core.channel, id, by: Channel::withdraw };
        match tokio::time::timeout(timeout, answer).await {
            Ok(Ok(answer)) => answer.map_err(|error| error.of(subtype)),
            Ok(Err(_)) => Err(self.closed(subtype).await),
            Err(_) => Err(late(subtype, timeout)),
        }
    }

    /// Why a request cannot be sent or has no answer. If the CLI ends, it waits until it is known
    /// how.
    async fn closed(&self, subtype: &str) -> ControlError {
        let subtype = subtype.to_owned();
        if self.core.lifecycle.is_ending() {
            self.core.lifecycle.ended().await;
        }
        match self.core.channel.ended().cloned() {
            None if self.core.lifecycle.is_one_shot() => ControlError::InputClosed { subtype },
            exit => ControlError::Closed { subtype, exit: exit.unwrap_or_default() },
        }
    }
}

fn late(subtype: &str, after: Duration) -> ControlError {
    ControlError::TimedOut { subtype: subtype.to_owned(), after }
}

/// Withdraws a request when its caller does not wait for its answer any more. Nothing happens if it
/// was answered.
struct Withdrawal<'a> {
    channel: &'a Channel,
    id: SentId,
    /// [`Channel::withdraw`], or [`Channel::retract`] for a request that may have had its effect.
    by: fn(&Channel, SentId),
}

impl Drop for Withdrawal<'_> {
    fn drop(&mut self) {
        (self.by)(self.channel, self.id);
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").field("exit", &self.exit()).finish_non_exhaustive()
    }
}
