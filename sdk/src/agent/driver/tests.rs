use std::future::pending;

use super::*;
use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::inbox;
use crate::agent::memory_cli::{Fails, Reads, Silent};
use crate::agent::options::AgentOptions;
use crate::agent::transport::Peer;
use crate::agent::turns::Asker;

/// The output of a CLI that has closed it.
const ENDED: Silent = Silent(|| Poll::Ready(Ok(0)));

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
    let connection = Connection::new(ENDED, Unread(input.clone()), Gone);
    drive(core, connection, usize::MAX, Trace::of(&options)).await;
    let is_dropped = async {
        while Arc::strong_count(&input) > 1 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(60), is_dropped).await.unwrap();
}

/// The input of a CLI that takes no more.
struct Broken;

#[async_trait::async_trait]
impl Outgoing for Broken {
    async fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Err(io::Error::other("broken"))
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Drives a conversation in which a prompt was sent.
fn begin(
    incoming: impl Incoming + 'static,
    outgoing: impl Outgoing + 'static,
) -> (Arc<Core>, impl Future<Output = ()> + Send + 'static) {
    let options = AgentOptions::default();
    let core = Core::new(&options, inbox::channel(usize::MAX, false).0, false);
    core.prompt("Go.".into(), Asker::Client).unwrap();
    // Longer than a run waits whose input is broken.
    let peer = Fails(Duration::from_secs(30));
    let connection = Connection::new(incoming, outgoing, peer);
    (core.clone(), drive(core, connection, usize::MAX, Trace::of(&options)))
}

#[tokio::test(start_paused = true)]
async fn a_run_fails_whose_cli_takes_no_more_input_and_goes_on() {
    let (core, run) = begin(Silent(|| Poll::Pending), Broken);
    timeout(Duration::from_secs(3600), run).await.expect("the prompt waits for ever");
    let error = core.lifecycle.error();
    assert!(matches!(&error, Some(RunError::Transport(why)) if why.to_string() == "broken"));
    let error = core.prompt("Go on.".into(), Asker::Client).unwrap_err();
    assert!(matches!(error, RunError::Transport(_)), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_cli_that_has_died_takes_no_more_input_and_has_only_died() {
    let (core, run) = begin(ENDED, Broken);
    run.await;
    assert!(core.lifecycle.error().is_none());
    assert_eq!(core.lifecycle.exit().unwrap().stderr, "boom");
}

#[tokio::test(start_paused = true)]
async fn what_is_sent_to_a_cli_that_is_just_ending_is_told_how_it_ends() {
    let (core, run) = begin(ENDED, Reads);
    tokio::spawn(run);
    while !core.channel.writer.is_ended() {
        tokio::task::yield_now().await;
    }
    let handle = Handle::of(core.clone());
    let (sent, changed, interrupted) =
        tokio::join!(handle.send("Go on."), handle.set_model(None), handle.interrupt());
    let is_told = |exit: &ProcessExit| exit.stderr == "boom";
    let error = sent.unwrap_err();
    assert!(matches!(&error, RunError::Process(exit) if is_told(exit)), "{error}");
    for error in [changed.unwrap_err(), interrupted.unwrap_err()] {
        assert!(matches!(&error, ControlError::Closed { exit, .. } if is_told(exit)), "{error}");
    }
}
