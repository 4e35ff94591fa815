//! The server of a store dies in the middle of a turn of the real CLI, and comes back.

use std::sync::Arc;

use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::StoreFlush;
use toolwright::agent::sessions::{RedisStore, SessionStore, Sessions, StoredSessions};
use toolwright::agent::{AgentClient, query};
use toolwright::testing::{Gate, Reply};

use crate::agent::heard::Heard;
use crate::agent::scene::{Scene, all, conversation, say, turn, within};
use crate::replicas::Redis;
use crate::stores::{Mortal, Postgres};

fn errors(heard: &Heard) -> usize {
    heard.system().filter(|message| matches!(message, SystemMessage::MirrorError(_))).count()
}

async fn a_run_goes_on(mut server: impl Mortal, store: Arc<dyn SessionStore>, flush: StoreFlush) {
    let (Some(first), Some(second)) = (Scene::open().await, Scene::open().await) else { return };
    let (project, gate) = (first.project(), Gate::new());
    first.model.say("One is kettle.");
    first.model.reply(Reply::new().text("Two is mug.").held_by(&gate));
    first.model.say("Three is spoon.");
    let options = first.options().session_store(store.clone()).session_store_flush(flush);
    let mut client = AgentClient::connect(options.build().unwrap()).await.unwrap();
    let heard = say(&mut client, "say one").await;
    assert_eq!((&*heard.result().text(), errors(&heard)), ("One is kettle.", 0));
    let id = heard.result().session_id.clone();
    let stored = StoredSessions::of(store.clone(), &project);
    let acknowledged = stored.session_messages(&id, ..).await.unwrap();
    assert_eq!(acknowledged.len(), 2);

    client.query("say two").await.unwrap();
    within(gate.reached()).await;
    server.kill().await;
    gate.open();
    let heard = turn(&mut client).await;
    assert_eq!(heard.result().text(), "Two is mug.");
    assert!(errors(&heard) > 0, "{:?}", heard.kinds());

    server.restart().await;
    let messages = stored.session_messages(&id, ..).await.unwrap();
    assert_eq!(messages[..2], acknowledged);
    let heard = say(&mut client, "say three").await;
    assert_eq!((&*heard.result().text(), errors(&heard)), ("Three is spoon.", 0));
    within(client.close()).await;

    // It has no gap, as if nothing had happened.
    let config = first.model.environment();
    let config = config.into_iter().find(|(name, _)| name == "CLAUDE_CONFIG_DIR").unwrap().1;
    let messages = stored.session_messages(&id, ..).await.unwrap();
    assert_eq!(messages, Sessions::at(config).session_messages(&id, ..).unwrap());
    second.model.say("All three.");
    let options = second.options().cwd(&project).session_store(store).resume(&id);
    let mut run = query("say all", options.build().unwrap()).await.unwrap();
    all(&mut run).await;
    let heard = conversation(&second.request());
    for text in ["say one", "is kettle", "say two", "is mug", "say three", "is spoon", "say all"] {
        assert_eq!(heard.matches(text).count(), 1, "{text:?} in {heard}");
    }
}

#[tokio::test]
async fn redis_dies_in_the_middle_of_a_turn() {
    let Some(redis) = Redis::start_durable().await else { return };
    let store = RedisStore::open(&redis.url(), "sessions").unwrap();
    a_run_goes_on(redis, Arc::new(store), StoreFlush::Eager).await;
}

#[tokio::test]
async fn postgres_dies_in_the_middle_of_a_turn() {
    let Some(postgres) = Postgres::start() else { return };
    let store = postgres.store().await;
    a_run_goes_on(postgres, Arc::new(store), StoreFlush::Batched).await;
}
