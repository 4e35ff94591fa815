use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Child;
use toolwright::agent::Message;
use toolwright::agent::sessions::{PostgresStore, StoredSessions};
use toolwright::testing::ScriptedModel;

use crate::cli::{self, Folder};
use crate::examples;
use crate::peers::on_path;
use crate::replicas::port;
use crate::stores::{Postgres, Server};

/// The longest that no turn may end.
const SILENCE: Duration = Duration::from_secs(120);

/// A server of NATS that keeps its queues in a folder, and its URL. `None` if none is installed.
pub(super) fn nats(folder: &Folder) -> Option<(Server, String)> {
    let (mut command, port) = (Command::new(on_path("nats-server")?), port::free());
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]);
    let server = Server::start(command.arg(folder.path().join("nats")).env_clear(), "is ready");
    Some((server, format!("nats://127.0.0.1:{port}")))
}

/// A queue, a database, a model, and workers.
pub(super) struct Scene {
    pub(super) model: ScriptedModel,
    workers: Vec<Child>,
    programs: HashMap<String, PathBuf>,
    cli: PathBuf,
    database: String,
    nats: String,
    postgres: Postgres,
    /// Before the folder, in which it writes.
    _queue: Server,
    folder: Folder,
}

impl Scene {
    /// `None` where something is not installed, and then there is nothing to test.
    pub(super) async fn start() -> Option<Self> {
        let (cli, folder) = (cli::installed()?, Folder::create());
        let ((queue, nats), postgres) = (nats(&folder)?, Postgres::start()?);
        fs::create_dir(folder.path().join("project")).unwrap();
        Some(Self {
            model: ScriptedModel::start().await.unwrap(),
            workers: Vec::new(),
            programs: examples::binaries(),
            cli,
            database: postgres.schema(),
            nats,
            postgres,
            _queue: queue,
            folder,
        })
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub(super) fn add_worker(&mut self) {
        let name = format!("worker-{}", self.workers.len());
        let home = self.folder.path().join(&name);
        // Each has a home of its own, as on a machine of its own.
        let programs = home.join(".local/bin");
        fs::create_dir_all(&programs).unwrap();
        symlink(&self.cli, programs.join("claude")).unwrap();
        let mut command = tokio::process::Command::new(&self.programs["worker"]);
        command
            .env_clear()
            .envs(self.model.environment())
            .envs([("HOME", &home), ("CLAUDE_CONFIG_DIR", &home), ("TMPDIR", &home)])
            .envs([("NATS_URL", &self.nats), ("DATABASE_URL", &self.database)])
            .env("FLEET_FOLDER", self.project())
            .env("HOSTNAME", name);
        let worker = command.stdin(Stdio::null()).kill_on_drop(true).spawn().unwrap();
        self.workers.push(worker);
    }

    pub(super) async fn kill(&mut self, worker: usize) {
        self.workers[worker].kill().await.unwrap();
    }

    pub(super) fn submit(&self, session: &str, prompts: &[String]) {
        let mut command = Command::new(&self.programs["submit"]);
        let output = command.env_clear().args([&self.nats, session]).args(prompts).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Waits until so many turns are recorded.
    pub(super) async fn until_done(&mut self, turns: usize) {
        let (mut done, mut since) = (0, Instant::now());
        while done < turns {
            assert!(since.elapsed() < SILENCE, "no turn ends any more after {done} of {turns}");
            // Each look starts a program, which needs the cores of the workers.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let now = self.count("count(*)");
            if now > done {
                (done, since) = (now, Instant::now());
            }
        }
    }

    pub(super) fn workers_of_turns(&self) -> usize {
        self.count("count(DISTINCT worker)")
    }

    fn count(&self, what: &str) -> usize {
        // There is no table before the first worker has made it.
        let select = format!("SELECT {what} FROM fleet_turns");
        self.postgres.ask(&self.database, &select).trim().parse().unwrap_or_default()
    }

    /// The texts of a session's transcript, in order.
    pub(super) async fn transcript(&self, session: &str) -> Vec<String> {
        let store = Arc::new(PostgresStore::without_tls(&*self.database));
        let sessions = StoredSessions::of(store, self.project());
        let messages = sessions.session_messages(session, ..).await.unwrap();
        let text = |message: Message| match message {
            Message::User(message) => message.text().into_owned(),
            Message::Assistant(message) => message.text().into_owned(),
            other => panic!("{other:?}"),
        };
        messages.iter().map(|message| text(message.to_message())).collect()
    }

    /// Ends the workers as a machine that goes down does.
    pub(super) async fn close(mut self) {
        for worker in &mut self.workers {
            let Some(id) = worker.id() else { continue };
            kill_process(Pid::from_raw(id.cast_signed()).unwrap(), Signal::TERM).unwrap();
            assert!(worker.wait().await.unwrap().success());
        }
    }
}
