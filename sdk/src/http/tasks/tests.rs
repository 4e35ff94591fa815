//! The tasks with a Redis server that loads its data, and one that has lost it.
//! `tests/it/replicas` has real ones.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use super::RedisTasks;
use crate::http::fake_redis;
use crate::mcp::rounds::Answers;
use crate::mcp::tasks::{Tasks as _, Worker};

const QUESTIONS: &str = r#"{"name":{"method":"roots/list"}}"#;

struct Asks;

impl Worker for Asks {
    fn questions(&self) -> Option<String> {
        Some(QUESTIONS.to_owned())
    }

    fn answer(&self, _: &Answers) {}

    fn stop(&self) {}
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
    let tasks = RedisTasks::connect(&url, "p").unwrap();
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
    let tasks = RedisTasks::connect(&url, "p").unwrap();
    tasks.begin(None, Arc::new(Asks)).await.expect("it is stored");
    let stored = async { while !said.recv().await.unwrap().contains(QUESTIONS) {} };
    timeout(Duration::from_secs(60), stored).await.expect("it is stored again");
}
