use std::convert::Infallible;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Error, Result, ensure};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{CreateStreamErrorKind, PublishErrorKind};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, AckKind, Context, ErrorCode, Message};
use async_nats::{Client, ConnectOptions, Request};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use uuid::Uuid;
use uuid::fmt::Hyphenated;

const STREAM: &str = "FLEET";
const JOBS: &str = "fleet.jobs";

/// How long a worker may be silent before its job goes to another.
const SILENCE: Duration = Duration::from_secs(30);

/// How long NATS may take for an answer: it has to wait for its disk.
const ANSWER: Duration = Duration::from_secs(30);

/// How many workers may wait for a job at once. By itself NATS refuses more than 512, and a worker
/// that is refused ends.
const WAITING: i64 = 65_536;

/// How long the queue is waited for while another process makes it, and the pause between tries.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(50);

/// One prompt of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The id of the session, a UUID.
    pub session: String,
    /// Which turn of the session it is, from 1.
    pub turn: i32,
    /// The id of the prompt, a UUID: it is in the queue and in the transcript once.
    pub prompt_id: String,
    /// The text.
    pub prompt: String,
}

/// The jobs that are not done, in a work queue of NATS JetStream.
#[derive(Debug, Clone)]
pub struct Queue {
    client: Client,
    context: Context,
}

/// The jobs of the queue, for a worker.
#[derive(Debug)]
pub struct Jobs(PullConsumer);

/// A job that this worker has. Unless it is said how it ended, the queue gives it to another.
#[derive(Debug)]
pub struct Delivery {
    pub job: Job,
    message: Message,
}

impl Job {
    fn read(payload: &[u8]) -> Result<Self> {
        let job: Self = serde_json::from_slice(payload)?;
        job.check()?;
        Ok(job)
    }

    fn check(&self) -> Result<()> {
        for id in [&self.session, &self.prompt_id] {
            // `claude` takes no other form of a UUID.
            let has_hyphens = id.len() == Hyphenated::LENGTH;
            ensure!(has_hyphens && Uuid::try_parse(id).is_ok(), "{id} is no UUID with hyphens");
        }
        ensure!(self.turn > 0, "turn {} comes before the first one", self.turn);
        Ok(())
    }
}

impl Queue {
    /// Connects, and makes the queue where there is none.
    ///
    /// # Errors
    ///
    /// There is no server, or it is without JetStream.
    pub async fn connect(url: &str) -> Result<Self> {
        let options = ConnectOptions::new().connection_timeout(ANSWER);
        let client = options.connect(url).await.context("connecting to NATS")?;
        let mut context = jetstream::new(client.clone());
        context.set_timeout(ANSWER);
        let config = Config {
            name: STREAM.to_owned(),
            subjects: vec![JOBS.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            ..Config::default()
        };
        let make = || context.get_or_create_stream(config.clone());
        made(make, |error| is_being_made(&error.kind())).await.context("making the queue")?;
        Ok(Self { client, context })
    }

    /// Puts a job on the queue. One that is there already, by its prompt's id, is not put there
    /// again within two minutes.
    ///
    /// # Errors
    ///
    /// No worker could run it, or the server has not stored it.
    pub async fn submit(&self, job: &Job) -> Result<()> {
        job.check()?;
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("Nats-Msg-Id", &*job.prompt_id);
        let payload = serde_json::to_vec(job)?;
        let offer = async || {
            let (headers, payload) = (headers.clone(), payload.clone().into());
            self.context.publish_with_headers(JOBS, headers, payload).await?.await
        };
        made(offer, |error| may_take_it_later(error.kind())).await?;
        Ok(())
    }

    /// The jobs, of which each goes to one worker.
    ///
    /// # Errors
    ///
    /// The server has refused the request.
    pub async fn jobs(&self) -> Result<Jobs> {
        let jobs = self.context.get_stream(STREAM).await?;
        let config = pull::Config {
            durable_name: Some("workers".to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: SILENCE,
            max_ack_pending: -1,
            max_waiting: WAITING,
            ..pull::Config::default()
        };
        Ok(Jobs(jobs.get_or_create_consumer("workers", config).await?))
    }

    /// Publishes a message of a session for who listens at the moment.
    ///
    /// # Errors
    ///
    /// The connection is closed.
    pub async fn publish(&self, session: &str, message: &str) -> Result<()> {
        let subject = format!("fleet.messages.{session}");
        Ok(self.client.publish(subject, message.to_owned().into()).await?)
    }
}

impl Jobs {
    /// Waits for the next job. What is no job is dropped, with a warning.
    ///
    /// # Errors
    ///
    /// The server has refused the request.
    pub async fn next(&self) -> Result<Delivery> {
        loop {
            // One at a time: a job that waits here would be nobody's.
            let batch = self.0.batch().max_messages(1).expires(SILENCE);
            let mut batch = batch.messages().await?;
            while let Some(message) = batch.next().await {
                let message = message.map_err(Error::from_boxed)?;
                match Job::read(&message.payload) {
                    Ok(job) => return Ok(Delivery { job, message }),
                    Err(error) => {
                        tracing::warn!("what the queue gave is no job: {error:#}");
                        message.ack_with(AckKind::Term).await.map_err(Error::from_boxed)?;
                    }
                }
            }
        }
    }
}

impl Delivery {
    /// How often the queue has given out this job.
    ///
    /// # Errors
    ///
    /// The message is none of a queue.
    pub fn number(&self) -> Result<i64> {
        Ok(self.message.info().map_err(Error::from_boxed)?.delivered)
    }

    /// Keeps the job for this worker until this is dropped.
    ///
    /// # Errors
    ///
    /// The queue has been away for so long that it would give the job to another worker.
    pub async fn keep(&self) -> Result<Infallible> {
        loop {
            tokio::time::sleep(SILENCE / 3).await;
            // A connection that is lost comes back by itself, but without what was on its way.
            let heard = async {
                loop {
                    let told = self.tell(AckKind::Progress);
                    if let Ok(Ok(())) = timeout(SILENCE / 5, told).await {
                        break;
                    }
                    // A queue that is just starting may hear it soon.
                    tokio::time::sleep(PAUSE).await;
                }
            };
            timeout(SILENCE * 2 / 3, heard).await.context("the queue is lost")?;
        }
    }

    /// The job is done, and leaves the queue.
    pub async fn done(self) -> Result<()> {
        self.tell(AckKind::Ack).await
    }

    /// The job is for somebody else, at once. This waits until the queue has heard it, as the
    /// worker ends.
    pub async fn back(self) -> Result<()> {
        self.tell(AckKind::Nak(None)).await
    }

    /// The job is for somebody else, or for later. This waits until it is on its way to the queue:
    /// the worker may end at once.
    pub async fn later(self, delay: Duration) -> Result<()> {
        self.message.ack_with(AckKind::Nak(Some(delay))).await.map_err(Error::from_boxed)?;
        let client = self.message.context.client();
        Ok(timeout(ANSWER, client.flush()).await.context("the queue is lost")??)
    }

    /// Waits until the queue has heard it. `Message::double_ack_with` would also take it for heard
    /// if NATS says that nobody has.
    async fn tell(&self, kind: AckKind) -> Result<()> {
        let reply = self.message.reply.clone().context("the message is none of a queue")?;
        let request = Request::new().payload(kind.into()).timeout(Some(ANSWER));
        self.message.context.client().send_request(reply, request).await?;
        Ok(())
    }
}

/// Tries something until it is done, or fails for another reason than that another process is just
/// making the queue.
async fn made<T, E>(
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
    is_early: impl Fn(&E) -> bool,
) -> Result<T, E> {
    let since = Instant::now();
    loop {
        match attempt().await {
            Err(error) if is_early(&error) && since.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            ended => return ended,
        }
    }
}

/// Of two that make the queue at once, NATS tells one that its subjects are those of another.
fn is_being_made(kind: &CreateStreamErrorKind) -> bool {
    matches!(kind, CreateStreamErrorKind::JetStream(error)
        if error.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP)
}

/// A queue that another process is just making is known before it takes jobs. One that did not
/// answer in time may have taken the job, and does not take it twice.
fn may_take_it_later(kind: PublishErrorKind) -> bool {
    matches!(kind, PublishErrorKind::StreamNotFound | PublishErrorKind::TimedOut)
}
