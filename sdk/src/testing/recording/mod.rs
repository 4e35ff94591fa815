//! Recordings of runs.

mod entry;
mod secrets;
mod tape;
mod taped;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tokio::sync::mpsc::unbounded_channel;

use crate::agent::ConnectError;
use crate::agent::transport::{Connection, Launch, Transport};

pub(super) use self::entry::Entry;
pub(super) use self::secrets::REDACTED;
use self::secrets::Secrets;
use self::tape::Tape;
use self::taped::{TapedInput, TapedOutput, TapedPeer};

/// A [`Transport`] around another one that writes all that passes to a file, which
/// [`ScriptedCli::replay`](super::ScriptedCli::replay) plays: a test made of a real run.
///
/// ```no_run
/// use toolwright::agent::transport::Process;
/// use toolwright::agent::{AgentOptions, query_with};
/// use toolwright::testing::{Recording, ScriptedCli};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // Once, with the real CLI:
/// let recording = Recording::new(Process::new(), "tests/sum.jsonl").redact("Jane Doe");
/// query_with(recording, "What is 2 + 40?", AgentOptions::default()).await?.finish().await?;
/// // In the test:
/// let cli = ScriptedCli::replay("tests/sum.jsonl")?;
/// query_with(cli, "What is 2 + 40?", AgentOptions::default()).await?.finish().await?;
/// # Ok(())
/// # }
/// ```
///
/// The file has one JSON value a line: the arguments of the CLI, each message with the side that
/// sent it, the end of the input, and how the CLI exited. It is written as the run goes on, so a
/// run that is cut off leaves what came until then. A run of which the file cannot be written
/// fails, unless all that is missing is how it ended. Half a character, which the strings of
/// JavaScript may hold, is recorded as U+FFFD.
///
/// # What is redacted
///
/// These become `[redacted]`, wherever they are:
///
/// - the values, trimmed and of at least 6 bytes, of variables and HTTP headers whose name ends in
///   a word like `KEY`, `TOKEN`, `SECRET`, `PASSWORD`, `CREDENTIALS`, `COOKIE` or `AUTH`, or is
///   after the last underscore `PASS`, `PAT`, `JWT` or `DSN`: the variables of the CLI's
///   environment, inherited or set by the options, and what configurations of MCP servers and
///   settings have under `env` and `headers`, also those that are set while the run goes on;
/// - keys that begin with `sk-ant-`, what follows `Authorization:`, at least 16 characters behind
///   `Bearer`, and passwords in URLs;
/// - the texts that are given to [`redact`](Self::redact), trimmed.
///
/// In a replay tools and other callbacks get their arguments without them, so one whose answer
/// depends on such an argument differs from the recording there.
///
/// A secret that comes in pieces, as the deltas of partial messages do, is not found, and nor is
/// one in another encoding than that of JSON, or a number. Look through a recording before you
/// publish it.
#[must_use = "nothing is recorded until something connects"]
pub struct Recording {
    transport: Box<dyn Transport>,
    path: PathBuf,
    secrets: Vec<String>,
}

impl Recording {
    /// Records what passes through `transport`. The file is created, or emptied, when a run
    /// connects. Only this user can read it and the folders that are created for it; a file that is
    /// there already keeps its mode.
    ///
    /// Which program a [`Process`](crate::agent::transport::Process) starts is said to it, by
    /// [`Process::cli_path`](crate::agent::transport::Process::cli_path): the option of the same
    /// name is for runs that are given no transport.
    pub fn new(transport: impl Transport + 'static, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref().to_owned();
        Self { transport: Box::new(transport), path, secrets: Vec::new() }
    }

    /// Also redacts this text.
    pub fn redact(mut self, text: impl Into<String>) -> Self {
        self.secrets.push(text.into());
        self
    }
}

#[async_trait]
impl Transport for Recording {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        let secrets = Secrets::new(self.secrets, &launch);
        let tape = Tape::create(&self.path, secrets).map_err(ConnectError::Transport)?;
        let args = launch.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        tape.add(Entry::Launch { args }).map_err(ConnectError::Transport)?;
        let Connection { incoming, outgoing, peer } = self.transport.connect(launch).await?;
        let (failed, failures) = unbounded_channel();
        Ok(Connection::new(
            TapedOutput::new(incoming, tape.clone(), failures),
            TapedInput::new(outgoing, tape.clone(), failed),
            TapedPeer::new(peer, tape),
        ))
    }
}

/// What is redacted is secret here, too.
impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording").field("path", &self.path).finish_non_exhaustive()
    }
}
