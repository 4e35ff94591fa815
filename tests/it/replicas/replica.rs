use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::timeout;

use super::PATIENCE;

/// A process that serves on a port of its own.
#[derive(Debug)]
pub(super) struct Replica {
    /// Such as `127.0.0.1:8080`.
    pub(super) address: String,
    child: Child,
    log: UnboundedReceiver<String>,
}

impl Replica {
    /// The fixture, perhaps with sessions that all replicas can go on with.
    pub(super) async fn fixture(with_sessions: bool, bus: Option<&str>) -> Self {
        Self::start(command(with_sessions), bus).await
    }

    /// The fixture that finds the URL of the bus in the environment.
    pub(super) async fn with_variable(bus: &str) -> Self {
        let mut command = command(false);
        command.args(["--http", "127.0.0.1:0"]).env("TOOLWRIGHT_BUS", bus);
        Self::run(command, true).await
    }

    /// Waits until it listens, and is connected to the bus.
    pub(super) async fn start(mut command: Command, bus: Option<&str>) -> Self {
        command.args(["--http", "127.0.0.1:0"]);
        command.args(bus.into_iter().flat_map(|bus| ["--bus", bus]));
        Self::run(command, bus.is_some()).await
    }

    async fn run(mut command: Command, has_bus: bool) -> Self {
        let mut child = command
            .env("RUST_LOG", "toolwright=info")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (say, log) = mpsc::unbounded_channel();
        // A process waits when nobody reads what it says.
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                let _ = say.send(line);
            }
        });
        let mut replica = Self { address: String::new(), child, log };
        let (mut is_connected, mut said) = (!has_bus, Vec::new());
        while replica.address.is_empty() || !is_connected {
            let line = timeout(PATIENCE, replica.log.recv()).await.expect("it says something");
            let line = line.unwrap_or_else(|| panic!("it does not start: {said:?}"));
            if let Some(url) = line.strip_prefix("listening on http://") {
                replica.address = url.trim_end_matches("/mcp").to_owned();
            }
            is_connected |= line.contains(CONNECTED);
            said.push(line);
        }
        replica
    }

    /// Waits until it is connected to the bus once more.
    pub(super) async fn reconnected(&mut self) {
        self.says(CONNECTED).await;
    }

    /// Waits until it logs this.
    pub(super) async fn says(&mut self, part: &str) {
        let said = async { while !self.log.recv().await.expect("it runs").contains(part) {} };
        timeout(PATIENCE, said).await.unwrap_or_else(|_| panic!("it does not say {part}"));
    }

    pub(super) async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Tells it to end, and waits until it takes no more connections.
    pub(super) async fn stop(&self) {
        let id = self.child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        kill_process(id.expect("it runs"), Signal::TERM).unwrap();
        let closed = async { while TcpStream::connect(&self.address).await.is_ok() {} };
        timeout(PATIENCE, closed).await.expect("it takes connections");
    }

    pub(super) async fn ended(&mut self) {
        let ended = timeout(PATIENCE, self.child.wait()).await.expect("it ends").unwrap();
        assert!(ended.success(), "{ended}");
    }
}

fn command(with_sessions: bool) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fixture"));
    command
        .args(with_sessions.then_some("--sessions"))
        .env_clear()
        .env("FIXTURE_SESSION_KEY", "a key that only these tests have");
    command
}

/// What a replica logs once it hears of the changes of others, after it has told its own clients.
const CONNECTED: &str = "the bus is connected";
