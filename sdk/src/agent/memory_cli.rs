//! A CLI in memory, for tests.

use std::future::pending;
use std::io;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf,
    duplex, split,
};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::error::{ConnectError, ProcessExit};
use super::transport::{Connection, Incoming, Launch, Outgoing, Peer, Transport};

/// A CLI that `play` has made.
pub(crate) struct MemoryCli(DuplexStream);

/// A CLI that says what `answer` gives for each line that it reads, and before that `success` to a
/// control request, unless an answer is among it. The lines come out of the receiver, too, which
/// ends with the CLI's input.
pub(crate) fn play(
    mut answer: impl FnMut(&str) -> Vec<String> + Send + 'static,
) -> (MemoryCli, UnboundedReceiver<String>) {
    let (ours, theirs) = duplex(1024 * 1024);
    let (seen, lines) = unbounded_channel();
    tokio::spawn(async move {
        let (read, mut write) = split(theirs);
        let mut read = BufReader::new(read).lines();
        while let Ok(Some(line)) = read.next_line().await {
            let (mut said, answered) = (Vec::new(), answer(&line));
            let is_response = |line: &String| line.contains("\"control_response\"");
            if line.starts_with("{\"type\":\"control_request\"")
                && !answered.iter().any(is_response)
            {
                let request: Value = serde_json::from_str(&line).unwrap();
                let response = json!({"subtype": "success", "request_id": request["request_id"]});
                said.push(json!({"type": "control_response", "response": response}).to_string());
            }
            said.extend(answered);
            let said: String = said.iter().map(|line| format!("{line}\n")).collect();
            // A test may be done with either.
            let _ = seen.send(line);
            let _ = write.write_all(said.as_bytes()).await;
        }
    });
    (MemoryCli(ours), lines)
}

/// A result that ends the oldest prompt.
pub(crate) fn result(text: &str) -> String {
    format!(r#"{{"type":"result","is_error":false,"num_turns":3,"result":"{text}"}}"#)
}

/// Whether a line is a prompt.
pub(crate) fn is_prompt(line: &str) -> bool {
    // Prompts may be so long that nobody wants to read them.
    line.ends_with('}') && line.contains("\"type\":\"user\"")
}

#[async_trait]
impl Transport for MemoryCli {
    async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
        let (output, input) = split(self.0);
        Ok(Connection::new(Output(output), Input(input), NoProcess))
    }
}

struct Output(ReadHalf<DuplexStream>);

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.0.read_buf(buffer).await
    }
}

struct Input(WriteHalf<DuplexStream>);

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes).await
    }

    async fn end(&mut self) -> io::Result<()> {
        self.0.shutdown().await
    }
}

/// A CLI made of its parts.
#[async_trait]
impl Transport for Connection {
    async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
        Ok(*self)
    }
}

/// The output of a CLI that says nothing: what each attempt to read it gives.
pub(crate) struct Silent(pub(crate) fn() -> Poll<io::Result<usize>>);

#[async_trait]
impl Incoming for Silent {
    async fn read(&mut self, _: &mut Vec<u8>) -> io::Result<usize> {
        match (self.0)() {
            Poll::Ready(read) => read,
            Poll::Pending => pending().await,
        }
    }
}

/// A process that fails, which is known this long after its output has ended.
pub(crate) struct Fails(pub(crate) Duration);

#[async_trait]
impl Peer for Fails {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        if !closing {
            pending::<()>().await;
        }
        tokio::time::sleep(self.0).await;
        ProcessExit { status: None, stderr: "boom".to_owned() }
    }
}

/// The input of a CLI that reads everything.
pub(crate) struct Reads;

#[async_trait]
impl Outgoing for Reads {
    async fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct NoProcess;

#[async_trait]
impl Peer for NoProcess {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        if !closing {
            pending::<()>().await;
        }
        ProcessExit::default()
    }
}
