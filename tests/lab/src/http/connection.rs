use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::metric::Answer;
use super::response;
use super::server::Server;
use crate::answer::Checker;
use crate::call::{Batch, Call, Era, FIRST_ID, STATELESS_VERSION};

/// How many different requests a connection sends in turn.
const REQUESTS: usize = 16;

/// A keep-alive connection that sends one call at a time.
pub struct Connection {
    stream: TcpStream,
    answer: Answer,
    batch: Batch,
    requests: Vec<Vec<u8>>,
    next: usize,
    checker: Checker,
    input: Vec<u8>,
    body: Vec<u8>,
}

impl Connection {
    /// Connection number `number`, whose ids are those of no other one.
    pub async fn open(
        server: &Server,
        address: SocketAddr,
        answer: Answer,
        number: usize,
    ) -> Result<Self> {
        let stream = TcpStream::connect(address).await.context("connecting")?;
        stream.set_nodelay(true)?;
        let first = FIRST_ID + (number * REQUESTS) as u64;
        let batch = Batch::render(Call::Add, Era::Stateless, first, REQUESTS);
        let head = head(address, server.accept(answer));
        let request = |at| {
            let body = batch.lines(at, at + 1).trim_ascii_end();
            [format!("{head}Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
        };
        let requests = (0..REQUESTS).map(request).collect();
        let (checker, next) = (Checker::new(false), 0);
        let (input, body) = (Vec::with_capacity(4096), Vec::with_capacity(4096));
        Ok(Self { stream, answer, batch, requests, next, checker, input, body })
    }

    /// Sends a call and checks the answer.
    pub async fn call(&mut self) -> Result<()> {
        let at = self.next;
        self.next = (at + 1) % REQUESTS;
        self.stream.write_all(&self.requests[at]).await.context("sending")?;
        self.input.clear();
        loop {
            let count = self.stream.read_buf(&mut self.input).await.context("receiving")?;
            ensure!(count > 0, "the server has closed the connection");
            if let Some(used) = response::read(&self.input, &mut self.body)? {
                ensure!(used == self.input.len(), "more than one response");
                break;
            }
        }
        let message = match self.answer {
            Answer::Json => &self.body,
            Answer::Stream => response::event(&self.body)?,
        };
        let answered = self.checker.check(&self.batch, message)?;
        ensure!(answered == at, "the answer to another call");
        Ok(())
    }

    /// How many answers did not look like those before them.
    pub fn parsed(&self) -> u64 {
        self.checker.parsed
    }
}

/// All of the head but the length of the body.
fn head(address: SocketAddr, accept: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nUser-Agent: toolwright-lab/1.0\r\n\
         Accept: {accept}\r\nContent-Type: application/json\r\n\
         MCP-Protocol-Version: {STATELESS_VERSION}\r\nMcp-Method: tools/call\r\n\
         Mcp-Name: add\r\n"
    )
}
