use std::pin::pin;
use std::thread;
use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::stream::Config;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::Builder;
use tokio::time::timeout;
use toolwright_fleet::{Job, Queue};

use super::SESSION;
use super::nats::Nats;
use super::scene::SILENCE;
use crate::cli::Folder;

fn job() -> Job {
    Job {
        session: SESSION.to_owned(),
        turn: 1,
        prompt_id: "00000000-0000-4000-8000-000000000002".to_owned(),
        prompt: "Prompt.".to_owned(),
    }
}

/// A worker that waits for a job has the next one after the queue was away.
#[tokio::test]
async fn who_waits_for_a_job_outlives_the_queue() {
    let folder = Folder::create();
    let Some(mut nats) = Nats::start(&folder) else { return };
    let jobs = Queue::connect(&nats.url()).await.unwrap().jobs().await.unwrap();
    let mut asked = nats.hear("$JS.API.CONSUMER.MSG.NEXT.>").await;
    let mut next = pin!(jobs.next());
    tokio::select! {
        _ = &mut next => panic!("there is no job"),
        request = asked.next() => assert!(request.is_some()),
    }
    nats.kill();
    nats.restart();
    let job = job();
    Queue::connect(&nats.url()).await.unwrap().submit(&job).await.unwrap();
    let delivery = timeout(SILENCE, next).await.expect("it has no job").unwrap();
    assert_eq!(delivery.job.prompt_id, job.prompt_id);
    delivery.done().await.unwrap();
}

/// Of two processes that make the queue at once, NATS may refuse one; this refuses both.
#[tokio::test]
async fn a_queue_is_made_when_nothing_is_in_its_way_any_more() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let other = nats.jetstream().await;
    let config = Config {
        name: "OTHER".to_owned(),
        subjects: vec!["fleet.jobs".to_owned()],
        ..Config::default()
    };
    other.create_stream(config).await.unwrap();
    let made = nats.hear("$JS.API.STREAM.CREATE.FLEET").await;
    let url = nats.url();
    let mut queue = pin!(Queue::connect(&url));
    let mut tries = made.take(2);
    tokio::select! {
        ended = &mut queue => panic!("it cannot be made: {ended:?}"),
        () = async { while tries.next().await.is_some() {} } => {}
    }
    other.delete_stream("OTHER").await.unwrap();
    queue.await.unwrap();
}

/// While another process makes the queue, it is known before it takes jobs.
#[tokio::test]
async fn a_job_is_offered_until_the_queue_takes_it() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let url = nats.url();
    let queue = Queue::connect(&url).await.unwrap();
    let other = nats.jetstream().await;
    other.delete_stream("FLEET").await.unwrap();
    let job = job();
    let mut submitted = pin!(queue.submit(&job));
    // In the time of ten offers of others, one after another, the job's first one is refused too.
    let refused = async {
        for _ in 0..10 {
            let stored = other.publish("fleet.jobs", "{}".into()).await.unwrap().await;
            assert_eq!(stored.unwrap_err().kind(), PublishErrorKind::StreamNotFound);
        }
    };
    tokio::select! {
        biased;
        ended = &mut submitted => panic!("there is no queue that takes it: {ended:?}"),
        () = refused => {}
    }
    Queue::connect(&url).await.unwrap();
    submitted.await.unwrap();
    let delivery = queue.jobs().await.unwrap().next().await.unwrap();
    assert_eq!(delivery.job.prompt_id, job.prompt_id);
    delivery.done().await.unwrap();
}

/// By itself NATS lets 512 wait for a consumer, and refuses the others.
#[tokio::test]
async fn six_hundred_workers_wait_for_jobs_at_once() {
    const WORKERS: usize = 600;
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let jobs = Queue::connect(&nats.url()).await.unwrap().jobs().await.unwrap();
    let stream = nats.jetstream().await.get_stream("FLEET").await.unwrap();
    let all_wait =
        async { while stream.consumer_info("workers").await.unwrap().num_waiting < WORKERS {} };
    let mut workers: FuturesUnordered<_> = (0..WORKERS).map(|_| jobs.next()).collect();
    tokio::select! {
        ended = workers.next() => panic!("one does not wait: {ended:?}"),
        waiting = timeout(SILENCE, all_wait) => waiting.expect("not all wait"),
    }
}

/// Whoever submits it would take it for done, and the workers would drop it, or fail without end.
#[tokio::test]
async fn what_no_worker_can_run_is_refused_and_dropped() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let queue = Queue::connect(&nats.url()).await.unwrap();
    let (other, good) = (nats.jetstream().await, job());
    let without_hyphens = || SESSION.replace('-', "");
    for bad in [
        Job { session: "session".to_owned(), ..good.clone() },
        Job { session: without_hyphens(), ..good.clone() },
        Job { prompt_id: without_hyphens(), ..good.clone() },
        Job { turn: 0, ..good.clone() },
    ] {
        queue.submit(&bad).await.expect_err(&format!("{bad:?}"));
        let text = serde_json::to_vec(&bad).unwrap();
        other.publish("fleet.jobs", text.into()).await.unwrap().await.unwrap();
    }
    queue.submit(&good).await.unwrap();
    let delivery = queue.jobs().await.unwrap().next().await.unwrap();
    assert_eq!(delivery.job, good);
    delivery.done().await.unwrap();
    assert_eq!(left(&nats).await, 0, "what was dropped would come again");
}

/// How many jobs the queue has.
async fn left(nats: &Nats) -> u64 {
    let mut stream = nats.jetstream().await.get_stream("FLEET").await.unwrap();
    stream.info().await.unwrap().state.messages
}

/// Whoever has no answer submits it again.
#[tokio::test]
async fn a_job_that_is_submitted_twice_is_in_the_queue_once() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let queue = Queue::connect(&nats.url()).await.unwrap();
    for _ in 0..2 {
        queue.submit(&job()).await.unwrap();
    }
    assert_eq!(left(&nats).await, 1);
}

/// NATS answers for a queue that is not there, and that is no answer of the queue.
#[tokio::test]
async fn a_queue_that_is_gone_has_heard_nothing() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let queue = Queue::connect(&nats.url()).await.unwrap();
    queue.submit(&job()).await.unwrap();
    let delivery = queue.jobs().await.unwrap().next().await.unwrap();
    nats.jetstream().await.delete_stream("FLEET").await.unwrap();
    delivery.done().await.unwrap_err();
}

/// By itself the queue would give the job to another only after it has heard nothing for 30 s.
#[tokio::test]
async fn a_worker_that_ends_at_once_has_given_its_job_back_for_later() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let mut given_back = nats.hear(super::GIVEN_BACK).await;
    let url = nats.url();
    // With its runtime ends what would send anything.
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    thread::spawn(move || runtime.block_on(give_back(&url))).join().unwrap();
    let heard = timeout(SILENCE, given_back.next()).await;
    heard.expect("the job is not given back").unwrap();
}

async fn give_back(url: &str) {
    let queue = Queue::connect(url).await.unwrap();
    queue.submit(&job()).await.unwrap();
    let delivery = queue.jobs().await.unwrap().next().await.unwrap();
    delivery.later(Duration::ZERO).await.unwrap();
}
