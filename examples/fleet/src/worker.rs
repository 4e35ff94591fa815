use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use futures_util::FutureExt as _;
use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::McpServer;
use toolwright::agent::sessions::{
    PostgresStore, SessionError, Sessions, StoredSessions, project_key,
};
use toolwright::agent::{AgentOptions, AgentOptionsBuilder, Message, Query, UserPrompt, query};

use super::database::Database;
use super::lease::{Lease, Leases};
use super::progress::Progress;
use super::queue::{Delivery, Job, Jobs, Queue};

/// When a job whose turn has not come is tried again.
const LATER: Duration = Duration::from_millis(250);

/// When a job that has failed is tried again.
const RETRY: Duration = Duration::from_secs(5);

/// How a turn ended that has not failed.
enum Ended {
    Recorded,
    /// The worker was told to end.
    CutOff,
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
    /// then is cut off, and the queue has its job back when this returns.
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
        let Some(lease) = self.leases.take(&delivery.job.session).await? else {
            return delivery.later(LATER).await;
        };
        let done = lease.turns().await?;
        if done + 1 < delivery.job.turn {
            lease.release().await?;
            return delivery.later(LATER).await;
        }
        if done < delivery.job.turn {
            // Without the lease or the queue another worker may begin the turn, so this one ends.
            tokio::select! {
                ran = self.run(&lease, &delivery.job, told_to_end) => match ran {
                    Ok(Ended::Recorded) => {}
                    Ok(Ended::CutOff) => {
                        lease.release().await?;
                        return delivery.back().await;
                    }
                    Err(error) => {
                        let session = &delivery.job.session;
                        tracing::warn!(session, "the turn failed: {error:#}");
                        lease.release().await?;
                        return delivery.later(RETRY).await;
                    }
                },
                () = self.leases.lost() => bail!("the lease is lost"),
                kept = delivery.keep() => match kept? {},
            }
        } else if !lease.has_done(delivery.job.turn, &delivery.job.prompt_id).await? {
            let Job { session, turn, prompt_id, .. } = &delivery.job;
            tracing::warn!(session, turn, prompt_id, "dropped: another prompt had this turn");
        }
        let session = delivery.job.session.clone();
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
                // A worker that died may have left the beginning, also on this machine, where
                // `claude` would refuse to begin the session once more.
                sessions.delete_session(&job.session).await?;
                self.clean_up(&job.session)?;
                self.options().session_id(&job.session)
            }
            Progress::Resumable => {
                // A worker that died may have left a part of the turn.
                lease.forget(&project).await?;
                self.options().resume(&job.session)
            }
        };
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
        let Some(answer) = said? else { return Ok(Ended::CutOff) };
        let Some(answer) = answer else { bail!("the run has no result") };
        lease.record(&project, job.turn, &job.prompt_id, &answer).await?;
        Ok(Ended::Recorded)
    }

    /// Publishes the messages of a run, to its end, and gives the answer.
    async fn listen(&self, run: &mut Query, session: &str) -> Result<Option<String>> {
        let mut answer = None;
        while let Some(message) = run.next().await {
            let message = message?;
            // Whoever listens may miss one that is too long for the server; the turn goes on.
            if let Err(error) = self.queue.publish(session, message.raw()).await {
                tracing::warn!(session, "a message is not published: {error:#}");
            }
            match message {
                Message::System(SystemMessage::MirrorError(error)) => {
                    bail!("the transcript is not stored: {error:?}")
                }
                Message::Result(result) if result.is_success() => {
                    answer = Some(result.text().into_owned());
                }
                _ => {}
            }
        }
        Ok(answer)
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
                options.mcp_server(McpServer::http("tools", url)).allowed_tools(["mcp__tools__*"])
            }
            None => options,
        }
    }
}
