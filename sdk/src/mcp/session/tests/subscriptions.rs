//! `subscriptions/listen`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::mcp::{Host, Link, Outbox, Session, Speech};
use toolwright::{Context, TaskSupport, Tool, ToolRegistry};

use super::harness::{World, check};
use super::toys;

#[test]
fn a_subscription_is_acknowledged_under_its_own_id() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern "1" subscriptions/listen {"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a:b"]}}
           modern -7 subscriptions/listen {"notifications":{}}
           modern "f" subscriptions/listen {"notifications":{"toolsListChanged":false}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":-7}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"f"}}}
        "#]],
    );
}

#[test]
fn changes_are_told_where_they_were_asked_for() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern 2 subscriptions/listen {"notifications":{}}
           modern "3" subscriptions/listen {"notifications":{"toolsListChanged":true}}
           add late
           note notifications/cancelled {"requestId":1}
           remove late
           note notifications/cancelled {"requestId":"3"}
           add late"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"3"}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"3"}}}
            -
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"3"}}}
            -
            -
        "#]],
    );
}

#[test]
fn a_server_in_both_eras_tells_each_in_its_own_way() {
    check(
        r#"note notifications/initialized
           modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           add late"#,
        expect![[r#"
            -
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
        "#]],
    );
}

#[test]
fn closing_ends_a_subscription_with_a_result_and_cancelling_with_none() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern "two" subscriptions/listen {"notifications":{}}
           modern 3 subscriptions/listen {"notifications":{}}
           note notifications/cancelled {"requestId":3}
           close
           add late
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"two"}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}
            -
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":"two","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"two","io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            -
            -
        "#]],
    );
}

#[test]
fn a_subscription_says_to_what() {
    check(
        r#"modern 1 subscriptions/listen
           modern 2 subscriptions/listen {"notifications":[]}
           modern 3 subscriptions/listen {"notifications":null}
           add late
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`notifications` must be an object"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`notifications` must be an object"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`notifications` must be an object"}}
            -
            -
        "#]],
    );
}

#[test]
fn a_client_can_have_only_so_many_subscriptions() {
    let mut world = World::new();
    let mut listen = |id: usize| {
        world
            .step(&format!(r#"modern {id} subscriptions/listen {{"notifications":{{}}}}"#))
            .concat()
    };
    assert!((0..256).all(|id| listen(id).contains("acknowledged")));
    let expected = r#"{"jsonrpc":"2.0","id":256,"error":{"code":-32600,"message":"Invalid request: too many subscriptions are open"}}"#;
    assert_eq!(listen(256), expected);
}

/// The link of a host under construction is dead; the registry must not forget the host for that.
#[test]
fn a_session_hears_of_changes_that_was_made_while_another_one_was() {
    let registry = ToolRegistry::builder("toy").build().unwrap();
    let mut second = None;
    let first = Hearing::new(&registry, || second = Some(Hearing::new(&registry, || {})));
    let both = [first, second.unwrap()];
    for host in &both {
        for _ in 0..2 {
            let initialized = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            let _ = host.session.lock().unwrap().receive(initialized, &mut Outbox::new());
        }
    }
    registry.add(toys::late()).unwrap();
    assert_eq!(both.map(|host| host.told.load(Ordering::Relaxed)), [1, 1]);
}

/// A host that counts the notifications of changes.
struct Hearing {
    session: Mutex<Session>,
    told: AtomicUsize,
}

impl Hearing {
    fn new(registry: &ToolRegistry, meanwhile: impl FnOnce()) -> Arc<Self> {
        Arc::new_cyclic(|this: &Weak<Self>| {
            let session = Mutex::new(Session::new(registry, Host::Stdio, this.clone()));
            meanwhile();
            Self { session, told: AtomicUsize::new(0) }
        })
    }
}

impl Link for Hearing {
    fn speak(&self, _: Speech<'_>) {
        self.told.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_subscription_with_a_long_id_is_refused() {
    let id = format!("\"{}\"", "x".repeat(2_000));
    let line = format!(r#"modern {id} subscriptions/listen {{"notifications":{{}}}}"#);
    let said = World::new().step(&line).concat();
    let message = "Invalid request: the id of a subscription has more than 1,024 bytes";
    let error = format!(r#""error":{{"code":-32600,"message":"{message}"}}"#);
    assert_eq!(said, format!(r#"{{"jsonrpc":"2.0","id":{id},{error}}}"#));
}

#[test]
fn subscriptions_to_tasks_are_bounded_and_name_each_once() {
    let tool = Tool::new("slow", "", json!({"type": "object"}), async |_: Value, _: Context| "");
    let tool = tool.with_task(TaskSupport::Optional);
    let mut world = World::with(|builder| builder.tool(tool));
    let mut listen = |id: usize, tasks: &[String]| {
        let wanted = json!({"notifications": {"taskIds": tasks}});
        world.step(&format!("modern {id} subscriptions/listen {wanted}")).concat()
    };
    let said = listen(1, &["a".into(), "b".into(), "a".into()]);
    assert!(said.contains(r#""notifications":{"taskIds":["a","b"]}"#), "{said}");
    let many: Vec<_> = (0..1_000).map(|n| n.to_string()).collect();
    assert!(listen(2, &many).contains("acknowledged"));
    let said = listen(3, &many[..23]);
    assert!(said.contains("at most 1,024 resources and tasks"), "{said}");
    assert!(listen(3, &many[..22]).contains("acknowledged"));
}
