//! CLIs that are ready before there is a prompt.

use std::sync::Arc;

use async_trait::async_trait;
use toolwright::agent::sessions::{SessionEntry, SessionKey, SessionStore, StoreError};
use toolwright::agent::{AgentOptions, WarmPool, prewarm};

use super::scene::{Scene, all, within};

#[tokio::test]
async fn a_run_begins_with_a_cli_that_waits() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("It is 42.");
    let warm = within(prewarm(scene.options().build().unwrap())).await.unwrap();
    assert_eq!(warm.server_info().claude_code_version, Some(scene.version()));
    assert!(warm.exit().is_none() && scene.model.requests().is_empty());
    let mut run = warm.query("What is 2 + 40?");
    assert_eq!(all(&mut run).await.result().text(), "It is 42.");

    let unused = within(prewarm(scene.options().build().unwrap())).await.unwrap();
    assert!(within(unused.close()).await.status.unwrap().success());
}

#[tokio::test]
async fn a_pool_keeps_some_ready() {
    let Some(scene) = Scene::open().await else { return };
    let options = scene.options().build().unwrap();
    let pool = WarmPool::new(2, options);
    full(&pool, 2).await;
    scene.model.say("One.").say("Two.");
    for expected in ["One.", "Two."] {
        let result = within(within(pool.query("Go.")).await.unwrap().finish()).await.unwrap();
        assert_eq!(result.text(), expected);
    }
    full(&pool, 2).await;
    let same = pool.clone();
    within(pool.close()).await;
    assert_eq!(same.ready(), 0);
    scene.model.say("Three.");
    let result = within(within(same.query("Go.")).await.unwrap().finish()).await.unwrap();
    assert_eq!(result.text(), "Three.");
    assert_eq!(same.ready(), 0, "a closed pool starts none ahead");
}

#[tokio::test]
async fn a_pool_that_is_closed_at_once_waits_for_what_it_has_started() {
    let Some(scene) = Scene::open().await else { return };
    let pool = WarmPool::new(2, scene.options().build().unwrap());
    assert!(format!("{pool:?}").ends_with("ready: 0, busy: 2, .. }"), "{pool:?}");
    within(pool.close()).await;
    assert!(format!("{pool:?}").ends_with("ready: 0, busy: 0, .. }"), "{pool:?}");
}

#[tokio::test]
async fn a_pool_without_a_cli_reports_it_by_its_runs() {
    let options = AgentOptions::builder().cli_path("/nowhere/claude").build().unwrap();
    let pool = WarmPool::new(1, options);
    assert!(within(pool.query("Go.")).await.is_err());
    assert_eq!(pool.ready(), 0);
}

/// A store that panics when a session is resumed.
struct Panics;

#[async_trait]
impl SessionStore for Panics {
    async fn append(&self, _: &SessionKey, _: &[SessionEntry]) -> Result<(), StoreError> {
        Ok(())
    }

    async fn load(&self, _: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        panic!("as the test wants it")
    }
}

#[tokio::test]
async fn a_pool_closes_although_a_start_has_panicked() {
    let options = AgentOptions::builder()
        .cli_path("/nowhere/claude")
        .session_store(Arc::new(Panics))
        .resume("11111111-1111-4111-8111-111111111111")
        .build()
        .unwrap();
    let pool = WarmPool::new(2, options);
    within(pool.close()).await;
    assert!(format!("{pool:?}").ends_with("ready: 0, busy: 0, .. }"), "{pool:?}");
}

async fn full(pool: &WarmPool, count: usize) {
    within(async {
        while pool.ready() < count {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
