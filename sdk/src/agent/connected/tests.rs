use std::io;
use std::task::Poll;
use std::time::Duration;

use super::*;
use crate::agent::memory_cli::{Fails, Reads, Silent};
use crate::agent::transport::Connection;

/// A CLI that fails a second after its output has ended.
async fn start(output: Silent, is_one_shot: bool) -> Starting {
    let connection = Connection::new(output, Reads, Fails(Duration::from_secs(1)));
    Starting::start(Box::new(connection), AgentOptions::default(), is_one_shot).await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_transport_that_fails_before_the_cli_is_ready_is_told_of() {
    let fails = || Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
    for is_one_shot in [true, false] {
        let starting = start(Silent(fails), is_one_shot).await;
        let Err(ConnectError::Transport(error)) = starting.ready().await else {
            panic!("another error, or none")
        };
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}

#[tokio::test(start_paused = true)]
async fn a_cli_that_has_ended_when_it_is_to_be_initialised_is_told_of() {
    for is_one_shot in [true, false] {
        let starting = start(Silent(|| Poll::Ready(Ok(0))), is_one_shot).await;
        while !starting.core().channel.writer.is_ended() {
            tokio::task::yield_now().await;
        }
        let error = starting.ready().await.map(drop).unwrap_err();
        assert!(matches!(&error, ConnectError::Exited(exit) if exit.stderr == "boom"), "{error}");
    }
}
