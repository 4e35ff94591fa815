//! The transport against shells that behave like no CLI should.

mod closing;
mod environment;
mod finding;
mod leftovers;
mod pipes;
mod stderr;
mod watching;

use std::future::{Future, poll_fn};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};
use tokio::runtime::{Builder, Runtime};

use super::{Connection, Incoming, Launch, Process, ProcessGroup, Transport};
use crate::agent::error::{ConnectError, ProcessExit};

/// What never happens in a test that passes.
const TOO_LONG: Duration = Duration::from_secs(30);

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn run<T>(test: impl Future<Output = T>) -> T {
    runtime()
        .block_on(async { tokio::time::timeout(TOO_LONG, test).await.expect("the test hangs") })
}

/// A shell in place of the CLI, with short graces.
fn shell() -> Process {
    let short = Duration::from_millis(50);
    let process = Process::new().cli_path("/bin/sh").process_group(ProcessGroup::Own);
    process.grace_after_end(short).grace_after_terminate(short)
}

fn script(text: &str) -> Launch {
    Launch { args: vec!["-c".into(), text.into()], ..Launch::default() }
}

async fn start(process: Process, text: &str) -> Connection {
    Box::new(process).connect(script(text)).await.unwrap()
}

async fn fails(process: Process, launch: Launch) -> ConnectError {
    Box::new(process).connect(launch).await.expect_err("it starts")
}

/// Runs a script to its own end. Only the last 64 KiB of what it says on standard error are kept,
/// and all of its output.
async fn outcome(process: Process, launch: Launch) -> (String, ProcessExit) {
    let Connection { mut incoming, outgoing, mut peer } =
        Box::new(process).connect(launch).await.unwrap();
    drop(outgoing);
    let output = rest(&mut *incoming).await;
    (output, peer.wait(false).await)
}

async fn rest(incoming: &mut dyn Incoming) -> String {
    let mut buffer = Vec::new();
    while incoming.read(&mut buffer).await.unwrap() > 0 {}
    String::from_utf8(buffer).unwrap()
}

async fn line(incoming: &mut dyn Incoming) -> String {
    let mut buffer = Vec::new();
    while !buffer.ends_with(b"\n") {
        assert_ne!(incoming.read(&mut buffer).await.unwrap(), 0, "the output ended");
    }
    String::from_utf8(buffer).unwrap().trim_end().to_owned()
}

/// Polls once and then drops it, as a `select!` does; whether it was done.
async fn polled_once<F: Future>(future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

fn pid(text: impl ToString) -> Pid {
    text.to_string().parse().ok().and_then(Pid::from_raw).expect("a process id")
}

/// Whether the process is there and not merely waiting to be reaped by somebody else.
fn is_running(pid: Pid) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let is_zombie = state.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z'));
    test_kill_process(pid).is_ok() && !is_zombie
}

/// Whether there is nothing of it at all, not even a zombie.
fn is_gone(pid: Pid) -> bool {
    test_kill_process(pid).is_err()
}

fn eventually(what: impl Fn() -> bool) {
    let since = Instant::now();
    while !what() {
        assert!(since.elapsed() < TOO_LONG, "it does not come to that");
        std::thread::yield_now();
    }
}

/// A folder that is empty and nobody else's, until this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir()
            .join(format!("toolwright-transport-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}
