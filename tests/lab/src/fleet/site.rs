use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, ensure};
use rustix::process::Signal;
use serde_json::json;

use super::database::Database;
use super::model::Model;
use super::queue::Queue;
use super::server::Server;
use crate::artifact;
use crate::leashed::leashed;
use crate::options::Options;

/// The programs that a site consists of, besides those of the distribution.
pub struct Programs {
    worker: PathBuf,
    tools: PathBuf,
    cli: PathBuf,
}

/// A queue, a database, a tool server, a model, and workers: all that a fleet has, in a folder.
pub struct Site {
    pub workers: Vec<Server>,
    pub model: Model,
    pub tools: Server,
    pub database: Database,
    pub queue: Queue,
    url: String,
}

/// The turns of a session.
pub const TURNS: usize = 3;

impl Programs {
    /// Builds and installs them, unless the options say where they are.
    pub fn prepare(options: &Options) -> Result<Self> {
        let (worker, tools) = match &options.ours {
            Some(folder) => (folder.join("worker"), folder.join("fixture")),
            None => (artifact::fleet_worker()?, artifact::fixture()?),
        };
        Ok(Self { worker, tools, cli: artifact::installed("cli")? })
    }
}

impl Site {
    pub fn start(programs: &Programs, folder: &Path, delay: Duration) -> Result<Self> {
        fs::create_dir(folder)?;
        fs::create_dir(folder.join("project"))?;
        let mut tools = leashed(&programs.tools);
        tools.args(["--tools", "add", "--http", "127.0.0.1:0"]).env_clear();
        let (tools, line) = Server::ready(&mut tools, "http://", Signal::TERM)?;
        let url = line.split_whitespace().find(|word| word.starts_with("http://"));
        Ok(Self {
            workers: Vec::new(),
            model: Model::start(delay)?,
            tools,
            database: Database::start(&folder.join("data"))?,
            queue: Queue::start(&folder.join("queue"))?,
            url: url.unwrap_or_default().trim_end_matches(['.', ',']).to_owned(),
        })
    }

    /// Puts all turns on the queue: the first of each session, then the second of each.
    pub fn submit(&self, sessions: usize) -> Result<()> {
        let job = |turn: usize, session: usize| {
            json!({
                "session": format!("00000000-0000-4000-8000-{session:012}"),
                "turn": turn,
                "prompt_id": prompt_id(turn, session),
                "prompt": format!("What is the sum, for the {turn}. time?"),
            })
        };
        let turns = (1..=TURNS).flat_map(|turn| (0..sessions).map(move |at| job(turn, at)));
        self.queue.submit(&turns.collect::<Vec<_>>())
    }

    /// Each worker has a home of its own, as on a machine of its own.
    pub fn add_worker(&mut self, programs: &Programs, folder: &Path) -> Result<()> {
        let name = format!("worker-{}", self.workers.len());
        let home = folder.join(&name);
        fs::create_dir_all(home.join(".local/bin"))?;
        symlink(&programs.cli, home.join(".local/bin/claude"))?;
        let mut command = leashed(&programs.worker);
        command
            .env_clear()
            .envs([("HOME", &home), ("CLAUDE_CONFIG_DIR", &home), ("TMPDIR", &home)])
            .env("FLEET_FOLDER", folder.join("project"))
            .env("DATABASE_URL", &self.database.parameters)
            .envs([("NATS_URL", self.queue.url()), ("FLEET_TOOLS", self.url.clone())])
            .env("HOSTNAME", name);
        self.model.lead(&mut command);
        self.workers.push(Server::start(&mut command, Signal::TERM)?);
        Ok(())
    }

    /// How many turns are recorded, with the right answer.
    pub fn recorded(&self) -> Result<usize> {
        let answer = super::model::ANSWER;
        let select = format!("SELECT count(*) FROM fleet_turns WHERE answer = '{answer}'");
        Ok(self.database.number(&select)? as usize)
    }

    /// Sees that every prompt is in its transcript once.
    pub fn check(&self, sessions: usize) -> Result<()> {
        for turn in 1..=TURNS {
            for session in 0..sessions {
                let id = prompt_id(turn, session);
                let select = format!("SELECT count(*) FROM toolwright_entries WHERE uuid = '{id}'");
                let times = self.database.number(&select)?;
                ensure!(times == 1.0, "turn {turn} of session {session} is stored {times} times");
            }
        }
        Ok(())
    }
}

fn prompt_id(turn: usize, session: usize) -> String {
    format!("00000000-0000-4000-9{turn:03}-{session:012}")
}
