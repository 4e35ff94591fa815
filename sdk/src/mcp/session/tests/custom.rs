//! Capabilities and notifications outside of the protocol.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use expect_test::expect;
use serde::Serialize;
use serde_json::{Value, json};
use toolwright::{Context, Eras, ErrorObject, NotifyError, Resource, Tool, ToolRegistry, data};

use super::harness::{World, check, check_in};
use crate::mcp::protocol::Revision;

/// Tells its client something of each of its arguments, and then of one that is forbidden.
fn teller() -> Tool {
    Tool::new("tell", "", json!({"type": "object"}), async |arguments: Value, cx: Context| {
        for text in arguments["texts"].as_array().unwrap() {
            cx.notify("notifications/toy/of_call", json!({"text": text})).unwrap();
        }
        cx.notify("notifications/progress", json!({})).unwrap_err().to_string()
    })
}

#[test]
fn experimental_capabilities_are_declared_in_both_eras() {
    let world = World::with(|builder| {
        builder
            .experimental("claude/channel", ())
            .experimental("toy/play", json!({"with": "dough"}))
            .experimental("toy/play", json!({"with": ["blocks"]}))
    });
    check_in(
        world,
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           modern 2 server/discover"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true},"experimental":{"claude/channel":{},"toy/play":{"with":["blocks"]}}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"experimental":{"claude/channel":{},"toy/play":{"with":["blocks"]}}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn extensions_are_declared_where_the_protocol_has_them() {
    let view = Resource::new("ui://toy", "toy", "A view", async |_, _| "<p>");
    let world = World::with(|builder| {
        builder
            .declare_extension("com.example/flags", json!({"flags": ["dark"]}))
            .declare_extension("com.example/plain", ())
            .resources([view])
    });
    check_in(
        world,
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           modern 2 server/discover"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"extensions":{"io.modelcontextprotocol/ui":{},"com.example/flags":{"flags":["dark"]},"com.example/plain":{}}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );

    let builder = ToolRegistry::builder("toy")
        .declare_extension("flags", ())
        .declare_extension("/flags", ())
        .declare_extension("io.modelcontextprotocol/tasks", ())
        .declare_extension("com.example/list", json!([1]));
    expect![[r#"
        the identifier of the extension `flags` has no prefix, such as `com.example/`
        the identifier of the extension `/flags` has no prefix, such as `com.example/`
        the extension `io.modelcontextprotocol/tasks` declares itself
        the settings of the extension `com.example/list` cannot be sent: a JSON object is needed"#]]
    .assert_eq(&builder.build().unwrap_err().to_string());
}

#[test]
fn experimental_capabilities_are_valid_in_every_revision() {
    for revision in Revision::ALL.into_iter().filter(|it| it.profile().has_handshake) {
        let mut world = World::with(|builder| builder.experimental("toy/play", json!({"a": 1})));
        let version = revision.profile().version;
        let wrote =
            world.step(&format!(r#"legacy 1 initialize {{"protocolVersion":"{version}"}}"#));
        assert!(wrote[0].contains(r#""experimental":{"toy/play":{"a":1}}"#), "{wrote:?}");
    }
}

#[test]
fn settings_that_are_no_object_are_complained_of() {
    let builder = ToolRegistry::builder("toy").experimental("a", 7).experimental("b", json!([1]));
    expect![[r#"
        the settings of the experimental capability `a` cannot be sent: a JSON object is needed
        the settings of the experimental capability `b` cannot be sent: a JSON object is needed"#]]
    .assert_eq(&builder.build().unwrap_err().to_string());
}

#[test]
fn legacy_clients_are_notified_once_they_are_initialised_and_of_each_event() {
    check(
        r#"notify notifications/toy/event {"early":true}
           legacy 1 initialize {"protocolVersion":"2025-11-25"}
           notify notifications/toy/event {"early":true}
           note notifications/initialized
           notify notifications/toy/event {"content":"a\nb","meta":{"from":"\u0001"}}
           notify notifications/toy/event {"content":"a\nb","meta":{"from":"\u0001"}}
           notify notifications/toy/event null
           notify notifications/toy/"\ {}"#,
        expect![[r#"
            -
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            -
            -
            {"jsonrpc":"2.0","method":"notifications/toy/event","params":{"content":"a\nb","meta":{"from":"\u0001"}}}
            {"jsonrpc":"2.0","method":"notifications/toy/event","params":{"content":"a\nb","meta":{"from":"\u0001"}}}
            {"jsonrpc":"2.0","method":"notifications/toy/event","params":{}}
            {"jsonrpc":"2.0","method":"notifications/toy/\"\\","params":{}}
        "#]],
    );
}

#[test]
fn modern_clients_are_not_notified_of_what_they_have_not_asked_for() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           notify notifications/toy/event {"content":"a"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            -
        "#]],
    );
}

#[test]
fn what_a_call_sends_comes_before_its_result_in_both_eras() {
    let world = World::with(|builder| builder.tool(teller()));
    check_in(
        world,
        r#"legacy 1 tools/call {"name":"tell","arguments":{"texts":["a","a"]}}
           modern 2 tools/call {"name":"tell","arguments":{"texts":["b"]}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/toy/of_call","params":{"text":"a"}}
            {"jsonrpc":"2.0","method":"notifications/toy/of_call","params":{"text":"a"}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`notifications/progress` is a notification of the protocol"}]}}
            {"jsonrpc":"2.0","method":"notifications/toy/of_call","params":{"text":"b"}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"`notifications/progress` is a notification of the protocol"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_kept_context_notifies_its_client_after_the_call_as_the_registry_does() {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeps = kept.clone();
    let keep = async move |_: Value, cx: Context| keeps.lock().unwrap().push(cx);
    let mut world =
        World::with(|builder| builder.tool(Tool::new("keep", "", json!({"type": "object"}), keep)));
    world.play(r#"legacy 1 tools/call {"name":"keep"}"#);
    let cx: Context = kept.lock().unwrap().pop().unwrap();
    assert_eq!(cx.notify_session("notifications/toy/later", json!({"n": 1})), Ok(()));
    assert_eq!(world.judged(), [""; 0], "the client is not initialised");
    world.play("note notifications/initialized");
    assert_eq!(cx.notify("notifications/toy/later", json!({"n": 2})), Ok(()));
    assert_eq!(cx.notify_session("notifications/toy/later", json!({"n": 3})), Ok(()));
    let later = r#"{"jsonrpc":"2.0","method":"notifications/toy/later","params":{"n":3}}"#;
    assert_eq!(world.judged(), [later]);
    let refused = cx.notify_session("notifications/progress", ()).unwrap_err();
    assert_eq!(refused, NotifyError::Reserved("notifications/progress".into()));
    drop(world);
    assert_eq!(cx.notify_session("notifications/toy/later", ()), Err(NotifyError::Closed));
}

#[test]
fn a_server_of_the_modern_era_alone_notifies_nobody() {
    let mut world = World::with(|builder| builder.eras(Eras::Modern));
    assert_eq!(
        world.play("note notifications/initialized\nnotify notifications/toy/a {}"),
        "-\n-\n"
    );
}

#[test]
fn the_protocol_sends_its_own_notifications_itself() {
    let registry = ToolRegistry::builder("toy").build().unwrap();
    let refused = registry.notify("notifications/tools/list_changed", ()).unwrap_err();
    assert_eq!(refused, NotifyError::Reserved("notifications/tools/list_changed".into()));
    assert_eq!(
        registry.notify("notifications/toy/a", "text").unwrap_err().to_string(),
        "the parameters cannot be sent: a JSON object is needed"
    );
}

/// A server with requests of its own.
fn answering() -> World {
    World::with(|builder| {
        builder
            .on_request("toy/echo", async |_: Value, _| Ok::<_, String>("the later one counts"))
            .on_request("toy/echo", async |params: Value, cx: Context| {
                cx.progress(0.5, "half");
                Ok::<_, String>(json!({"resultType": "own", "params": params}))
            })
            .on_request("toy/name", async |name: Name, _| match &*name.name {
                "" => Err(ErrorObject::new(-32077, "no name").with_data(json!({"at": "/name"}))),
                name => Ok(json!({"_meta": {"toy/a": 1}, "name": name})),
            })
            .on_request("toy/nothing", async |_: Value, _| Ok::<_, String>(()))
            .on_request("toy/meta", async |_: Value, _| Ok::<_, String>(json!({"_meta": {"a": 1}})))
            .on_request("toy/text", async |_: Value, _| Ok::<_, String>("a text"))
            .on_request("toy/rate", async |_: Value, _| {
                let numbers = [("rate", Rate::Small(0.1)), ("most", Rate::Large(u128::MAX))];
                Ok::<_, String>(BTreeMap::from(numbers))
            })
            .on_request("toy/fail", async |_: Value, _| Err::<(), _>("it is broken"))
            .on_request("toy/panic", async |_: Value, _| match true {
                true => panic!("it is broken"),
                false => Ok::<_, String>(()),
            })
            .on_request("toy/ask", async |_: Value, cx: Context| {
                cx.confirm("Really?").await.map(|sure| json!({"sure": sure}))
            })
    })
}

/// Numbers whose digits are lost in a `Value`.
#[derive(Serialize)]
#[serde(untagged)]
enum Rate {
    Small(f32),
    Large(u128),
}

#[data]
#[serde(deny_unknown_fields)]
struct Name {
    name: String,
}

#[test]
fn requests_of_the_clients_own_are_answered_in_both_eras() {
    check_in(
        answering(),
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           legacy 2 toy/echo {"a":[1,2],"_meta":{"progressToken":7},"b":"\u0041"}
           legacy 3 toy/echo
           legacy 4 toy/name {"name":"Ann","_meta":{}}
           legacy 5 toy/name {"name":""}
           legacy 6 toy/name {"nam":"Ann"}
           legacy 7 toy/name {"name":"Ann",}
           legacy 8 toy/nothing
           legacy 9 toy/meta
           legacy 10 toy/text
           legacy 11 toy/fail
           legacy 12 toy/panic
           legacy 13 toy/other
           modern 14 toy/echo {"a":1}
           modern 15 toy/nothing
           modern 16 toy/meta
           modern 17 toy/name {"name":"Ann"}
           modern 18 toy/ask
           legacy 19 toy/rate"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0.5,"total":1.0,"message":"half"}}
            {"jsonrpc":"2.0","id":2,"result":{"params":{"a":[1,2],"b":"A"}}}
            {"jsonrpc":"2.0","id":3,"result":{"params":{}}}
            {"jsonrpc":"2.0","id":4,"result":{"name":"Ann","_meta":{"toy/a":1}}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32077,"message":"no name","data":{"at":"/name"}}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"Invalid arguments for `toy/name`:\n- unknown field `nam`, expected `name`"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":8,"result":{}}
            {"jsonrpc":"2.0","id":9,"result":{"_meta":{"a":1}}}
            {"jsonrpc":"2.0","id":10,"error":{"code":-32603,"message":"The result cannot be sent: a JSON object is needed."}}
            {"jsonrpc":"2.0","id":11,"error":{"code":-32603,"message":"it is broken"}}
            {"jsonrpc":"2.0","id":12,"error":{"code":-32603,"message":"The method `toy/panic` failed: an internal error stopped it."}}
            {"jsonrpc":"2.0","id":13,"error":{"code":-32601,"message":"Method not found: toy/other"}}
            {"jsonrpc":"2.0","id":14,"result":{"resultType":"complete","params":{"a":1},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":15,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":16,"result":{"resultType":"complete","_meta":{"a":1,"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":17,"result":{"resultType":"complete","name":"Ann","_meta":{"toy/a":1,"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":18,"error":{"code":-32603,"message":"only an `async` tool, prompt or resource can ask the client"}}
            {"jsonrpc":"2.0","id":19,"result":{"most":340282366920938463463374607431768211455,"rate":0.1}}
        "#]],
    );
}

#[test]
fn a_request_without_parameters_is_answered() {
    let world =
        World::with(|builder| builder.on_request("toy/ping", async |_: (), _| Ok::<_, String>(())));
    check_in(
        world,
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           legacy 2 toy/ping
           legacy 3 toy/ping {}
           legacy 4 toy/ping {"_meta":{"progressToken":7}}
           legacy 5 toy/ping {"a":1}
           modern 6 toy/ping"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{}}
            {"jsonrpc":"2.0","id":3,"result":{}}
            {"jsonrpc":"2.0","id":4,"result":{}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid arguments for `toy/ping`:\n- invalid type: map, expected unit"}}
            {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_request_of_the_clients_own_may_ask_and_is_cancelled() {
    check_in(
        answering(),
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}
           note notifications/initialized
           legacy 2 toy/ask
           {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}
           legacy 3 toy/ask
           note notifications/cancelled {"requestId":3}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            -
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"Really?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":2,"result":{"sure":true}}
            {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"mode":"form","message":"Really?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
        "#]],
    );
}

#[test]
fn the_protocol_answers_its_own_requests_itself() {
    let builder = ToolRegistry::builder("toy")
        .on_request("tools/list", async |_: Value, _| Ok::<_, String>(()));
    expect!["`tools/list` is a request of the protocol"]
        .assert_eq(&builder.build().unwrap_err().to_string());
}
