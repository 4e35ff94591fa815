//! A transport that can be read from at any time, without an end.

use std::future::pending;
use std::io;
use std::sync::mpsc;
use std::thread;

use async_trait::async_trait;
use tokio::runtime::Builder;
use tokio::sync::oneshot;
use toolwright::agent::transport::{Connection, Incoming, Launch, Outgoing, Peer, Transport};
use toolwright::agent::{AgentClient, AgentOptions, ConnectError, ProcessExit};

use super::TOO_LONG;

/// Tells when the run begins to close it.
struct Endless(mpsc::Sender<()>);
/// Answers `initialize` once it was asked, and then says something for ever.
struct Output(Option<oneshot::Receiver<()>>);
struct Input(Option<oneshot::Sender<()>>);

#[async_trait]
impl Transport for Endless {
    async fn connect(self: Box<Self>, _: Launch) -> Result<Connection, ConnectError> {
        let (asked, asks) = oneshot::channel();
        Ok(Connection::new(Output(Some(asks)), Input(Some(asked)), *self))
    }
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let said: &[u8] = match &mut self.0 {
            None => b"no message\n",
            Some(asked) => {
                asked.await.map_err(io::Error::other)?;
                self.0 = None;
                br#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1","response":{}}}
"#
            }
        };
        buffer.extend_from_slice(said);
        Ok(said.len())
    }
}

#[async_trait]
impl Outgoing for Input {
    async fn write(&mut self, _: &[u8]) -> io::Result<()> {
        let _ = self.0.take().map(|asked| asked.send(()));
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[async_trait]
impl Peer for Endless {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        if !closing {
            return pending().await;
        }
        self.0.send(()).unwrap();
        ProcessExit::default()
    }
}

/// Connects on one thread, where nothing else runs while the driver does.
fn with_a_client(end: impl AsyncFnOnce(AgentClient) + Send + 'static) {
    let (closing, closes) = mpsc::channel();
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let options = AgentOptions::default();
            end(AgentClient::connect_with(Endless(closing), options).await.unwrap()).await;
        });
        done.send(()).unwrap();
    });
    is_done.recv_timeout(TOO_LONG).expect("the driver lets nothing else run");
    closes.try_recv().expect("the CLI is not ended");
}

#[test]
fn a_run_that_always_has_output_can_be_closed() {
    with_a_client(async |client| drop(client.close().await));
}

#[test]
fn a_run_that_always_has_output_ends_when_it_is_dropped() {
    with_a_client(async |client| {
        let handle = client.handle();
        drop(client);
        while handle.exit().is_none() {
            tokio::task::yield_now().await;
        }
    });
}
