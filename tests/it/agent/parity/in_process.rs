use std::io;

use async_trait::async_trait;
use serde_json::json;
use tokio::io::{
    AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines,
    ReadHalf, WriteHalf, duplex, split,
};
use toolwright::ToolRegistry;
use toolwright::agent::transport::{Connection, Incoming, Launch, Outgoing, Peer};
use toolwright::agent::{AgentClient, AgentOptions, ConnectError, ProcessExit, Transport};

use super::script::{Step, Until};
use crate::agent::scene::within;

/// A run with one in-process server, whose CLI the test plays.
pub(super) struct InProcess {
    client: AgentClient,
    cli: Cli,
}

/// The CLI's side.
struct Cli {
    heard: Lines<BufReader<ReadHalf<DuplexStream>>>,
    says: WriteHalf<DuplexStream>,
    requests: usize,
}

impl InProcess {
    pub(super) async fn connect(registry: ToolRegistry) -> Self {
        let (ours, theirs) = duplex(64 * 1024);
        let (heard, says) = split(theirs);
        let mut cli = Cli { heard: BufReader::new(heard).lines(), says, requests: 0 };
        let options = AgentOptions::builder().mcp_server(registry).build().unwrap();
        let connected = AgentClient::connect_with(InMemory(ours), options);
        let (client, ()) = within(async { tokio::join!(connected, cli.begin()) }).await;
        Self { client: client.unwrap(), cli }
    }

    /// Gives the server a line and takes what it says to it.
    pub(super) async fn take(&mut self, step: &Step) -> Vec<String> {
        within(self.cli.message(step)).await
    }

    pub(super) async fn close(self) {
        drop(self.cli);
        within(self.client.close()).await;
    }
}

impl Cli {
    async fn begin(&mut self) {
        let line = self.heard.next_line().await.unwrap().unwrap();
        assert!(line.contains(r#""subtype":"initialize""#), "{line}");
        let id = line.split('"').nth(7).unwrap().to_owned();
        self.acknowledge(&id).await;
    }

    async fn message(&mut self, step: &Step) -> Vec<String> {
        self.requests += 1;
        let id = format!("cli_{}", self.requests);
        let start = json!({"type": "control_request", "request_id": id}).to_string();
        // Put together by hand: the message must get there byte for byte.
        let request = format!(
            r#"{{"subtype":"mcp_message","server_name":"fixture","message":{}}}"#,
            step.line
        );
        self.say(&format!("{},\"request\":{request}}}\n", start.trim_end_matches('}'))).await;
        let mut said = Vec::new();
        // A notification is acknowledged with an answer that is none of MCP.
        let is_notification = !step.line.contains(r#""id":"#);
        loop {
            if !is_notification && step.until.is_met(&said) {
                return said;
            }
            let line = self.heard.next_line().await.unwrap().unwrap();
            let notification = line
                .split_once(r#""server_name":"fixture","message":"#)
                .and_then(|(_, rest)| rest.strip_suffix("}}"));
            let answer = line
                .split_once(r#""response":{"mcp_response":"#)
                .and_then(|(_, rest)| rest.strip_suffix("}}}"));
            match (notification, answer) {
                (Some(notification), None) => {
                    said.push(notification.to_owned());
                    let id = line.split('"').nth(7).unwrap().to_owned();
                    self.acknowledge(&id).await;
                }
                (None, Some(answer)) if is_notification => {
                    assert!(line.contains(&format!("\"{id}\"")), "{line}");
                    assert_eq!(answer, r#"{"jsonrpc":"2.0","result":{},"id":0}"#);
                    assert!(matches!(step.until, Until::Nothing));
                    return said;
                }
                (None, Some(answer)) => {
                    assert!(line.contains(&format!("\"{id}\"")), "{line}");
                    said.push(answer.to_owned());
                }
                _ => panic!("{line}"),
            }
        }
    }

    async fn acknowledge(&mut self, id: &str) {
        let response = json!({"subtype": "success", "request_id": id, "response": {}});
        self.say(&format!("{}\n", json!({"type": "control_response", "response": response}))).await;
    }

    async fn say(&mut self, line: &str) {
        self.says.write_all(line.as_bytes()).await.unwrap();
    }
}

struct InMemory(DuplexStream);
struct Said(ReadHalf<DuplexStream>);
struct Told(WriteHalf<DuplexStream>);
struct Played;

#[async_trait]
impl Transport for InMemory {
    async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
        let (said, told) = split(self.0);
        Ok(Connection::new(Said(said), Told(told), Played))
    }
}

#[async_trait]
impl Incoming for Said {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.0.read_buf(buffer).await
    }
}

#[async_trait]
impl Outgoing for Told {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes).await
    }

    async fn end(&mut self) -> io::Result<()> {
        self.0.shutdown().await
    }
}

#[async_trait]
impl Peer for Played {
    async fn wait(&mut self, is_closing: bool) -> ProcessExit {
        match is_closing {
            true => ProcessExit::default(),
            false => std::future::pending().await,
        }
    }
}
