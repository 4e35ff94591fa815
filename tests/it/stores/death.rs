//! The server of a store dies while it is written to, and comes back.

use std::sync::Arc;

use tokio::sync::watch;
use toolwright::agent::sessions::{RedisStore, SessionEntry, SessionKey, SessionStore};

use super::{Postgres, entry};
use crate::replicas::Redis;

/// A server that keeps what it acknowledges.
pub(crate) trait Mortal {
    async fn kill(&mut self);
    async fn restart(&mut self);
}

impl Mortal for Redis {
    async fn kill(&mut self) {
        self.kill().await;
    }

    async fn restart(&mut self) {
        self.restart().await;
    }
}

impl Mortal for Postgres {
    async fn kill(&mut self) {
        self.kill();
    }

    async fn restart(&mut self) {
        self.restart();
    }
}

/// Each round kills the server in the middle of a writer's calls, at another moment each time.
async fn what_is_acknowledged_stays(mut server: impl Mortal, store: Arc<dyn SessionStore>) {
    let key = SessionKey::new("project", "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21");
    let mut written = 0;
    for round in 1..=3 {
        let acknowledged = watch::Sender::new(written);
        let mut seen = acknowledged.subscribe();
        let writer = tokio::spawn({
            let (store, key) = (store.clone(), key.clone());
            async move {
                for number in written.. {
                    match store.append(&key, &[entry(&number.to_string())]).await {
                        Ok(()) => acknowledged.send_replace(number + 1),
                        Err(_) => return number,
                    };
                }
                unreachable!("the server does not die")
            }
        });
        seen.wait_for(|seen| *seen >= written + 10 * round).await.unwrap();
        server.kill().await;
        let failed: usize = writer.await.unwrap();
        server.restart().await;
        let uuids = uuids(&*store, &key).await;
        let numbers = |count| (0..count).map(|number: usize| number.to_string());
        // The one that failed may be there.
        assert!(uuids.len() == failed || uuids.len() == failed + 1, "{failed}: {uuids:?}");
        assert!(uuids.iter().cloned().eq(numbers(uuids.len())), "{uuids:?}");
        // Its call is repeated.
        store.append(&key, &[entry(&failed.to_string())]).await.unwrap();
        written = failed + 1;
        assert!(self::uuids(&*store, &key).await.into_iter().eq(numbers(written)));
    }
}

async fn uuids(store: &dyn SessionStore, key: &SessionKey) -> Vec<String> {
    let entries = store.load(key).await.unwrap().unwrap();
    entries.iter().filter_map(SessionEntry::uuid).map(Into::into).collect()
}

#[tokio::test]
async fn redis_dies_and_keeps_what_it_has_acknowledged() {
    let Some(redis) = Redis::start_durable().await else { return };
    let store = RedisStore::open(&redis.url(), "sessions").unwrap();
    what_is_acknowledged_stays(redis, Arc::new(store)).await;
}

#[tokio::test]
async fn postgres_dies_and_keeps_what_it_has_acknowledged() {
    let Some(postgres) = Postgres::start() else { return };
    let store = postgres.store().await;
    what_is_acknowledged_stays(postgres, Arc::new(store)).await;
}
