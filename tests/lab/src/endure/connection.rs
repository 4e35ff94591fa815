use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use toolwright_lab_mix::{Kind, Requests, Verdict, check};

use super::http::Work;
use crate::call::STATELESS_VERSION;
use crate::http::response;

/// A keep-alive connection that makes one call at a time.
pub struct Connection {
    work: Arc<Work>,
    requests: Requests,
    stream: TcpStream,
    body: Vec<u8>,
    out: Vec<u8>,
    input: Vec<u8>,
    answer: Vec<u8>,
}

/// What a call looks like besides its kind.
#[derive(Clone, Copy)]
struct Shape {
    /// The client takes a stream of events only.
    streams: bool,
    /// It waits for the head of the response before it cancels.
    waits: bool,
    /// It cancels by closing the connection in order, and not by resetting it.
    closes: bool,
}

impl Connection {
    pub async fn open(work: &Arc<Work>) -> Result<Self> {
        let (work, stream) = (work.clone(), connect(work).await?);
        let requests = Requests::new(work.mix);
        let [body, out, input, answer] = [const { Vec::new() }; 4];
        Ok(Self { work, requests, stream, body, out, input, answer })
    }

    /// Makes the next call and checks its answer; false if no call is left.
    pub async fn call(&mut self) -> Result<bool> {
        let Some(id) = self.work.take() else { return Ok(false) };
        let called = match self.work.mix.kind(id) {
            Kind::Cancelled => self.cancel(id).await,
            kind => self.answered(id, kind).await,
        };
        called.with_context(|| format!("call {id}, {:?}", self.work.mix.kind(id)))?;
        Ok(true)
    }

    async fn answered(&mut self, id: u64, kind: Kind) -> Result<()> {
        self.body.clear();
        self.requests.call(id, &mut self.body);
        let mut verdict = self.exchange(id, kind).await?;
        if let Verdict::Asks(state) = verdict {
            self.body.clear();
            self.requests.retry(id, state.as_deref(), &mut self.body);
            verdict = self.exchange(id, kind).await?;
        }
        ensure!(verdict == Verdict::Done, "it asks twice");
        Ok(())
    }

    async fn exchange(&mut self, id: u64, kind: Kind) -> Result<Verdict> {
        let shape = Shape::of(&self.work, id);
        self.write_head(kind, shape);
        self.stream.write_all(&self.out).await.context("sending")?;
        self.input.clear();
        loop {
            let count = self.stream.read_buf(&mut self.input).await.context("receiving")?;
            ensure!(count > 0, "the server has closed the connection");
            if let Some(used) = response::read(&self.input, &mut self.answer)? {
                ensure!(used == self.input.len(), "more than one response");
                break;
            }
        }
        let message = if shape.streams { response::event(&self.answer)? } else { &self.answer[..] };
        let (answered, verdict) = check(self.work.mix, message)?;
        ensure!(answered == id, "the answer to call {answered}");
        Ok(verdict)
    }

    /// Cancels a call on a connection of its own, as the modern era does it.
    async fn cancel(&mut self, id: u64) -> Result<()> {
        let shape = Shape::of(&self.work, id);
        self.body.clear();
        self.requests.call(id, &mut self.body);
        self.write_head(Kind::Cancelled, Shape { streams: shape.waits, ..shape });
        let mut stream = connect(&self.work).await?;
        stream.write_all(&self.out).await.context("sending")?;
        if shape.waits {
            let mut head = [0; 12];
            stream.read_exact(&mut head).await.context("waiting for the head")?;
            let head = String::from_utf8_lossy(&head);
            ensure!(head == "HTTP/1.1 200", "another status: {head}");
        }
        if !shape.closes {
            stream.set_zero_linger()?;
            return Ok(());
        }
        // In this order the client still sees what the server says about the call.
        stream.shutdown().await.context("closing")?;
        let mut rest = String::new();
        stream.read_to_string(&mut rest).await.context("reading to the end")?;
        ensure!(!rest.contains("jsonrpc"), "an answer to a cancelled call: {rest}");
        Ok(())
    }

    /// Writes the request whose body is rendered.
    fn write_head(&mut self, kind: Kind, shape: Shape) {
        let accept = match shape.streams {
            true => "text/event-stream",
            false => "application/json, text/event-stream",
        };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAccept: {accept}\r\nContent-Type: application/json\r\n\
             MCP-Protocol-Version: {STATELESS_VERSION}\r\nMcp-Method: tools/call\r\nMcp-Name: {}\r\n\
             Content-Length: {}\r\n\r\n",
            self.work.address,
            Requests::tool(kind),
            self.body.len(),
        );
        self.out.clear();
        self.out.extend_from_slice(head.as_bytes());
        self.out.extend_from_slice(&self.body);
    }
}

impl Shape {
    fn of(work: &Work, id: u64) -> Self {
        let number = work.mix.number(!id);
        Self { streams: number & 3 == 0, waits: number & 4 == 0, closes: number & 0x38 == 0 }
    }
}

async fn connect(work: &Work) -> Result<TcpStream> {
    let stream = TcpStream::connect(work.address).await.context("connecting")?;
    stream.set_nodelay(true)?;
    Ok(stream)
}
