//! A bus over a real Redis server.

use serde_json::json;

use super::{Client, Era, Listener, Redis, Replica};

/// Changes the list of a replica's tools.
async fn change(replica: &Replica) {
    let mut client = Client::new(&replica.address);
    client.call(Era::Modern, "test_trigger_tool_change", json!({})).await;
}

/// A listener of each kind at each replica; the session was begun at the first one.
async fn listeners(replicas: &[Replica], session: &str) -> Vec<Listener> {
    let mut listeners = Vec::new();
    for replica in replicas {
        for era in [Era::Modern, Era::Session(session)] {
            listeners.push(Client::new(&replica.address).listen(era).await);
        }
    }
    listeners
}

#[tokio::test]
async fn listeners_of_all_replicas_hear_of_a_change_also_once_redis_was_away() {
    let Some(mut redis) = Redis::start().await else { return };
    let bus = redis.url();
    let replica = || Replica::fixture(true, Some(&bus));
    let mut replicas = [replica().await, replica().await];
    let session = Client::new(&replicas[0].address).begin().await;
    let mut all = listeners(&replicas, &session).await;
    for replica in &replicas {
        change(replica).await;
        for listener in &mut all {
            listener.change().await;
        }
    }

    redis.kill().await;
    redis.restart().await;
    for replica in &mut replicas {
        replica.reconnected().await;
    }
    // Something may have been missed.
    for listener in &mut all {
        listener.change().await;
    }
    // Those who listen now are told of later changes only.
    let mut all = listeners(&replicas, &session).await;
    change(&replicas[1]).await;
    for listener in &mut all {
        listener.change().await;
    }
}

/// A URL may have a password, and all users of a machine can see the arguments of a program.
#[tokio::test]
async fn the_url_may_be_in_the_environment() {
    let Some(redis) = Redis::start().await else { return };
    // It waits until the replica is connected.
    Replica::with_variable(&redis.url()).await.kill().await;
}

#[tokio::test]
async fn without_redis_a_replica_serves_and_tells_its_own_clients() {
    let Some(mut redis) = Redis::start().await else { return };
    let replica = Replica::fixture(true, Some(&redis.url())).await;
    let mut listener = Client::new(&replica.address).listen(Era::Modern).await;
    redis.kill().await;
    for _ in 0..3 {
        change(&replica).await;
        listener.change().await;
    }
}
