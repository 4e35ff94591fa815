#[cfg(target_os = "linux")]
mod processes;

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use async_nats::Subscriber;
use futures_util::StreamExt as _;
use futures_util::future::select_all;
use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Child;
use tokio::time::timeout;
use toolwright::agent::Message;
use toolwright::agent::sessions::{PostgresStore, StoredSessions};
use toolwright::testing::{Gate, ScriptedModel};

use super::nats::Nats;
use super::tools::Tools;
use crate::cli::{self, Folder};
use crate::examples;
use crate::stores::Postgres;

/// The longest that no turn may end.
pub(super) const SILENCE: Duration = Duration::from_secs(300);

/// How often, and after which pause, a test looks for the next turn: for `SILENCE`, and for longer
/// on a machine whose looks take longer.
const LOOKS: u128 = SILENCE.as_millis() / PAUSE.as_millis();
const PAUSE: Duration = Duration::from_millis(50);

/// A queue, a database, tools, a model, and workers.
pub(super) struct Scene {
    pub(super) model: ScriptedModel,
    workers: Vec<Child>,
    programs: &'static HashMap<String, PathBuf>,
    pub(super) cli: PathBuf,
    database: String,
    pub(super) postgres: Postgres,
    pub(super) tools: Tools,
    /// Before the folder, in which it writes.
    pub(super) queue: Nats,
    folder: Folder,
}

impl Scene {
    /// `None` where something is not installed, and then there is nothing to test.
    pub(super) async fn start() -> Option<Self> {
        let (cli, folder) = (cli::installed()?, Folder::create());
        let (queue, postgres) = (Nats::start(&folder)?, Postgres::start()?);
        fs::create_dir(folder.path().join("project")).unwrap();
        Some(Self {
            model: ScriptedModel::start().await.unwrap(),
            workers: Vec::new(),
            programs: examples::binaries(),
            cli,
            database: postgres.schema(),
            postgres,
            tools: Tools::start(),
            queue,
            folder,
        })
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Each worker has a home of its own, as on a machine of its own.
    fn home(&self, worker: usize) -> PathBuf {
        self.folder.path().join(format!("worker-{worker}"))
    }

    /// The files of a worker's home that are named after a session.
    pub(super) fn kept(&self, worker: usize, session: &str) -> Vec<PathBuf> {
        let (mut folders, mut kept) = (vec![self.home(worker)], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() && !path.is_symlink() {
                    true => folders.push(path),
                    false if path.to_string_lossy().contains(session) => kept.push(path),
                    false => {}
                }
            }
        }
        kept
    }

    pub(super) fn add_worker(&mut self) {
        self.add(Stdio::inherit());
    }

    /// The path of its log.
    pub(super) fn add_worker_with_log(&mut self) -> PathBuf {
        let path = self.folder.path().join("log");
        self.add(File::create(&path).unwrap().into());
        path
    }

    fn add(&mut self, log: Stdio) {
        let home = self.home(self.workers.len());
        fs::create_dir_all(home.join(".local/bin")).unwrap();
        symlink(&self.cli, home.join(".local/bin/claude")).unwrap();
        self.workers.push(self.spawn(&home, log));
    }

    /// Starts those again that have ended by themselves, as whoever runs a fleet does.
    fn start_again(&mut self) {
        for number in 0..self.workers.len() {
            let ended = self.workers[number].try_wait().unwrap();
            if ended.is_some_and(|status| status.code() == Some(1)) {
                self.workers[number] = self.spawn(&self.home(number), Stdio::inherit());
            }
        }
    }

    fn spawn(&self, home: &Path, log: Stdio) -> Child {
        let mut command = tokio::process::Command::new(&self.programs["worker"]);
        command
            .env_clear()
            .envs(self.model.environment())
            .envs([("HOME", home), ("CLAUDE_CONFIG_DIR", home), ("TMPDIR", home)])
            // So that an error of the model fails the turn, and not one request.
            .env("CLAUDE_CODE_MAX_RETRIES", "0")
            .envs([("NATS_URL", &self.queue.url()), ("DATABASE_URL", &self.database)])
            .env("FLEET_FOLDER", self.project())
            .env("FLEET_TOOLS", self.tools.url())
            .env("HOSTNAME", home.file_name().unwrap());
        command.stdin(Stdio::null()).stderr(log).kill_on_drop(true).spawn().unwrap()
    }

    pub(super) async fn kill(&mut self, worker: usize) {
        self.workers[worker].kill().await.unwrap();
    }

    pub(super) fn submit(&self, session: &str, prompts: &[String]) {
        let mut command = Command::new(&self.programs["submit"]);
        let output = command.env_clear().args([&*self.queue.url(), session]).args(prompts).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Waits until the model is asked for what a gate holds back.
    pub(super) async fn reached(&mut self, gate: &Gate) {
        let ended = select_all(self.workers.iter_mut().map(|worker| Box::pin(worker.wait())));
        let reached = async {
            tokio::select! {
                () = gate.reached() => {}
                (status, ..) = ended => panic!("a worker has ended: {}", status.unwrap()),
            }
        };
        timeout(SILENCE, reached).await.expect("the model is not asked");
    }

    /// Waits until the model is asked by every worker, while it holds back all answers.
    pub(super) async fn all_are_at_work(&mut self) {
        let asked = async {
            while self.model.requests().len() < self.workers.len() {
                tokio::time::sleep(PAUSE).await;
                self.start_again();
            }
        };
        timeout(SILENCE, asked).await.expect("not every worker has a turn");
    }

    /// What is said next on a subject.
    pub(super) async fn next_message(&mut self, heard: &mut Subscriber) -> (String, Message) {
        for _ in 0..LOOKS {
            if let Ok(message) = timeout(PAUSE, heard.next()).await {
                let message = message.unwrap();
                let text = String::from_utf8(message.payload.to_vec()).unwrap();
                return (message.subject.to_string(), Message::parse(text));
            }
            self.start_again();
        }
        panic!("nothing is said");
    }

    /// Waits until so many turns are recorded.
    pub(super) async fn until_done(&mut self, turns: usize) {
        let (mut done, mut looks) = (0, 0);
        while done < turns {
            if looks == LOOKS {
                let asked = self.model.requests().len();
                panic!("{done} of {turns} turns ended, and the model was asked {asked} times");
            }
            // Each look starts a program, which needs the cores of the workers.
            tokio::time::sleep(PAUSE).await;
            let now = self.count("count(*)");
            (done, looks) = if now > done { (now, 0) } else { (done, looks + 1) };
            if done < turns {
                self.start_again();
            }
        }
    }

    /// Counts something of the turns that are recorded.
    pub(super) fn count(&self, what: &str) -> usize {
        // There is no table before the first worker has made it.
        self.ask(&format!("SELECT {what} FROM fleet_turns")).parse().unwrap_or_default()
    }

    /// What the database of the fleet says to a statement.
    pub(super) fn ask(&self, statement: &str) -> String {
        self.postgres.ask(&self.database, statement).trim().to_owned()
    }

    /// The texts of a session's transcript, in order, with the results of tools.
    pub(super) async fn transcript(&self, session: &str) -> Vec<String> {
        let store = Arc::new(PostgresStore::without_tls(&*self.database));
        let sessions = StoredSessions::of(store, self.project());
        let messages = sessions.session_messages(session, ..).await.unwrap();
        let text = |message: Message| match message {
            Message::User(message) => {
                let results = message.tool_results().map(|result| result.content.text());
                results.chain([message.text()]).collect()
            }
            Message::Assistant(message) => message.text().into_owned(),
            other => panic!("{other:?}"),
        };
        let texts = messages.iter().map(|message| text(message.to_message()));
        // A message that only calls a tool has none.
        texts.filter(|text: &String| !text.is_empty()).collect()
    }

    /// Ends a worker as a machine that goes down does, unless it has ended.
    pub(super) async fn tell_to_end(&mut self, worker: usize) {
        let worker = &mut self.workers[worker];
        let Some(id) = worker.id() else { return };
        if let Some(status) = worker.try_wait().unwrap() {
            return assert_eq!(status.code(), Some(1));
        }
        kill_process(Pid::from_raw(id.cast_signed()).unwrap(), Signal::TERM).unwrap();
        assert!(worker.wait().await.unwrap().success());
    }

    pub(super) async fn close(mut self) {
        for worker in 0..self.workers.len() {
            self.tell_to_end(worker).await;
        }
    }
}
