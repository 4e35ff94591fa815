//! Tasks of one replica, and of several with a real Redis server.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use toolwright::testing::TestClient;
use toolwright_tests::fixture::{Flags, registry};

use crate::stdio::sameness::{ada, lasting, long_calls, states};

use super::{Client, Cut, Era, Listener, PATIENCE, Redis, Replica};

/// How many requests with answers wait for the replica that runs a task.
const MOST_ANSWERS: usize = 64;

/// Sends a request about a task, and gives the result or the error.
async fn ask(replica: &Replica, method: &str, params: Value) -> Value {
    let mut client = Client::new(&replica.address);
    let mut answer = client.ask(Era::Modern, method, params).await.unwrap();
    match answer.message["error"].take() {
        Value::Null => answer.message["result"].take(),
        error => error,
    }
}

/// Begins a task, and gives its id.
async fn begin(replica: &Replica, tool: &str, arguments: Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    let begun = ask(replica, "tools/call", params).await;
    assert_eq!(begun["resultType"], "task", "{begun}");
    begun["taskId"].as_str().unwrap().to_owned()
}

async fn get(replica: &Replica, id: &str) -> Value {
    ask(replica, "tasks/get", json!({"taskId": id})).await
}

/// The key of the sign of life of a task.
fn sign_of(id: &str) -> String {
    format!("toolwright:fixture:task:{{{id}}}:runs")
}

/// Says yes to what `confirm_delete` asks, and gives the end of its task.
async fn confirm(replica: &Replica, id: &str, listener: &mut Listener) -> Value {
    // It may have asked before the listener was there.
    let mut asked = get(replica, id).await;
    if asked["status"] == "working" {
        asked = listener.task("input_required").await;
    }
    let (key, _) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    let yes = json!({"taskId": id, "inputResponses": {key: {"action": "accept"}}});
    assert_eq!(ask(replica, "tasks/update", yes).await["resultType"], "complete");
    let done = listener.task("completed").await;
    assert_eq!(done["result"]["content"][0]["text"], "a: deleted");
    done
}

#[tokio::test]
async fn any_replica_answers_for_the_tasks_of_the_others() {
    let Some(mut redis) = Redis::start().await else { return };
    let bus = redis.url();
    let replica = || Replica::fixture(false, Some(&bus));
    let (mut here, there) = tokio::join!(replica(), replica());
    let slow = || begin(&here, "slow_compute", json!({"seconds": 600, "label": "late"}));
    let (asks, cancelled, lost) =
        tokio::join!(begin(&here, "confirm_delete", json!({"filename": "a"})), slow(), slow());
    for id in [&asks, &cancelled, &lost] {
        let [one, other] = [get(&here, id).await, get(&there, id).await];
        assert!(["working", "input_required"].contains(&one["status"].as_str().unwrap()), "{one}");
        assert_eq!(one["createdAt"], other["createdAt"]);
    }
    // As if Redis had been away from all replicas for longer than a sign of life counts.
    redis.remove(&sign_of(&cancelled)).await;
    assert_eq!(get(&there, &cancelled).await["status"], "working");
    let wanted = json!({"taskIds": [asks, cancelled]});
    let mut listener = Client::new(&there.address).listen_for(Era::Modern, wanted).await;
    let done = confirm(&there, &asks, &mut listener).await;
    assert_eq!(get(&here, &asks).await["result"], done["result"]);

    ask(&there, "tasks/cancel", json!({"taskId": cancelled})).await;
    assert_eq!(listener.task("cancelled").await["taskId"], cancelled);
    assert_eq!(get(&here, &cancelled).await["status"], "cancelled");

    here.kill().await;
    assert_eq!(get(&there, &lost).await["status"], "working");
    let answers = json!({"taskId": lost, "inputResponses": {"key": {"action": "accept"}}});
    for _ in 0..MOST_ANSWERS {
        assert_eq!(ask(&there, "tasks/update", answers.clone()).await["resultType"], "complete");
    }
    assert_eq!(ask(&there, "tasks/update", answers).await["code"], -32603);
    // As when nobody has renewed it for 20 seconds, and then for 10 more.
    redis.remove(&sign_of(&lost)).await;
    assert_eq!(get(&there, &lost).await["status"], "working");
    redis.remove(&sign_of(&lost)).await;
    let failed = get(&there, &lost).await;
    assert_eq!([&failed["status"], &failed["error"]["code"]], [&json!("failed"), &json!(-32603)]);

    redis.kill().await;
    assert_eq!(get(&there, &lost).await["code"], -32603);
    // No call becomes a task, so its client waits for the result.
    let params = json!({"name": "slow_compute", "arguments": {"seconds": 1, "label": "plain"}});
    let plain = ask(&there, "tools/call", params).await;
    assert_eq!(plain["content"][0]["text"], "plain: done");
}

#[tokio::test]
async fn answers_for_the_task_of_another_replica_are_bounded_in_bytes() {
    let Some(redis) = Redis::start().await else { return };
    let bus = redis.url();
    let replica = || Replica::fixture(false, Some(&bus));
    let (mut here, there) = tokio::join!(replica(), replica());
    let id = begin(&here, "slow_compute", json!({"seconds": 600, "label": "late"})).await;
    let answer = json!({"text": "x".repeat(1_000_000)});
    let answers = json!({"taskId": id, "inputResponses": {"key": answer}});
    let update = || ask(&there, "tasks/update", answers.clone());
    // What the replica has taken leaves room for others.
    let taken = async {
        for _ in 0..9 {
            while update().await["resultType"] != "complete" {
                sleep(Duration::from_millis(100)).await;
            }
        }
    };
    timeout(PATIENCE, taken).await.expect("there is room again");
    here.kill().await;
    let mut waiting = 0;
    while update().await["code"] != -32603 {
        waiting += 1;
        assert!(waiting <= 4, "more than 4 MiB wait");
    }
}

#[tokio::test]
async fn running_tasks_outlive_the_data_of_redis() {
    let Some(mut redis) = Redis::start().await else { return };
    let bus = redis.url();
    let replica = || Replica::fixture(false, Some(&bus));
    let (here, there) = tokio::join!(replica(), replica());
    let (asks, slow) = tokio::join!(
        begin(&here, "confirm_delete", json!({"filename": "a"})),
        begin(&here, "slow_compute", json!({"seconds": 2, "label": "late"})),
    );
    let created = get(&there, &asks).await["createdAt"].take();
    redis.kill().await;
    redis.restart().await;
    let known = async {
        for id in [&asks, &slow] {
            while get(&there, id).await["status"].is_null() {
                sleep(Duration::from_millis(100)).await;
            }
        }
    };
    timeout(PATIENCE, known).await.expect("they are stored again");
    assert_eq!(get(&there, &asks).await["createdAt"], created);
    let wanted = json!({"taskIds": [asks]});
    let mut listener = Client::new(&there.address).listen_for(Era::Modern, wanted).await;
    confirm(&there, &asks, &mut listener).await;
    let ended = async {
        while get(&there, &slow).await["status"] != "completed" {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(PATIENCE, ended).await.expect("its result is stored");
    assert_eq!(get(&there, &slow).await["result"]["content"][0]["text"], "late: done");
}

/// Cancellations in the same millisecond are still several.
#[tokio::test]
async fn a_task_is_cancelled_once() {
    let Some(redis) = Redis::start().await else { return };
    let bus = redis.url();
    let replica = Replica::fixture(false, Some(&bus)).await;
    let slow = || begin(&replica, "slow_compute", json!({"seconds": 600, "label": "late"}));
    let (often, last) = tokio::join!(slow(), slow());
    let wanted = json!({"taskIds": [often, last]});
    let mut listener = Client::new(&replica.address).listen_for(Era::Modern, wanted).await;
    let cancel = |id| ask(&replica, "tasks/cancel", json!({"taskId": id}));
    for answer in join_all([&often; 32].map(cancel)).await {
        assert_eq!(answer["resultType"], "complete", "{answer}");
    }
    cancel(&last).await;
    for id in [often, last] {
        assert_eq!(listener.task("cancelled").await["taskId"], id);
    }
}

#[tokio::test]
async fn an_answer_that_another_replica_has_taken_survives_a_lost_connection() {
    let Some(redis) = Redis::start().await else { return };
    let bus = redis.url();
    let cut = Cut::before(bus.trim_start_matches("redis://"), r#""action":"accept""#).await;
    let way = format!("redis://{}", cut.address);
    let (here, there) =
        tokio::join!(Replica::fixture(false, Some(&way)), Replica::fixture(false, Some(&bus)));
    let asks = begin(&here, "confirm_delete", json!({"filename": "a"})).await;
    let wanted = json!({"taskIds": [asks]});
    let mut listener = Client::new(&there.address).listen_for(Era::Modern, wanted).await;
    confirm(&there, &asks, &mut listener).await;
    assert!(cut.has_cut());
}

#[tokio::test]
async fn tasks_are_the_same_over_http_and_in_their_process() {
    let replica = Arc::new(Replica::fixture(false, None).await);
    // They run at once.
    let begun = long_calls().map(|(tool, arguments)| {
        let replica = replica.clone();
        tokio::spawn(async move {
            let mut params = json!({"name": tool, "arguments": arguments});
            let mut begun = ask(&replica, "tools/call", params.clone()).await;
            if begun["resultType"] == "input_required" {
                params["requestState"] = begun["requestState"].take();
                params["inputResponses"] = json!({"user_name": ada()});
                begun = ask(&replica, "tools/call", params).await;
            }
            begun["taskId"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned()
        })
    });
    let mut over_http = Vec::new();
    for id in begun {
        let id = id.await.unwrap();
        let wanted = json!({"taskIds": [id]});
        let mut listener = Client::new(&replica.address).listen_for(Era::Modern, wanted).await;
        loop {
            let state = get(&replica, &id).await;
            if state["status"] == "working" {
                listener.next().await.unwrap();
                continue;
            }
            let open = state["inputRequests"].as_object();
            let key = open.and_then(|open| open.keys().next().cloned());
            over_http.push(lasting(state));
            let Some(key) = key else { break };
            let answer = json!({"taskId": id, "inputResponses": {key: ada()}});
            ask(&replica, "tasks/update", answer).await;
        }
    }
    let registry = registry(&Flags::default()).unwrap();
    let in_process = states(TestClient::in_memory(&registry).unwrap());
    assert_eq!(over_http, in_process);
}
