use std::future::ready;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::time::timeout;
use toolwright::testing::{Gate, Reply};
use toolwright_fleet::Worker;

use super::SESSION;
use super::nats::Nats;
use super::scene::{SILENCE, Scene};
use crate::cli::Folder;
use crate::stores::Postgres;

/// By itself the queue would give it to another only after it has heard nothing for 30 s.
#[tokio::test]
async fn a_worker_that_is_told_to_end_gives_its_job_back() {
    let Some(mut scene) = Scene::start().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("Too late.").held_by(&gate));
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    let mut given_back = scene.queue.hear(super::GIVEN_BACK).await;
    scene.add_worker();
    scene.submit(SESSION, &["Prompt.".to_owned()]);
    scene.reached(&gate).await;
    scene.tell_to_end(0).await;
    timeout(SILENCE, given_back.next()).await.expect("the job is not given back").unwrap();
    assert_eq!(scene.kept(0, SESSION), Vec::<PathBuf>::new());
    scene.add_worker();
    scene.until_done(1).await;
    assert_eq!(scene.transcript(SESSION).await, ["Prompt.", "Answered."]);
    scene.close().await;
}

/// One that waits for a `claude` that does not answer would wait for two minutes.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_worker_can_be_told_to_end_while_its_claude_starts() {
    let Some(mut scene) = Scene::start().await else { return };
    scene.cli = env!("CARGO_BIN_EXE_fake-cli").into();
    let mut given_back = scene.queue.hear(super::GIVEN_BACK).await;
    scene.add_worker();
    scene.submit(SESSION, &["Prompt.".to_owned()]);
    let started = async {
        while scene.processes(0).len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SILENCE, started).await.expect("it starts no claude");
    timeout(SILENCE / 2, scene.tell_to_end(0)).await.expect("the worker goes on");
    timeout(SILENCE, given_back.next()).await.expect("the job is not given back").unwrap();
}

/// The queue would give a job to a worker that has asked for one and is gone.
#[tokio::test]
async fn a_worker_that_is_told_to_end_asks_for_no_job() {
    let folder = Folder::create();
    let Some(nats) = Nats::start(&folder) else { return };
    let Some(postgres) = Postgres::start() else { return };
    let (url, path) = (nats.url(), folder.path().to_owned());
    let worker = Worker::connect("worker", &url, &postgres.schema(), path, None).await.unwrap();
    let mut said = nats.hear("$JS.>").await;
    // Of what is ready at once, it must not be chance that decides.
    for _ in 0..64 {
        worker.work(ready(())).await.unwrap();
    }
    // It refuses what is no job, which NATS hears after all that the worker has said before.
    let queue = nats.jetstream().await;
    queue.publish("fleet.jobs", "no job".into()).await.unwrap().await.unwrap();
    let requests = async {
        let mut requests = 0;
        loop {
            let subject = said.next().await.unwrap().subject;
            if subject.starts_with("$JS.ACK.") {
                break requests;
            }
            requests += usize::from(subject.starts_with("$JS.API.CONSUMER.MSG.NEXT."));
        }
    };
    let requests = tokio::select! {
        ended = worker.work(std::future::pending()) => panic!("{ended:?}"),
        requests = timeout(SILENCE, requests) => requests.expect("the worker has no job"),
    };
    assert_eq!(requests, 1);
}
