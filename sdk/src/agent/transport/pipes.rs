//! The CLI's standard input and output.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::task::Poll;

use async_trait::async_trait;
use rustix::buffer::spare_capacity;
use rustix::io::{Errno, retry_on_intr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::yield_now;

use super::{Incoming, Outgoing};
use crate::agent::error::ProcessExit;

/// The minimum space for a read: the capacity of a pipe.
const PIECE: usize = 64 * 1024;

/// The CLI's standard output.
pub(super) struct Output {
    pipe: ChildStdout,
    exit: watch::Receiver<Option<ProcessExit>>,
    is_over: bool,
}

/// The CLI's standard input.
pub(super) struct Input {
    pipe: Option<ChildStdin>,
    /// A write was dropped in the middle of a line.
    is_torn: bool,
}

impl Output {
    pub(super) fn new(pipe: ChildStdout, exit: watch::Receiver<Option<ProcessExit>>) -> Self {
        Self { pipe, exit, is_over: false }
    }

    /// Reads what is available; `None` if the CLI ended first.
    async fn read_or_end(&mut self, buffer: &mut Vec<u8>) -> Option<io::Result<usize>> {
        let mut read = pin!(self.pipe.read_buf(buffer));
        let mut end = pin!(self.exit.wait_for(Option::is_some));
        std::future::poll_fn(|cx| match read.as_mut().poll(cx) {
            Poll::Ready(result) => Poll::Ready(Some(result)),
            Poll::Pending => end.as_mut().poll(cx).map(|_| None),
        })
        .await
    }
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        if buffer.capacity() - buffer.len() < PIECE {
            buffer.reserve(PIECE);
        }
        if !self.is_over {
            match self.read_or_end(buffer).await {
                Some(result) => return result,
                None => self.is_over = true,
            }
        }
        // A daemon that the CLI left behind may hold the pipe open for ever. What is in the pipe
        // now is all that the CLI wrote. It is read directly, because the runtime may not know yet
        // that the pipe is readable.
        yield_now().await;
        match retry_on_intr(|| rustix::io::read(&self.pipe, spare_capacity(buffer))) {
            Err(Errno::AGAIN) => Ok(0),
            result => Ok(result?),
        }
    }
}

impl Input {
    pub(super) fn new(pipe: ChildStdin) -> Self {
        Self { pipe: Some(pipe), is_torn: false }
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let closed = || io::Error::new(io::ErrorKind::BrokenPipe, "the CLI's input is closed");
        let pipe = self.pipe.as_mut().ok_or_else(closed)?;
        if self.is_torn {
            return Err(io::Error::other("an earlier write stopped in the middle of a line"));
        }
        while !bytes.is_empty() {
            let written = pipe.write(bytes).await?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[written..];
            self.is_torn = !bytes.is_empty();
        }
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        self.pipe = None;
        Ok(())
    }
}
