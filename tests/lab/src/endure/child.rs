use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::killed::Killed;
use crate::watchdog::Watchdog;

/// How long a process may be silent.
const SILENCE: Duration = Duration::from_secs(60);

const EXIT_LIMIT: Duration = Duration::from_secs(30);

/// A process with pipes. It is killed when it is silent for a minute, and when this is dropped.
pub struct Child {
    /// First, as fields are dropped in order and it must be gone before the process is waited for.
    watchdog: Option<Watchdog>,
    process: Killed,
}

impl Child {
    pub fn start(command: &mut Command) -> Result<(Self, ChildStdin, ChildStdout)> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let program = command.get_program().display().to_string();
        let mut process = Killed(spawned.with_context(|| format!("starting {program}"))?);
        let stdin = process.0.stdin.take().context("no stdin")?;
        let stdout = process.0.stdout.take().context("no stdout")?;
        let watchdog = Some(Watchdog::over_for(&process.0, SILENCE));
        Ok((Self { watchdog, process }, stdin, stdout))
    }

    pub fn id(&self) -> u32 {
        self.process.0.id()
    }

    /// It has said something.
    pub fn lives(&self) {
        self.watchdog.iter().for_each(Watchdog::feed);
    }

    /// Kills it, and waits until it has ended.
    pub fn kill(mut self) -> Result<()> {
        self.watchdog = None;
        self.process.0.kill().context("killing a process")?;
        self.process.0.wait().map(drop).context("waiting for a process")
    }

    /// Fails unless it ends with status 0 now that its input is closed.
    pub fn ends_well(mut self) -> Result<()> {
        let status = self.status()?;
        ensure!(status.success(), "it ended with {status} after its input was closed");
        Ok(())
    }

    /// Why its output has ended.
    pub fn end(&mut self) -> String {
        match self.status() {
            Ok(status) => {
                format!("it ended with {status}, or was killed after {SILENCE:?} of silence")
            }
            Err(error) => format!("{error:#}"),
        }
    }

    fn status(&mut self) -> Result<ExitStatus> {
        self.watchdog = None;
        let clock = Instant::now();
        loop {
            if let Some(status) = self.process.0.try_wait().context("waiting for a process")? {
                return Ok(status);
            }
            ensure!(clock.elapsed() < EXIT_LIMIT, "it is still there after {EXIT_LIMIT:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
