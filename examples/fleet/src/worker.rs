use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Error, Result, bail};
use futures_util::FutureExt as _;
use toolwright::agent::message::system::InitMessage;
use toolwright::agent::message::{McpServerStatus, SystemMessage};
use toolwright::agent::options::McpServer;
use toolwright::agent::sessions::{
    PostgresStore, SessionError, Sessions, StoredSessions, project_key,
};
use toolwright::agent::{
    AgentOptions, AgentOptionsBuilder, Message, Query, RunError, UserPrompt, query,
};

use super::database::Database;
use super::lease::{Lease, Leases};
use super::progress::Progress;
use super::queue::{Delivery, Job, Jobs, Queue};

/// When a job whose turn has not come is tried again, for each turn that comes before it. The
/// queue gives such jobs out before new ones, so with a fixed pause many of them would keep all
/// workers from new ones.
const LATER: Duration = Duration::from_millis(250);
const LATEST: Duration = Duration::from_secs(300);

/// After how many tries a worker warns that a job still waits, and after how many more.
const TRIES: i64 = 100;

/// When a job that has failed is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// The name of the tools for the model.
const TOOLS: &str = "tools";

/// How a turn ended that has not failed.
enum Ended {
    Recorded,
    /// The worker was told to end.
    CutOff,
}

/// What was heard of a run.
enum Said {
    Answer(String),
    /// Why there is none.
    NoAnswer(RunError),
    /// It has begun without its tools, and was heard no further.
    NoTools,
}

/// Runs one turn at a time.
#[derive(Debug)]
pub struct Worker {
    queue: Queue,
    jobs: Jobs,
    leases: Leases,
    store: Arc<PostgresStore>,
    /// The same one for all workers, as transcripts belong to a working folder.
    folder: PathBuf,
    /// The URL of the tools, an MCP server.
    tools: Option<String>,
}

impl Worker {
    /// Connects to all that the worker needs.
    ///
    /// # Errors
    ///
    /// Some of it is not there.
    pub async fn connect(
        name: &str,
        nats: &str,
        database: &str,
        folder: PathBuf,
        tools: Option<String>,
    ) -> Result<Self> {
        let queue = Queue::connect(nats).await?;
        let jobs = queue.jobs().await?;
        let database = Database::at(database)?;
        let leases = Leases::connect(&database, name).await?;
        let store = Arc::new(leases.store());
        store.create_tables().await?;
        Ok(Self { queue, jobs, leases, store, folder, tools })
    }

    /// Works until it is told to end, or until something is lost that it needs. A turn that runs
    /// then is cut off. The queue has its job back when this returns if the worker was told to end,
    /// and gives it to another after 30 s if something was lost.
    ///
    /// # Errors
    ///
    /// What was lost. Another worker takes the job on.
    pub async fn work(&self, told_to_end: impl Future<Output = ()>) -> Result<()> {
        let told_to_end = told_to_end.shared();
        loop {
            let delivery = tokio::select! {
                biased;
                () = told_to_end.clone() => return Ok(()),
                () = self.leases.lost() => bail!("PostgreSQL is lost"),
                // Not even asked for by a worker that ends: it would be nobody's for 30 s.
                delivery = self.jobs.next() => delivery?,
            };
            self.take_on(delivery, told_to_end.clone()).await?;
        }
    }

    async fn take_on(
        &self,
        delivery: Delivery,
        told_to_end: impl Future<Output = ()>,
    ) -> Result<()> {
        let Job { session, turn, prompt_id, .. } = &delivery.job;
        let lease = self.leases.take(session).await?;
        let before = turn - 1 - self.leases.turns(session).await?;
        let Some(lease) = lease else { return delivery.later(pause(before)).await };
        if before > 0 {
            lease.release().await?;
            if delivery.number()? % TRIES == 0 {
                tracing::warn!(session, turn, "still waits for {before} turns before it");
            }
            return delivery.later(pause(before)).await;
        }
        if before == 0 {
            // Without the lease or the queue another worker may begin the turn, so this one ends.
            tokio::select! {
                ran = self.run(&lease, &delivery.job, told_to_end) => match ran {
                    Ok(Ended::Recorded) => {}
                    Ok(Ended::CutOff) => {
                        lease.release().await?;
                        return delivery.back().await;
                    }
                    Err(error) => {
                        tracing::warn!(session, "the turn failed: {error:#}");
                        lease.release().await?;
                        return delivery.later(RETRY).await;
                    }
                },
                () = self.leases.lost() => bail!("the lease is lost"),
                kept = delivery.keep() => match kept? {},
            }
        } else if !lease.has_done(*turn, prompt_id).await? {
            tracing::warn!(session, turn, prompt_id, "dropped: another prompt had this turn");
        }
        let session = session.clone();
        lease.release().await?;
        // If the queue has not heard it, the job comes again, and is found to be done.
        if let Err(error) = delivery.done().await {
            tracing::warn!(session, "the queue does not know that the turn is done: {error:#}");
        }
        Ok(())
    }

    /// Runs a turn, unless it was only not recorded, and records it.
    async fn run(
        &self,
        lease: &Lease<'_>,
        job: &Job,
        told_to_end: impl Future<Output = ()>,
    ) -> Result<Ended> {
        let sessions = StoredSessions::of(self.store.clone(), &self.folder);
        let progress = Progress::of(job, &sessions).await?;
        let is_new = matches!(progress, Progress::NewSession);
        let project = project_key(&self.folder);
        let options = match progress {
            Progress::Answered(answer) => {
                lease.record(&project, job.turn, &job.prompt_id, &answer).await?;
                return Ok(Ended::Recorded);
            }
            Progress::NewSession => {
                // A worker that died may have left the beginning on this machine, where `claude`
                // would refuse to begin the session once more.
                self.clean_up(&job.session)?;
                self.options().session_id(&job.session)
            }
            Progress::Resumable => self.options().resume(&job.session),
        };
        let forget = async || match is_new {
            true => sessions.delete_session(&job.session).await.map_err(Error::from),
            false => lease.forget(&project).await,
        };
        // A worker that died may have left a part of the turn.
        forget().await?;
        let prompt = UserPrompt::text(&*job.prompt).uuid(&*job.prompt_id);
        let options = options.build()?;
        let mut told_to_end = pin!(told_to_end);
        let mut run = tokio::select! {
            run = query(prompt, options) => run?,
            // No prompt is sent yet, so there is nothing to store.
            () = &mut told_to_end => return Ok(Ended::CutOff),
        };
        let said = tokio::select! {
            said = self.listen(&mut run, &job.session) => said.map(Some),
            () = told_to_end => Ok(None),
        };
        // Whoever has the session next must not meet this `claude`, nor what it has still to store.
        run.close().await;
        if is_new {
            // The files of later turns are temporary.
            if let Err(error) = self.clean_up(&job.session) {
                tracing::warn!(session = job.session, "its files stay here: {error:#}");
            }
        }
        let said = said?;
        if matches!(said, None | Some(Said::NoTools)) {
            // An answer that has come all the same, perhaps without the tools, would count.
            forget().await?;
        }
        let answer = match said {
            Some(Said::Answer(answer)) => answer,
            Some(Said::NoAnswer(why)) => return Err(why.into()),
            Some(Said::NoTools) => bail!("the tools are not connected"),
            None => return Ok(Ended::CutOff),
        };
        lease.record(&project, job.turn, &job.prompt_id, &answer).await?;
        Ok(Ended::Recorded)
    }

    /// Publishes the messages of a run, to its end, and gives the answer.
    async fn listen(&self, run: &mut Query, session: &str) -> Result<Said> {
        let mut said = Said::NoAnswer(RunError::NoResult);
        while let Some(message) = run.next().await {
            let message = message?;
            // Whoever listens may miss one that is too long for the server; the turn goes on.
            if let Err(error) = self.queue.publish(session, message.raw()).await {
                tracing::warn!(session, "a message is not published: {error:#}");
            }
            match message {
                Message::System(SystemMessage::Init(init)) if !self.has_tools(&init) => {
                    return Ok(Said::NoTools);
                }
                Message::System(SystemMessage::MirrorError(error)) => {
                    bail!("the transcript is not stored: {error:?}")
                }
                Message::Result(result) if result.is_success() => {
                    said = Said::Answer(result.text().into_owned());
                }
                // An answer may follow, or has come.
                Message::Result(result) if matches!(said, Said::NoAnswer(_)) => {
                    let (subtype, text) = (result.subtype.clone(), result.text().into_owned());
                    said = Said::NoAnswer(RunError::ErrorResult { subtype, text, result });
                }
                _ => {}
            }
        }
        Ok(said)
    }

    fn has_tools(&self, init: &InitMessage) -> bool {
        let is_there = |it: &McpServerStatus| it.name == TOOLS && it.status == "connected";
        self.tools.is_none() || init.mcp_servers.iter().any(is_there)
    }

    /// Deletes the files of a session that are on this machine.
    fn clean_up(&self, session: &str) -> Result<()> {
        let local = Sessions::of_user()?.in_project(&self.folder);
        match local.delete_session(session) {
            Ok(()) | Err(SessionError::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn options(&self) -> AgentOptionsBuilder {
        let options =
            AgentOptions::builder().cwd(&self.folder).session_store(self.store.clone()).no_tools();
        match &self.tools {
            Some(url) => {
                options.mcp_server(McpServer::http(TOOLS, url)).allowed_tools(["mcp__tools__*"])
            }
            None => options,
        }
    }
}

/// How long a job waits that waits for so many turns, or for the one that runs.
fn pause(before: i32) -> Duration {
    LATER.saturating_mul(before.max(1).unsigned_abs()).min(LATEST)
}
