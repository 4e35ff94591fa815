//! The errors of the agent, one enum for each operation.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use super::message::{ResultMessage, kind_of_error};

/// How the CLI's process ended.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ProcessExit {
    /// Its exit status, if it is known.
    pub status: Option<ExitStatus>,
    /// The last 64 KiB at most of what it wrote to standard error.
    pub stderr: String,
}

/// Why [`query`](super::query()) or [`AgentClient::connect`](super::AgentClient::connect) failed.
///
/// ```no_run
/// # use toolwright::agent::{AgentOptions, ConnectError, query};
/// # async fn example() {
/// match query("Hello!", AgentOptions::default()).await {
///     Ok(run) => drop(run),
///     Err(ConnectError::CliNotFound { .. }) => println!("Please install Claude Code."),
///     Err(error) => println!("{error}"),
/// }
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The `claude` program was not found.
    #[error(
        "the claude program was not found in {}; install it (npm install -g \
         @anthropic-ai/claude-code), or name it by `cli_path`",
        list(searched)
    )]
    CliNotFound {
        /// The places that were searched.
        searched: Vec<PathBuf>,
    },
    /// The program was found and cannot be started.
    #[error("{} cannot be started: {source}", path.display())]
    Spawn {
        /// The program.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The working folder does not exist, is no folder, or cannot be entered.
    #[error("the working folder {} cannot be used: {source}", path.display())]
    WorkingFolder {
        /// The folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The program ended before it was ready.
    #[error("the claude program ended before it was ready: {0}")]
    Exited(ProcessExit),
    /// The program ended before it was ready, and has said why.
    #[error("the claude program cannot start{}: {}", cause(result), result.text())]
    Failed {
        /// What it has said, with the kind of the cause in
        /// [`startup_failure_reason`](ResultMessage::startup_failure_reason).
        result: Box<ResultMessage>,
        /// How it ended.
        exit: ProcessExit,
    },
    /// The program refused or did not answer `initialize`.
    #[error("the claude program cannot be initialised: {0}")]
    Initialize(#[source] ControlError),
    /// The program is too old for an option without which the run must not start, or does not do
    /// what the option says.
    #[error("the claude program does not support {option}")]
    Unsupported {
        /// The option.
        option: &'static str,
    },
    /// The program has no [`agent`](super::AgentOptionsBuilder::agent) of this name, or could not
    /// read its definition: it would go on with its default agent.
    #[error("the claude program has no agent {name}, only {}", known.join(", "))]
    UnknownAgent {
        /// The name in the options.
        name: String,
        /// The agents that there are.
        known: Vec<String>,
    },
    /// The file of settings, to which the sandbox must be added, cannot be read.
    #[error("the settings in {} cannot be read: {source}", path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// There is no such user to run the program as.
    #[error("there is no user {name}")]
    User {
        /// The user's name.
        name: String,
    },
    /// A temporary file, for options that must not or cannot be arguments, cannot be written.
    #[error("the options cannot be written to a temporary file: {0}")]
    TemporaryFile(#[source] io::Error),
    /// The session that is resumed cannot be fetched from its store, or copied into it before.
    #[cfg(feature = "sessions")]
    #[error("the session cannot be resumed from its store: {0}")]
    Store(#[source] super::sessions::StoreError),
    /// There is no tokio runtime, or it lacks what a run needs.
    #[error("the tokio runtime cannot be used: {missing}")]
    Runtime {
        /// What is missing.
        missing: &'static str,
    },
    /// Something else on the way to the program failed, also before the program was ready.
    #[error("the transport failed before the claude program was ready: {0}")]
    Transport(#[source] io::Error),
}

/// Why a control request such as [`Handle::interrupt`](super::Handle::interrupt) failed.
///
/// ```no_run
/// # use toolwright::agent::{AgentClient, ControlError};
/// # async fn example(client: AgentClient) {
/// match client.set_model(Some("opus")).await {
///     Err(ControlError::Refused { message, .. }) => println!("It stays as it is: {message}"),
///     done => println!("{done:?}"),
/// }
/// # }
/// ```
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// The CLI answered with an error.
    #[error("the CLI refused: {message}")]
    Refused {
        /// The message of the CLI.
        message: String,
        /// Its code, such as `unsupported_request`.
        code: Option<String>,
    },
    /// The CLI did not answer in time, and the request was withdrawn.
    #[error("no answer to {subtype} within {after:?}")]
    TimedOut {
        /// The request's subtype.
        subtype: String,
        /// The time-out.
        after: Duration,
    },
    /// The CLI still runs, but its input is closed, so nothing can be sent any more. A
    /// [`Query`](super::Query) closes it behind its last prompt, or, if it has hooks, callbacks for
    /// permissions, elicitations or dialogs, or in-process tools, at its end. An
    /// [`AgentClient`](super::AgentClient) keeps it open.
    #[error("{subtype} cannot be sent: the input of the claude program is closed")]
    InputClosed {
        /// The request's subtype.
        subtype: String,
    },
    /// The members of a [`request`](super::Handle::request) are no JSON object. Nothing was sent.
    #[error("{subtype} cannot be sent: its members are no JSON object")]
    NoObject {
        /// The request's subtype.
        subtype: String,
    },
    /// The servers of [`set_mcp_servers`](super::Handle::set_mcp_servers) are such that
    /// [`build`](super::AgentOptionsBuilder::build) would refuse them, too. Nothing was sent.
    #[error("the MCP servers cannot be set: {}", complaints.join("; "))]
    WrongServers {
        /// What is wrong, each with the name of its server.
        complaints: Vec<String>,
    },
    /// The run ended before the CLI answered.
    #[error("the run ended before {subtype} was answered: {exit}")]
    Closed {
        /// The request's subtype.
        subtype: String,
        /// How the process ended, as far as that is known.
        exit: ProcessExit,
    },
    /// The answer does not have the expected form.
    #[error("the answer to {subtype} cannot be read: {reason}")]
    Malformed {
        /// The request's subtype.
        subtype: String,
        /// The decoder's message.
        reason: String,
    },
}

/// Why a run failed after it had begun. A clone has the same cause.
///
/// ```no_run
/// # use toolwright::agent::{AgentClient, RunError};
/// # async fn example(client: AgentClient) -> Result<(), RunError> {
/// match client.ask("Count the files.").await?.finish().await {
///     Ok(result) => println!("{}", result.text()),
///     Err(RunError::ErrorResult { text, result, .. }) => {
///         println!("{text}, for ${:.4}", result.total_cost_usd)
///     }
///     Err(RunError::Process(exit)) => println!("{exit}"),
///     Err(error) => return Err(error),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The process failed, and no error result has explained it; that of one prompt explains
    /// nothing to the others. Or, for a prompt that is sent later, the process has ended, with
    /// success or not.
    #[error("the claude program {verb}: {0}", verb = .0.verb())]
    Process(ProcessExit),
    /// The messages that were not read exceed the bound, which
    /// [`max_unread`](super::AgentOptionsBuilder::max_unread) sets.
    #[error("{unread} bytes of messages were not read, more than the {bound} that may wait")]
    Unread {
        /// The bytes that were not read.
        unread: usize,
        /// The bound in bytes.
        bound: usize,
    },
    /// The CLI does not read its input: more than 64 MiB wait for it.
    #[error("the CLI does not read: {unwritten} bytes wait for it")]
    Unwritten {
        /// The bytes that wait.
        unwritten: usize,
    },
    /// The transport failed: the CLI's output cannot be read. Or the CLI takes no more input, and
    /// its output has not ended 5 s later.
    #[error("the transport failed: {0}")]
    Transport(#[source] Arc<io::Error>),
    /// The CLI still runs, but its input is closed or is being closed, so it takes no more prompts.
    /// A [`Query`](super::Query) closes it, see [`ControlError::InputClosed`], and so does who
    /// closes or drops an [`AgentClient`](super::AgentClient).
    #[error("no prompt can be sent: the input of the claude program is closed")]
    InputClosed,
    /// The CLI would not answer the prompt, as `shouldQuery` in it is `false`, so there is no turn
    /// to be read. Only [`AgentClient::ask`](super::AgentClient::ask) reports it.
    #[error("a prompt that runs no turn has no answer")]
    NoTurn,
    /// The prompt was taken out of the CLI's queue before a turn took it up. Only
    /// [`Turn::finish`](super::Turn::finish) reports it, and [`Turn::next`](super::Turn::next) if
    /// there was another result; else it is [`NoResult`](Self::NoResult) to the `watch` of a view.
    #[error("the prompt was taken out of the queue")]
    Withdrawn,
    /// The run ended without a result. Only [`Query::finish`](super::Query::finish),
    /// [`Turn::finish`](super::Turn::finish) and the `watch` of a view report it, and
    /// [`Turn::next`](super::Turn::next) if there was another result.
    #[error("the run ended without a result")]
    NoResult,
    /// The run or the turn ended with an error result. Only
    /// [`Query::finish`](super::Query::finish), [`Turn::finish`](super::Turn::finish) and the
    /// `watch` of a view report it as an error; [`is_interrupted`](Self::is_interrupted) says
    /// whether somebody wanted that.
    #[error("{}", failure(subtype, text, result))]
    ErrorResult {
        /// The result's subtype.
        subtype: String,
        /// The result's text.
        text: String,
        /// The result, with its cost, the denied calls, the API's status and so on.
        result: Box<ResultMessage>,
    },
}

impl RunError {
    /// Whether the turn was [interrupted](ResultMessage::is_interrupted), so that nothing has gone
    /// wrong.
    ///
    /// ```
    /// # use toolwright::agent::{AgentClient, AgentOptions, Error};
    /// # use toolwright::testing::ScriptedCli;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Error> {
    /// # let cli = ScriptedCli::new().turn(|turn| turn.say("Once upon").until_interrupted());
    /// # let client = AgentClient::connect_with(cli, AgentOptions::default()).await?;
    /// let mut turn = client.ask("Tell me a story.").await?;
    /// assert_eq!(turn.texts().next().await.unwrap()?, "Once upon");
    ///
    /// client.interrupt().await?;
    /// match turn.finish().await {
    ///     Err(error) if error.is_interrupted() => println!("{error}"),
    ///     other => panic!("{other:?}"),
    /// }
    /// # client.close().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::ErrorResult { result, .. } if result.is_interrupted())
    }

    /// A word for the kind of the error.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Process(_) => "process",
            Self::Unread { .. } => "unread",
            Self::Unwritten { .. } => "unwritten",
            Self::Transport(_) => "transport",
            _ => "other",
        }
    }

    /// The error of an error result.
    pub(crate) fn check(result: ResultMessage) -> Result<ResultMessage, Self> {
        match result.is_success() {
            false => Err(Self::ErrorResult {
                subtype: result.subtype.clone(),
                text: result.text().into_owned(),
                result: Box::new(result),
            }),
            true => Ok(result),
        }
    }
}

impl ProcessExit {
    /// What it has done.
    fn verb(&self) -> &'static str {
        match self.status.is_some_and(|status| status.success()) {
            true => "has ended",
            false => "failed",
        }
    }
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => write!(f, "{status}")?,
            None => f.write_str("its output ended")?,
        }
        match self.stderr.trim().lines().last() {
            Some(last) => write!(f, ", standard error ends with: {last}"),
            None => Ok(()),
        }
    }
}

/// What an error result says. The text of an interrupted turn is a diagnostic of the CLI.
fn failure(subtype: &str, text: &str, result: &ResultMessage) -> String {
    match result.is_interrupted() {
        true => "the turn was interrupted".into(),
        false => format!("the run ended with an error result{}: {text}", kind_of_error(subtype)),
    }
}

/// The kind of a failure to start.
fn cause(result: &ResultMessage) -> String {
    kind_of_error(result.startup_failure_reason.as_deref().unwrap_or(&result.subtype))
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
