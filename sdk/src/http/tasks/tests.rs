//! The tasks with a Redis server that loads its data, and one that has lost it.
//! `tests/it/replicas` has real ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use super::RedisTasks;
use crate::http::fake_redis;
use crate::mcp::rounds::{Answers, Owner};
use crate::mcp::tasks::{TaskBounds, Tasks as _, Worker};

const QUESTIONS: &str = r#"{"name":{"method":"roots/list"}}"#;

struct Asks;

impl Worker for Asks {
    fn questions(&self) -> Option<String> {
        Some(QUESTIONS.to_owned())
    }

    fn answer(&self, _: &Answers) {}

    fn stop(&self) {}
}

/// Tells when it is stopped.
#[derive(Default)]
struct Stops(Notify);

impl Worker for Stops {
    fn questions(&self) -> Option<String> {
        None
    }

    fn answer(&self, _: &Answers) {}

    fn stop(&self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn questions_are_stored_once_redis_can_be_reached_again() {
    let is_loaded = Arc::new(AtomicBool::new(false));
    // The last lines of the scripts, and what a connection begins with.
    let (url, mut said) = fake_redis::start(move |line| match line {
        "CLIENT" => "+OK\r\n",
        "redis.call('SET', KEYS[3], '1', 'PX', ARGV[2])" => ":1\r\n",
        "return answers" => "*1\r\n$0\r\n\r\n",
        line if line.starts_with("if ARGV[2] == '1'") => {
            match is_loaded.swap(true, Ordering::Relaxed) {
                false => "-LOADING Redis is loading the dataset in memory\r\n",
                true => ":1\r\n",
            }
        }
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    let begun = tasks.begin(None, Arc::new(Asks)).await.expect("it is stored");
    tasks.ask(&begun.id).await;
    let mut stored = 0;
    while let Ok(line) = said.try_recv() {
        stored += line.matches(QUESTIONS).count();
    }
    assert_eq!(stored, 2);
}

#[tokio::test]
async fn a_task_that_redis_has_lost_is_stored_again_with_its_questions() {
    let (url, mut said) = fake_redis::start(|line| match line {
        "CLIENT" => "+OK\r\n",
        "redis.call('SET', KEYS[3], '1', 'PX', ARGV[2])" => ":1\r\n",
        "return answers" => "*1\r\n$7\r\nunknown\r\n",
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    tasks.begin(None, Arc::new(Asks)).await.expect("it is stored");
    let stored = async { while !said.recv().await.unwrap().contains(QUESTIONS) {} };
    timeout(Duration::from_secs(60), stored).await.expect("it is stored again");
}

#[tokio::test]
async fn a_task_of_another_replica_is_its_owners() {
    // A task of Ann's; the other scripts end with what has been done.
    let (url, _said) = fake_redis::start(|line| match line {
        "CLIENT" => "+OK\r\n",
        "return redis.call('HGETALL', KEYS[1])" => {
            "*10\r\n$7\r\ncreated\r\n$1\r\n1\r\n$7\r\nupdated\r\n$1\r\n1\r\n\
             $3\r\nttl\r\n$1\r\n1\r\n\
             $5\r\nowner\r\n$3\r\nann\r\n$6\r\nstatus\r\n$18\r\n\"status\":\"working\"\r\n"
        }
        "return 1" => ":1\r\n",
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    let owner = |name: &str| Some(Owner(name.into()));
    for (owner, is_its) in [(owner("bob"), false), (None, false), (owner("ann"), true)] {
        let updated = tasks.update("id", owner.clone(), &Answers::default()).await.unwrap();
        let cancelled = tasks.cancel("id", owner.clone()).await.unwrap();
        assert_eq!((updated, cancelled), (is_its, is_its.then_some(true)), "{owner:?}");
    }
}

#[tokio::test]
async fn a_task_that_has_ended_is_not_cancelled() {
    // It ends at this moment.
    let (url, _said) = fake_redis::start(|line| match line {
        "CLIENT" => "+OK\r\n",
        "return redis.call('HGETALL', KEYS[1])" => {
            "*8\r\n$7\r\ncreated\r\n$1\r\n1\r\n$7\r\nupdated\r\n$1\r\n1\r\n\
             $5\r\nended\r\n$1\r\n0\r\n$6\r\nstatus\r\n$18\r\n\"status\":\"working\"\r\n"
        }
        "return 1" => ":2\r\n",
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    assert_eq!(tasks.cancel("id", None).await.unwrap(), Some(false));
}

#[tokio::test]
async fn a_task_that_another_replica_has_cancelled_is_stopped() {
    let (url, _said) = fake_redis::start(|line| match line {
        "CLIENT" => "+OK\r\n",
        "redis.call('SET', KEYS[3], '1', 'PX', ARGV[2])" => ":1\r\n",
        "return answers" => "*0\r\n",
        _ => "",
    })
    .await;
    let (tasks, worker) = (RedisTasks::open(&url, "p").unwrap(), Arc::<Stops>::default());
    tasks.begin(None, worker.clone()).await.expect("it is stored");
    timeout(Duration::from_secs(60), worker.0.notified()).await.expect("it is stopped");
}

/// Its questions are others once they are stored.
#[derive(Default)]
struct Changes(AtomicBool);

impl Worker for Changes {
    fn questions(&self) -> Option<String> {
        self.0.swap(true, Ordering::Relaxed).then(|| QUESTIONS.to_owned())
    }

    fn answer(&self, _: &Answers) {}

    fn stop(&self) {}
}

#[tokio::test]
async fn questions_that_change_while_they_are_stored_are_stored_again() {
    let (url, mut said) = fake_redis::start(|line| match line {
        "CLIENT" => "+OK\r\n",
        "return 1" => ":1\r\n",
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    let begun = tasks.begin(None, Arc::new(Changes::default())).await.expect("it is stored");
    tasks.ask(&begun.id).await;
    let lines: Vec<_> = std::iter::from_fn(|| said.try_recv().ok()).collect();
    assert!(lines.iter().any(|line| line.contains(QUESTIONS)), "{lines:?}");
}

#[tokio::test]
async fn a_task_is_stored_as_long_as_its_server_says() {
    let (url, mut said) = fake_redis::start(|line| match line {
        "CLIENT" => "+OK\r\n",
        "return 1" => ":1\r\n",
        _ => "",
    })
    .await;
    let bounds = TaskBounds { ttl: Duration::from_secs(7_200), running: 1 };
    let tasks = RedisTasks::open(&url, "p").unwrap().within(bounds);
    let begun = tasks.begin(None, Arc::new(Asks)).await.expect("it is stored");
    assert!(begun.members.contains("\"ttlMs\":7200000"), "{}", begun.members);
    assert!(tasks.begin(None, Arc::new(Asks)).await.is_none());
    let lines: Vec<_> = std::iter::from_fn(|| said.try_recv().ok()).collect();
    let at = lines.iter().position(|line| line == "ttl").expect("it is stored");
    assert_eq!(lines[at + 2], "7200000");
}

/// It has become a replica of another server, which has its address now.
#[tokio::test]
async fn a_server_that_takes_nothing_any_more_is_left() {
    let connections = Arc::new(AtomicUsize::new(0));
    let count = connections.clone();
    let (url, _said) = fake_redis::start(move |line| match line {
        "SETINFO" => {
            count.fetch_add(1, Ordering::Relaxed);
            "+OK\r\n"
        }
        "return 1" => "-READONLY You can't write against a read only replica.\r\n",
        _ => "",
    })
    .await;
    let tasks = RedisTasks::open(&url, "p").unwrap();
    for _ in 0..3 {
        assert!(tasks.begin(None, Arc::new(Asks)).await.is_none());
    }
    // Each says twice what client it is.
    assert_eq!(connections.load(Ordering::Relaxed), 2 * 3);
}
