//! The tasks with a Redis server that loads its data. `tests/it/replicas` has real ones.

use std::sync::Arc;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::sync::mpsc::unbounded_channel;

use super::RedisTasks;
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
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let (say, mut said) = unbounded_channel();
    tokio::spawn(async move {
        let mut is_loading = true;
        while let Ok((stream, _)) = listener.accept().await {
            let mut lines = BufReader::new(stream).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                // The last lines of the scripts, and what a connection begins with.
                let answer = match line.as_str() {
                    "CLIENT" => "+OK\r\n",
                    "redis.call('SET', KEYS[3], '1', 'PX', ARGV[2])" => ":1\r\n",
                    "return answers" => "*1\r\n$0\r\n\r\n",
                    line if line.starts_with("if ARGV[2] == '1'") => {
                        match std::mem::take(&mut is_loading) {
                            true => "-LOADING Redis is loading the dataset in memory\r\n",
                            false => ":1\r\n",
                        }
                    }
                    _ => "",
                };
                let _ = lines.get_mut().write_all(answer.as_bytes()).await;
                let _ = say.send(line);
            }
        }
    });
    let tasks = RedisTasks::connect(&url, "p").unwrap();
    let begun = tasks.begin(None, Arc::new(Asks)).await.expect("it is stored");
    tasks.ask(&begun.id).await;
    let mut stored = 0;
    while let Ok(line) = said.try_recv() {
        stored += line.matches(QUESTIONS).count();
    }
    assert_eq!(stored, 2);
}
