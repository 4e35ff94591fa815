use std::future::pending;

use super::*;
use crate::agent::inbox;
use crate::agent::options::AgentOptions;
use crate::agent::transport::{Outgoing, Peer};

/// The output of a CLI that has closed it.
struct Ended;

#[async_trait::async_trait]
impl Incoming for Ended {
    async fn read(&mut self, _: &mut Vec<u8>) -> io::Result<usize> {
        Ok(0)
    }
}

/// The input of a CLI that nobody reads.
struct Unread(#[expect(dead_code, reason = "it is there to be dropped")] Arc<()>);

#[async_trait::async_trait]
impl Outgoing for Unread {
    async fn write(&mut self, _: &[u8]) -> io::Result<()> {
        pending().await
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Gone;

#[async_trait::async_trait]
impl Peer for Gone {
    async fn wait(&mut self, _: bool) -> ProcessExit {
        ProcessExit::default()
    }
}

#[tokio::test]
async fn a_write_that_nobody_reads_ends_with_the_run() {
    let options = AgentOptions::default();
    let (inbox, _outlet) = inbox::channel(usize::MAX, false);
    let core = Core::new(&options, inbox, false);
    core.channel.writer.add(|out| out.extend_from_slice(b"{}\n"));
    let input = Arc::new(());
    let connection = Connection::new(Ended, Unread(input.clone()), Gone);
    drive(core, connection, usize::MAX, Trace::of(&options)).await;
    let is_dropped = async {
        while Arc::strong_count(&input) > 1 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(60), is_dropped).await.unwrap();
}
