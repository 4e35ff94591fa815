use std::io;
use std::sync::mpsc;

use super::*;
use crate::agent::transport::Outgoing;

/// Tells of each line that is written to the CLI.
struct Writes(tokio::sync::mpsc::UnboundedSender<()>);

#[async_trait::async_trait]
impl Outgoing for Writes {
    async fn write(&mut self, _: &[u8]) -> io::Result<()> {
        self.0.send(()).map_err(io::Error::other)
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_job_of_a_cancelled_request_does_not_begin() {
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    let (begun, names) = mpsc::channel();
    for name in ["a", "b", "c"] {
        let begun = begun.clone();
        jobs.add(channel.open(name, 1).unwrap().0, Box::new(move |_| begun.send(name).unwrap()));
    }
    drop(begun);
    channel.cancel("b");
    jobs.begin();
    while !jobs.state().queue.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "c"]);
}

/// Waits until no task knows the jobs any more.
async fn are_done(jobs: &Arc<Jobs>) {
    for _ in 0..1_000 {
        if Arc::strong_count(jobs) == 1 {
            return;
        }
        tokio::time::advance(MOMENT).await;
    }
    panic!("a task of them goes on for ever");
}

#[tokio::test(start_paused = true)]
async fn no_task_is_left_once_all_jobs_have_begun() {
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    for name in ["a", "b"] {
        jobs.add(channel.open(name, 1).unwrap().0, Box::new(|_| ()));
        jobs.begin();
        are_done(&jobs).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_blocks_holds_up_no_other_also_after_a_pause() {
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    for _ in 0..2 {
        let (begun, has_begun) = mpsc::channel();
        let (ended, has_ended) = tokio::sync::oneshot::channel();
        let blocks = move |_: &mut Context<'_>| {
            let other = has_begun.recv_timeout(Duration::from_secs(60));
            ended.send(other.is_ok()).unwrap();
        };
        jobs.add(channel.open("blocks", 1).unwrap().0, Box::new(blocks));
        jobs.add(channel.open("other", 1).unwrap().0, Box::new(move |_| begun.send(()).unwrap()));
        jobs.begin();
        assert!(has_ended.await.unwrap(), "the other one has waited for it");
        while Arc::strong_count(&jobs) > 1 {
            tokio::task::yield_now().await;
        }
        ["blocks", "other"].into_iter().for_each(|id| channel.cancel(id));
    }
}

#[tokio::test(start_paused = true)]
async fn answers_leave_once_the_last_job_has_begun() {
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    let (outgoing, mut written) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(channel.clone().run(Box::new(Writes(outgoing))));
    let id = channel.open("a", 1).unwrap().0;
    let answers = (channel.clone(), id.clone());
    jobs.add(id, Box::new(move |_| answers.0.answer(&answers.1, "{}")));
    let since = tokio::time::Instant::now();
    jobs.begin();
    written.recv().await.unwrap();
    assert_eq!(since.elapsed(), Duration::ZERO);
}

#[test]
fn what_has_not_begun_is_dropped_at_the_end() {
    let channel = Arc::<Channel>::default();
    let jobs = Jobs::new(channel.clone());
    let captured = Arc::new(());
    let kept = captured.clone();
    jobs.add(channel.open("a", 1).unwrap().0, Box::new(move |_| drop(kept)));
    jobs.close();
    assert_eq!(Arc::strong_count(&captured), 1);
}
