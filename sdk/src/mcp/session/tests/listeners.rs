//! Notifications of the clients' own.

use std::sync::{Arc, Mutex};

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::{Context, ToolRegistry};

use super::harness::World;

/// A registry that keeps what it hears.
fn listening() -> (World, Arc<Mutex<Vec<Value>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = heard.clone();
    let world = World::with(|builder| {
        builder
            .on_notification("toy/said", |_, _| panic!("the later one counts"))
            .on_notification("toy/said", move |params, _| {
                hears.lock().unwrap().push(params);
            })
            .on_notification("toy/broken", |_, _| panic!("it is broken"))
    });
    (world, heard)
}

#[test]
fn notifications_of_the_clients_own_are_heard_in_order_and_nothing_answers_them() {
    let (mut world, heard) = listening();
    let transcript = world.play(
        r#"legacy 1 initialize {"protocolVersion":"2025-03-26"}
           note toy/said {"a":[1]}
           note toy/other {"a":2}
           note toy/broken {"a":3}
           {"jsonrpc":"2.0","method":"toy/said"}
           note toy/said [4]
           note toy/said {"a":5,}
           note toy/said {"a":1e400}
           [{"jsonrpc":"2.0","method":"toy/said","params":{"a":6}}]
           modern 2 toy/said"#,
    );
    assert_eq!(transcript.lines().skip(1).take(8).collect::<String>(), "--------");
    assert!(transcript.lines().last().unwrap().contains("Method not found: toy/said"));
    assert_eq!(*heard.lock().unwrap(), [json!({"a": [1]}), json!({}), json!({"a": 6})]);
}

#[test]
fn only_the_client_that_has_notified_is_answered() {
    let answer = |_, cx: Context| {
        let client = cx.client().map(|client| client.name.clone());
        let answer = json!({
            "to": client,
            "samples": cx.client_capabilities().contains_key("sampling"),
            "id": cx.request_id().is_some(),
            "state": cx.extension::<&str>(),
            // It is dropped, as there is no call.
            "of_call": cx.notify("toy/of_call", ()).is_ok(),
        });
        cx.notify_session("notifications/toy/heard", answer).unwrap();
    };
    let registry = ToolRegistry::builder("toy")
        .session_state(|| "mine")
        .on_notification("toy/said", answer)
        .build()
        .unwrap();
    let mut worlds = ["Ann", "Bob"].map(|name| {
        let mut world = World::serving(registry.clone(), Arc::default());
        let client = json!({"name": name, "version": "1"});
        let params = json!({"protocolVersion": "2025-06-18", "clientInfo": client,
            "capabilities": {"sampling": {}}});
        world.play(&format!("legacy 1 initialize {params}\nnote notifications/initialized"));
        world
    });
    expect![[r#"
        {"jsonrpc":"2.0","method":"notifications/toy/heard","params":{"to":"Bob","samples":true,"id":false,"state":"mine","of_call":true}}
    "#]]
    .assert_eq(&worlds[1].play("note toy/said"));
    assert_eq!(worlds[0].judged(), [""; 0]);
}

#[test]
fn the_protocol_takes_its_own_notifications_itself() {
    let builder =
        ToolRegistry::builder("toy").on_notification("notifications/cancelled", |_, _| ());
    expect!["`notifications/cancelled` is a notification of the protocol"]
        .assert_eq(&builder.build().unwrap_err().to_string());
}
