use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use memchr::memmem;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::response;
use crate::answer::Checker;
use crate::call::{Batch, Call, Era, FIRST_ID, LEGACY_VERSION};

/// A connection that begins sessions and ends none.
pub struct Sessions {
    stream: TcpStream,
    address: SocketAddr,
    opening: Vec<u8>,
    call: Batch,
    checker: Checker,
    input: Vec<u8>,
    body: Vec<u8>,
}

impl Sessions {
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await.context("connecting")?;
        stream.set_nodelay(true)?;
        let call = Batch::render(Call::Add, Era::Legacy, FIRST_ID, 1);
        let (opening, checker) = (Era::Legacy.opening(), Checker::new(false));
        let (input, body) = (Vec::new(), Vec::new());
        Ok(Self { stream, address, opening, call, checker, input, body })
    }

    /// Begins a session and makes one call in it. Gives its id.
    pub async fn begin(&mut self) -> Result<String> {
        self.send("", &self.opening.clone()).await?;
        let name = b"\r\nmcp-session-id: ";
        let id = memmem::find(&self.input, name).context("the server has begun no session")?;
        let id = &self.input[id + name.len()..];
        let id = &id[..memmem::find(id, b"\r\n").context("no end of the id")?];
        let id = std::str::from_utf8(id).context("the id of a session")?.to_owned();
        self.send(&head(&id), Era::Legacy.greeting()).await?;
        self.call(&id).await?;
        Ok(id)
    }

    /// Makes a call in a session.
    pub async fn call(&mut self, id: &str) -> Result<()> {
        let line = self.call.lines(0, 1).to_vec();
        self.send(&head(id), &line).await?;
        self.checker.check(&self.call, &self.body).context("a call in a session").map(drop)
    }

    /// Fails unless a session is there no longer. No more can be sent then.
    pub async fn fails_in(mut self, id: &str) -> Result<()> {
        let called = self.call(id).await;
        ensure!(self.input.starts_with(b"HTTP/1.1 404 "), "a session is kept too long: {called:?}");
        Ok(())
    }

    /// Posts a line, and reads the response.
    async fn send(&mut self, head: &str, line: &[u8]) -> Result<()> {
        let line = line.trim_ascii_end();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAccept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\n{head}Content-Length: {}\r\n\r\n",
            self.address,
            line.len(),
        );
        self.stream.write_all(&[head.as_bytes(), line].concat()).await.context("sending")?;
        self.input.clear();
        while response::read(&self.input, &mut self.body)?.is_none() {
            let count = self.stream.read_buf(&mut self.input).await.context("receiving")?;
            ensure!(count > 0, "the server has closed the connection");
        }
        Ok(())
    }
}

/// What a request in a session has besides.
fn head(id: &str) -> String {
    format!("MCP-Protocol-Version: {LEGACY_VERSION}\r\nMcp-Session-Id: {id}\r\n")
}

#[cfg(test)]
mod tests;
