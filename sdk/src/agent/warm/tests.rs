use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Command;
use std::task::{Context, Waker};
use std::time::Duration;

use rustix::process::{Pid, test_kill_process};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::*;
use crate::agent::RunError;
use crate::agent::memory_cli::play;
use crate::agent::options::AgentOptionsBuilder;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn a_pool_closes_although_the_runtime_of_its_starts_is_gone() {
    let pool = {
        let first = runtime();
        let _in_first = first.enter();
        // Nothing is started, as the runtime never runs.
        WarmPool::new(2, AgentOptions::default())
    };
    let closed = async { timeout(Duration::from_secs(60), pool.close()).await };
    runtime().block_on(closed).expect("it waits for starts that are gone");
    assert!(format!("{pool:?}").contains("busy: 0"), "{pool:?}");
}

#[tokio::test]
async fn whoever_closes_a_pool_waits_for_all_that_ends() {
    let pool = WarmPool::new(0, AgentOptions::default());
    let (cli, _lines) = play(|_| Vec::new());
    let warm = prewarm_with(cli, AgentOptions::default()).await.unwrap();
    pool.shared.state().ready.push_back(warm);
    let (mut first, mut second) = (pin!(pool.close()), pin!(pool.close()));
    let mut cx = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut cx).is_pending());
    assert!(second.as_mut().poll(&mut cx).is_pending(), "the first one has not ended it yet");
    first.await;
    second.await;
}

#[tokio::test]
async fn a_cli_that_has_ended_is_not_ready_and_is_replaced() {
    let options = AgentOptions::builder().cli_path("/nowhere/claude").build().unwrap();
    let pool = WarmPool::unfilled(2, options);
    for ends in [false, true] {
        let (cli, _lines) = play(|_| Vec::new());
        let warm = prewarm_with(cli, AgentOptions::default()).await.unwrap();
        if ends {
            let lifecycle = &warm.connected.handle.core.lifecycle;
            lifecycle.stop(Stop::Closed);
            lifecycle.ended().await;
        }
        pool.shared.state().ready.push_back(warm);
    }
    assert_eq!(pool.ready(), 1);
    pool.shared.refill();
    assert!(format!("{pool:?}").contains("ready: 1, busy: 1"), "{pool:?}");
    pool.close().await;
}

async fn ready() -> WarmQuery {
    let (cli, _lines) = play(|_| Vec::new());
    prewarm_with(cli, AgentOptions::default()).await.unwrap()
}

#[tokio::test]
async fn a_run_gets_the_cli_that_has_waited_longest_of_those_that_run() {
    let pool = WarmPool::new(0, AgentOptions::default());
    let [ended, oldest, newest] = [ready().await, ready().await, ready().await];
    let [ending, failed] = [ready().await, ready().await];
    ending.connected.handle.core.lifecycle.ending();
    let lifecycle = &ended.connected.handle.core.lifecycle;
    lifecycle.stop(Stop::Closed);
    lifecycle.ended().await;
    failed.connected.handle.core.lifecycle.stop(Stop::Failed(RunError::NoResult));
    let core = Arc::as_ptr(&oldest.connected.handle.core);
    pool.shared.state().ready.extend([ended, ending, failed, oldest, newest]);
    let run = pool.query("Go.").await.unwrap();
    assert_eq!(Arc::as_ptr(&run.handle().core), core);
    assert_eq!(pool.ready(), 1);
}

#[tokio::test]
async fn a_pool_that_is_closed_keeps_and_starts_none() {
    let options = AgentOptions::builder().cli_path("/nowhere/claude").build().unwrap();
    let pool = WarmPool::new(1, options);
    pool.close().await;
    pool.shared.refill();
    assert!(format!("{pool:?}").contains("busy: 0"), "{pool:?}");
    pool.shared.state().busy += 1;
    let mut starts = Busy(Arc::downgrade(&pool.shared));
    let late = starts.keep(ready().await).expect("nobody would end it");
    late.close().await;
    drop(starts);
    assert!(format!("{pool:?}").contains("ready: 0, busy: 0"), "{pool:?}");
}

fn folder(name: &str) -> PathBuf {
    let folder = format!("toolwright-warm-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    fs::create_dir(&folder).unwrap();
    folder
}

/// Options of a CLI that never answers: it says its process id, waits for the end of its input,
/// says so, and waits until somebody opens `gate` in its folder. What it says comes out of the
/// receiver.
fn silent(
    folder: &Path,
    change: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder,
) -> (AgentOptions, UnboundedReceiver<String>) {
    // A script that is run by `node`, as nobody may execute a file that is still being written.
    let script = "echo $$ >&2; while read -r line; do :; done; echo ending >&2; read -r line <gate";
    fs::write(folder.join("claude.js"), script).unwrap();
    symlink("/bin/sh", folder.join("node")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("gate")).status().unwrap().success());
    let (said, lines) = unbounded_channel();
    let options = AgentOptions::builder()
        .cli_path(folder.join("claude.js"))
        .cwd(folder)
        .env("PATH", folder)
        .close_grace(Duration::from_secs(60))
        .stderr(move |line| drop(said.send(line.to_owned())));
    (change(options).build().unwrap(), lines)
}

async fn said(lines: &mut UnboundedReceiver<String>) -> String {
    timeout(Duration::from_secs(60), lines.recv()).await.unwrap().unwrap()
}

/// Waits until the input of the pool's CLI was closed. Then the pool waits for its process.
async fn closes_with_its_cli(
    mut closed: Pin<&mut impl Future<Output = ()>>,
    folder: PathBuf,
    pid: &str,
    lines: &mut UnboundedReceiver<String>,
) {
    assert_eq!(said(lines).await, "ending");
    let mut cx = Context::from_waker(Waker::noop());
    assert!(closed.as_mut().poll(&mut cx).is_pending(), "its CLI is still there");
    fs::write(folder.join("gate"), "\n").unwrap();
    closed.await;
    let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
    assert!(test_kill_process(pid).is_err(), "its CLI is still there");
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_pool_that_is_closed_ends_a_cli_that_does_not_become_ready() {
    let folder = folder("unready");
    let never = Duration::from_secs(3600);
    let (options, mut lines) = silent(&folder, |b| b.initialize_timeout(never));
    let pool = WarmPool::new(1, options);
    let pid = said(&mut lines).await;
    let mut closed = pin!(pool.close());
    let mut cx = Context::from_waker(Waker::noop());
    assert!(closed.as_mut().poll(&mut cx).is_pending(), "its CLI is still there");
    closes_with_its_cli(closed, folder, &pid, &mut lines).await;
}

#[tokio::test]
async fn a_pool_is_closed_once_a_cli_that_has_failed_is_gone() {
    let folder = folder("failed");
    let soon = Duration::from_millis(1);
    let (options, mut lines) = silent(&folder, |b| b.initialize_timeout(soon));
    let pool = WarmPool::new(1, options);
    let pid = said(&mut lines).await;
    closes_with_its_cli(pin!(pool.close()), folder, &pid, &mut lines).await;
}
