//! Changes that a bus carries between replicas.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::exchanges::events;
use super::scene::{Scene, frame, is_silent, modern, rest, send_unjudged};
use crate::http::{Bus, Change, Heard, Options, Service};
use crate::{Context, Resource, TaskSupport, Tool, ToolRegistry};

/// More changes than a test makes: one that goes round for ever ends here.
const MOST: usize = 100;

/// Passes every change to everybody, the sender too.
#[derive(Default)]
struct Local {
    listeners: Mutex<Vec<Arc<Heard>>>,
    published: AtomicUsize,
}

impl Bus for Local {
    fn publish(&self, change: &Change) {
        if self.published.fetch_add(1, Ordering::SeqCst) >= MOST {
            return;
        }
        let all = self.listeners.lock().unwrap().clone();
        all.iter().for_each(|heard| heard(&change.to_string().parse().unwrap()));
    }

    fn listen(&self, heard: Heard) {
        self.listeners.lock().unwrap().push(Arc::new(heard));
    }
}

#[tokio::test]
async fn a_change_of_one_replica_is_heard_by_the_clients_of_all_once() {
    let bus = Arc::new(Local::default());
    let replicas: Vec<_> =
        (0..3).map(|_| Scene::new(|options| options.bus = Some(bus.clone()))).collect();
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let mut listeners = Vec::new();
    for replica in &replicas {
        let listen = modern("subscriptions/listen", None, &wanted);
        let mut body = replica.send(listen).await.into_body();
        frame(&mut body).await.unwrap();
        listeners.push(body);
    }
    replicas[1].registry.remove("echo");
    for body in &mut listeners {
        assert_eq!(events(&frame(body).await.unwrap()).len(), 1);
        assert!(is_silent(body));
    }
    bus.publish(&Change::anything());
    for body in &mut listeners {
        assert_eq!(events(&frame(body).await.unwrap()).len(), 1);
    }
    for text in ["", "tools", "tools x", "nothing 0", "tools 1ffffffffffffffff"] {
        assert!(text.parse::<Change>().is_err(), "{text}");
    }
}

#[tokio::test]
async fn a_change_of_a_resource_reaches_its_subscribers_at_other_replicas() {
    let bus = Arc::new(Local::default());
    let replica = || {
        let resource = Resource::new("toy://a", "a", "", async |_, _| "text");
        let registry = ToolRegistry::builder("toy").resources([resource]).build().unwrap();
        let options = Options { bus: Some(bus.clone()), ..Options::default() };
        Scene { service: Service::with(registry.clone(), options), registry, ..Scene::new(|_| {}) }
    };
    let (here, there) = (replica(), replica());
    let wanted = json!({"notifications": {"resourceSubscriptions": ["toy://a"]}});
    let listen = modern("subscriptions/listen", None, &wanted);
    let mut body = there.send(listen).await.into_body();
    frame(&mut body).await.unwrap();
    here.registry.resource_updated("toy://b");
    assert!(is_silent(&mut body));
    here.registry.resource_updated("toy://a");
    let heard = events(&frame(&mut body).await.unwrap());
    assert_eq!(heard[0]["params"]["uri"], "toy://a");
    // A change that was missed may have been of any resource.
    bus.publish(&Change::anything());
    assert_eq!(events(&frame(&mut body).await.unwrap()), heard);
}

#[tokio::test]
async fn two_services_of_one_registry_do_not_pass_on_what_they_hear() {
    let bus = Arc::new(Local::default());
    let registry = ToolRegistry::builder("toy").tools([]).build().unwrap();
    let options = Options { bus: Some(bus.clone()), ..Options::default() };
    let _services = [(); 2].map(|()| Service::with(registry.clone(), options.clone()));
    registry.resource_updated("toy://a");
    // It is no change that others could look up.
    registry.notify("notifications/toy/event", ()).unwrap();
    assert_eq!(bus.published.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn the_states_of_tasks_are_told_once_changes_may_have_been_missed() {
    let bus = Arc::new(Local::default());
    let schema = json!({"type": "object"});
    let waits = async |_: Value, _: Context| pending::<&str>().await;
    let waits = Tool::new("waits", "", schema, waits).with_task(TaskSupport::Optional);
    let registry = ToolRegistry::builder("toy").tools([waits]).build().unwrap();
    let mut options = Options { bus: Some(bus.clone()), ..Options::default() };
    options.limits.task_after = Duration::ZERO;
    let service = Service::with(registry, options);
    let capabilities = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let meta = json!({"io.modelcontextprotocol/clientCapabilities": capabilities});
    let params = json!({"name": "waits", "arguments": {}, "_meta": meta});
    let begun = send_unjudged(&service, modern("tools/call", Some("waits"), &params)).await;
    let begun: Value = serde_json::from_str(&rest(begun.into_body()).await).unwrap();
    let id = &begun["result"]["taskId"];
    let wanted = json!({"notifications": {"taskIds": [id]}, "_meta": meta});
    let listening = send_unjudged(&service, modern("subscriptions/listen", None, &wanted)).await;
    let mut body = listening.into_body();
    frame(&mut body).await.unwrap();
    bus.publish(&Change::anything());
    let told = events(&frame(&mut body).await.unwrap());
    assert_eq!(told[0]["method"], "notifications/tasks");
    let task = &told[0]["params"];
    assert_eq!([&task["taskId"], &task["status"]], [id, &json!("working")]);
}
