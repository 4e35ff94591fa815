use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::agent::sessions::{RedisStore, SessionKey, SessionStore};
use toolwright::testing::store_conformance;

use super::{entry, writers_do_not_disturb_each_other};
use crate::replicas::Redis;

#[tokio::test]
async fn redis_is_a_store() {
    let Some(redis) = Redis::start().await else { return };
    let (url, count) = (redis.url(), AtomicUsize::new(0));
    store_conformance(async || {
        let prefix = format!("test-{}", count.fetch_add(1, Ordering::Relaxed));
        RedisStore::open(&url, prefix).unwrap()
    })
    .await;
    let store = || -> Arc<dyn SessionStore> { Arc::new(RedisStore::open(&url, "all").unwrap()) };
    writers_do_not_disturb_each_other(vec![store(), store(), store()]).await;
}

#[tokio::test]
async fn a_store_connects_to_redis_again() {
    let Some(mut redis) = Redis::start().await else { return };
    let (store, key) = (RedisStore::open(&redis.url(), "p").unwrap(), SessionKey::new("a", "b"));
    store.append(&key, &[entry("one")]).await.unwrap();
    redis.kill().await;
    store.append(&key, &[entry("two")]).await.unwrap_err();
    redis.restart().await;
    store.append(&key, &[entry("three")]).await.unwrap();
    // It has kept nothing on disk here.
    assert_eq!(store.load(&key).await.unwrap().unwrap(), [entry("three")]);
    // What is lost while nobody uses the store, nobody sees.
    redis.kill().await;
    redis.restart().await;
    assert_eq!(store.load(&key).await.unwrap(), None);
}
