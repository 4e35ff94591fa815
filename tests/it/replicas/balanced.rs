//! Two instances behind a proxy that sends each request to the next one.

use std::collections::BTreeSet;

use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::{Client, Era, Proxy, Replica};

struct Scene {
    replicas: Vec<Replica>,
    proxy: Proxy,
    /// Clients of older revisions have sessions, of which this is one.
    session: Option<String>,
}

impl Scene {
    /// `None` where the proxy is not installed.
    async fn open(with_sessions: bool) -> Option<Self> {
        let replica = || Replica::fixture(with_sessions, None);
        let replicas = vec![replica().await, replica().await];
        let proxy = Proxy::start(&replicas).await?;
        let session = match with_sessions {
            true => Some(Client::new(&proxy.address).begin().await),
            false => None,
        };
        Some(Self { replicas, proxy, session })
    }

    fn client(&self) -> Client {
        Client::new(&self.proxy.address)
    }
}

fn eras(session: Option<&str>) -> [Era<'_>; 2] {
    [Era::Modern, session.map_or(Era::Stateless, Era::Session)]
}

#[tokio::test]
async fn each_era_is_served_without_affinity() {
    for with_sessions in [false, true] {
        let Some(scene) = Scene::open(with_sessions).await else { return };
        let mut client = scene.client();
        for era in eras(scene.session.as_deref()) {
            let mut seen = BTreeSet::new();
            for number in ["1", "2", "3", "4"] {
                let list = client.ask(era, "tools/list", json!({})).await.unwrap();
                assert!(list.message["result"]["tools"][0].is_object(), "{list:?}");
                // An odd number of requests in a round, so that each kind goes to both.
                client.call(era, "echo", json!({"text": "between"})).await;
                let params = json!({"name": "echo", "arguments": {"text": number}});
                let answer = client.ask(era, "tools/call", params).await.unwrap();
                assert_eq!(answer.text(), Some(number));
                seen.insert(answer.replica);
            }
            assert_eq!(seen.len(), 2, "{era:?}: {seen:?}");
        }
    }
}

/// What one connection has met.
#[derive(Debug, Default)]
struct Met {
    answered: usize,
    /// Who has answered since one replica was killed.
    later: BTreeSet<String>,
}

/// Calls without a pause until one replica was killed, and for some time afterwards.
async fn call_on(
    mut client: Client,
    era: Era<'_>,
    answered: mpsc::UnboundedSender<()>,
    killed: watch::Receiver<bool>,
) -> Met {
    let mut met = Met::default();
    let mut left = 30;
    for number in 0.. {
        let was_killed = *killed.borrow();
        if was_killed && left == 0 {
            break;
        }
        left -= usize::from(was_killed);
        let text = format!("{era:?} {number}");
        let params = json!({"name": "echo", "arguments": {"text": text}});
        match client.ask(era, "tools/call", params).await {
            Ok(answer) if answer.status == 200 => {
                assert_eq!(answer.text(), Some(&*text));
                met.answered += 1;
                if was_killed {
                    met.later.insert(answer.replica);
                }
                answered.send(()).unwrap();
            }
            failed => {
                assert!(!was_killed, "one lives, and {failed:?}");
                // Its replica is being killed, and the client knows that it has no answer. How many
                // requests of a connection meet that depends on when the proxy notices it.
                assert!(failed.is_err() || failed.is_ok_and(|answer| answer.status == 502));
            }
        }
    }
    met
}

#[tokio::test]
async fn stateless_clients_go_on_when_an_instance_is_killed() {
    kills_one(false).await;
}

#[tokio::test]
async fn sessions_go_on_when_an_instance_is_killed() {
    kills_one(true).await;
}

/// What the killed instance has not answered is cut, and nothing else.
async fn kills_one(with_sessions: bool) {
    let Some(mut scene) = Scene::open(with_sessions).await else { return };
    let (kill, killed) = watch::channel(false);
    let (say, mut answered) = mpsc::unbounded_channel();
    let mut calls = JoinSet::new();
    // Several connections in each era.
    for number in 0..8 {
        let (client, session) = (scene.client(), scene.session.clone());
        let (say, killed) = (say.clone(), killed.clone());
        calls.spawn(async move {
            call_on(client, eras(session.as_deref())[number % 2], say, killed).await
        });
    }
    for _ in 0..400 {
        answered.recv().await;
    }
    scene.replicas[0].kill().await;
    kill.send_replace(true);
    for met in calls.join_all().await {
        assert!(met.answered >= 30, "{met:?}");
        assert_eq!(met.later, BTreeSet::from([scene.replicas[1].address.clone()]), "{met:?}");
    }
}

#[tokio::test]
async fn a_running_call_of_a_killed_instance_ends_with_an_error() {
    for (with_sessions, era) in [(false, 0), (false, 1), (true, 1)] {
        let Some(mut scene) = Scene::open(with_sessions).await else { return };
        let (mut client, era) = (scene.client(), eras(scene.session.as_deref())[era]);
        let [one, other] = &mut *scene.replicas else { unreachable!() };
        let call = client.ask(era, "tools/call", json!({"name": "wait_loudly"}));
        let killing = async {
            let killed = tokio::select! {
                () = one.says("wait_loudly is running") => one,
                () = other.says("wait_loudly is running") => other,
            };
            killed.kill().await;
        };
        let (answer, ()) = tokio::join!(call, killing);
        assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status == 502));
        assert_eq!(client.call(era, "echo", json!({"text": "on"})).await, "on");
    }
}

#[tokio::test]
async fn a_listener_of_a_killed_instance_listens_again_at_the_other() {
    for era in [0, 1] {
        let Some(mut scene) = Scene::open(true).await else { return };
        let session = scene.session.clone();
        let era = eras(session.as_deref())[era];
        let mut listener = scene.client().listen(era).await;
        let at = |replica: &Replica| replica.address == listener.replica;
        let at = scene.replicas.iter().position(at).expect("it listens to one of them");
        scene.replicas.remove(at).kill().await;
        assert_eq!(listener.next().await, None);

        let mut listener = scene.client().listen(era).await;
        assert_eq!(listener.replica, scene.replicas[0].address);
        scene.client().call(era, "test_trigger_tool_change", json!({})).await;
        listener.change().await;
    }
}

#[tokio::test]
async fn an_instance_that_is_stopped_ends_its_calls_and_gets_no_others() {
    const CONNECTIONS: usize = 8;
    let Some(mut scene) = Scene::open(false).await else { return };
    // The proxy gets so many connections to each, and keeps them open.
    let mut calls = JoinSet::new();
    for _ in 0..2 * CONNECTIONS {
        let mut client = scene.client();
        calls.spawn(async move {
            client.call(Era::Modern, "sleep_ms", json!({"ms": 200})).await;
        });
    }
    calls.join_all().await;

    // It has a call that lasts as long as it may.
    let mut client = Client::new(&scene.replicas[0].address);
    let running = tokio::spawn(async move {
        client.ask(Era::Modern, "tools/call", json!({"name": "wait_loudly"})).await
    });
    scene.replicas[0].says("wait_loudly is running").await;
    scene.replicas[0].stop().await;
    let mut client = scene.client();
    let mut failed = 0;
    for _ in 0..10 * CONNECTIONS {
        let params = json!({"name": "echo", "arguments": {"text": "on"}});
        let answer = client.ask(Era::Modern, "tools/call", params).await.unwrap();
        failed += usize::from(answer.status != 200);
    }
    // A request may meet a connection that is just closing, but not on each of them.
    assert!(failed <= CONNECTIONS / 4, "{failed}");

    let answer = running.await.unwrap().unwrap();
    assert_eq!(answer.message["result"]["isError"], true, "{answer:?}");
    scene.replicas[0].ended().await;
}
