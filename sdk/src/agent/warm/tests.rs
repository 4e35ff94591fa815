use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use super::*;
use crate::agent::lifecycle::Stop;
use crate::agent::memory_cli::play;

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
    let state = Mutex::default();
    let pool =
        WarmPool { shared: Arc::new(Shared { size: 2, options, state, settled: Notify::new() }) };
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
    let lifecycle = &ended.connected.handle.core.lifecycle;
    lifecycle.stop(Stop::Closed);
    lifecycle.ended().await;
    let core = Arc::as_ptr(&oldest.connected.handle.core);
    pool.shared.state().ready.extend([ended, oldest, newest]);
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
