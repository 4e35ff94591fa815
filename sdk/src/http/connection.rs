//! A connection that ends if its client does nothing.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::timer::Timer;

/// How long a client that was refused may go on sending before its connection closes.
const LINGER: Duration = Duration::from_secs(2);

/// The requests of a connection.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// Those that are being answered.
    now: AtomicUsize,
    /// All.
    all: AtomicUsize,
    /// The last one was refused, perhaps before its body was read.
    is_refused: AtomicBool,
    /// The server stops: no other request follows.
    is_last: AtomicBool,
}

/// A request is being answered until this is dropped.
#[derive(Debug)]
pub(super) struct Answering(Arc<Activity>);

/// A TCP stream with time-outs: for the head of a request, for a pause between requests, and for a
/// client that does not read.
pub(super) struct Connection {
    stream: TcpStream,
    activity: Arc<Activity>,
    head_timeout: Duration,
    idle_timeout: Duration,
    /// Part of a head has come, after so many requests.
    head_after: Option<usize>,
    /// What was written last is on its way.
    is_flushed: bool,
    /// The client has been told that nothing more will come.
    is_shut: bool,
    reading: Timer,
    /// What `reading` runs for: all requests so far, and whether part of a head has come.
    reads_for: (usize, bool),
    writing: Timer,
}

impl Answering {
    pub(super) fn activity(&self) -> &Activity {
        &self.0
    }
}

impl Activity {
    pub(super) fn answer(self: Arc<Self>) -> Answering {
        self.now.fetch_add(1, Ordering::Relaxed);
        self.all.fetch_add(1, Ordering::Relaxed);
        Answering(self)
    }

    pub(super) fn end(&self, is_refused: bool) {
        self.is_refused.store(is_refused, Ordering::Relaxed);
    }

    pub(super) fn set_last(&self) {
        self.is_last.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_last(&self) -> bool {
        self.is_last.load(Ordering::Relaxed)
    }

    fn all(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }

    fn is_idle(&self) -> bool {
        self.now.load(Ordering::Relaxed) == 0
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connection {
    pub(super) fn new(
        stream: TcpStream,
        activity: Arc<Activity>,
        head_timeout: Duration,
        idle_timeout: Duration,
    ) -> Self {
        Self {
            stream,
            activity,
            head_timeout,
            idle_timeout,
            head_after: None,
            is_flushed: true,
            is_shut: false,
            reading: Timer::default(),
            reads_for: (0, false),
            writing: Timer::default(),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if let Poll::Ready(read) = Pin::new(&mut this.stream).poll_read(cx, buf) {
            this.head_after = this.activity.is_idle().then_some(this.activity.all());
            return Poll::Ready(read);
        }
        this.late(cx).map(Err)
    }
}

impl Connection {
    /// Ready once the client has taken too long for its next request. All parts of a head have one
    /// time-out.
    fn late(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        if !self.activity.is_idle() || !self.is_flushed {
            return Poll::Pending;
        }
        let all = self.activity.all();
        let is_in_head = self.head_after == Some(all);
        if self.reads_for != (all, is_in_head) {
            self.reads_for = (all, is_in_head);
            self.reading.stop();
        }
        let limit = if is_in_head { self.head_timeout } else { self.idle_timeout };
        self.reading.poll(cx, limit).map(|()| io::ErrorKind::TimedOut.into())
    }

    /// Passes on the result of a write, unless writing has waited for too long.
    fn written<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        match written {
            Poll::Ready(written) => {
                self.writing.stop();
                Poll::Ready(written)
            }
            Poll::Pending => {
                let is_late = self.writing.poll(cx, self.idle_timeout);
                is_late.map(|()| Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_flushed = false;
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_flushed = false;
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Here an answer has ended. If hyper has read during it, and found nothing, then it does not
    /// read again before something comes, so that this begins the time until the next request.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        ready!(Pin::new(&mut this.stream).poll_flush(cx))?;
        this.is_flushed = true;
        match this.late(cx) {
            Poll::Ready(late) => Poll::Ready(Err(late)),
            Poll::Pending => Poll::Ready(Ok(())),
        }
    }

    /// A connection that closes with bytes unread is reset, and its client may lose the answer. So
    /// what a client still sends of a body that was refused is read and dropped.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if !this.is_shut {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            this.is_shut = true;
            this.reading.stop();
        }
        let mut space = [0; 4096];
        while this.activity.is_refused.load(Ordering::Relaxed)
            && this.reading.poll(cx, LINGER).is_pending()
        {
            let mut read = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut this.stream).poll_read(cx, &mut read)) {
                Ok(()) if !read.filled().is_empty() => {}
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests;
