//! `resources/list`, `resources/templates/list`, `resources/read` and subscriptions to resources.

use std::sync::Arc;
use std::time::Duration;

use expect_test::expect;
use toolwright::{
    Annotations, Caching, Icon, Json, Resource, ResourceContents, Role, ToolRegistry, json,
};

use super::harness::{World, check_in};
use super::toys::Toys;

fn registry() -> ToolRegistry {
    let text = Resource::new("toy://text", "text", "", async |it, _| {
        assert!(it.variables.is_empty());
        format!("This is {}.", it.uri)
    });
    let annotations =
        Annotations::default().audience([Role::User]).last_modified("2026-01-01T00:00:00Z");
    let text = text.with_mime_type("text/plain").with_size(20).with_annotations(annotations);
    let text = text.with_title("Text").with_description("A text");
    let text = text.with_icon(Icon::new("https://example.com/i.png"));
    let bytes = Resource::new("toy://café", "bytes", "", async |_, _| vec![0_u8, 255]);
    let bytes =
        bytes.with_mime_type("image/png").with_caching(Caching::public(Duration::from_secs(60)));
    let item = Resource::new("toy://items/{id}", "item", "", async |it, _| {
        (it.variables["id"] != "0").then(|| Json(json!({"id": it.variables["id"]})))
    });
    let files = Resource::new("toy://files/{+path}{?line}", "file", "", async |it, _| {
        let line = it.variables.get("line").map_or("all", |line| line);
        match &*it.variables["path"] {
            "locked" => Err("the file is locked"),
            path => Ok(vec![
                ResourceContents::text("", format!("{path} {line}")),
                ResourceContents::blob("toy://other", b"x").with_meta("com.example/a", 1),
            ]),
        }
    });
    let registry = ToolRegistry::builder("toy").version("1");
    registry.resources([text, bytes, item, files.with_mime_type("text/x")]).build().unwrap()
}

fn world() -> World {
    World::serving(registry(), Arc::new(Toys::default()))
}

#[test]
fn resources_and_templates_are_listed_in_each_revision() {
    check_in(
        world(),
        r#"legacy 1 initialize {"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 2 resources/list
           legacy 3 resources/templates/list
           modern 4 server/discover
           modern 5 resources/list
           modern 6 resources/templates/list"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"resources":[{"uri":"toy://text","name":"text","description":"A text","mimeType":"text/plain","size":20,"annotations":{"audience":["user"]}},{"uri":"toy://caf%C3%A9","name":"bytes","mimeType":"image/png"}]}}
            {"jsonrpc":"2.0","id":3,"result":{"resourceTemplates":[{"uriTemplate":"toy://items/{id}","name":"item"},{"uriTemplate":"toy://files/{+path}{?line}","name":"file","mimeType":"text/x"}]}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","resources":[{"uri":"toy://text","name":"text","title":"Text","description":"A text","mimeType":"text/plain","size":20,"annotations":{"audience":["user"],"lastModified":"2026-01-01T00:00:00Z"},"icons":[{"src":"https://example.com/i.png"}]},{"uri":"toy://caf%C3%A9","name":"bytes","mimeType":"image/png"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","resourceTemplates":[{"uriTemplate":"toy://items/{id}","name":"item"},{"uriTemplate":"toy://files/{+path}{?line}","name":"file","mimeType":"text/x"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn resources_are_read_by_their_uris() {
    check_in(
        world(),
        r#"legacy 1 resources/read {"uri":"toy://text"}
           modern 2 resources/read {"uri":"toy://text"}
           modern 3 resources/read {"uri":"toy://caf%c3%a9"}
           legacy 4 resources/read {"uri":"toy://café"}
           legacy 5 resources/read {"uri":"toy://items/a%20b"}
           modern 6 resources/read {"uri":"toy://files/a/b?line=3"}
           legacy 7 initialize {"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 8 resources/read {"uri":"toy://files/a/b"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"toy://text","mimeType":"text/plain","text":"This is toy://text."}]}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","contents":[{"uri":"toy://text","mimeType":"text/plain","text":"This is toy://text."}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","contents":[{"uri":"toy://caf%c3%a9","mimeType":"image/png","blob":"AP8="}],"ttlMs":60000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":4,"result":{"contents":[{"uri":"toy://caf%C3%A9","mimeType":"image/png","blob":"AP8="}]}}
            {"jsonrpc":"2.0","id":5,"result":{"contents":[{"uri":"toy://items/a%20b","mimeType":"application/json","text":"{\"id\":\"a b\"}"}]}}
            {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","contents":[{"uri":"toy://files/a/b?line=3","mimeType":"text/x","text":"a/b 3"},{"uri":"toy://other","mimeType":"text/x","blob":"eA==","_meta":{"com.example/a":1}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":7,"result":{"protocolVersion":"2025-03-26","capabilities":{"logging":{},"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":8,"result":{"contents":[{"uri":"toy://files/a/b","mimeType":"text/x","text":"a/b all"},{"uri":"toy://other","mimeType":"text/x","blob":"eA=="}]}}
        "#]],
    );
}

#[test]
fn what_cannot_be_read_is_an_error() {
    check_in(
        world(),
        r#"legacy 1 resources/read {"uri":"toy://none"}
           modern 2 resources/read {"uri":"toy://none"}
           legacy 3 resources/read {"uri":"toy://items/0"}
           modern 4 resources/read {"uri":"toy://items/0"}
           modern 5 resources/read {"uri":"toy://items/..%2Fsecret"}
           modern 6 resources/read {"uri":"toy://files/locked"}
           legacy 7 resources/read {"uri":7}
           legacy 8 resources/read {}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found: toy://none","data":{"uri":"toy://none"}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Resource not found: toy://none","data":{"uri":"toy://none"}}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"Resource not found: toy://items/0","data":{"uri":"toy://items/0"}}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Resource not found: toy://items/0","data":{"uri":"toy://items/0"}}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Resource not found: toy://items/..%2Fsecret","data":{"uri":"toy://items/..%2Fsecret"}}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32603,"message":"the file is locked"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"`uri` must be a string"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"`uri` must be a string"}}
        "#]],
    );
}

#[test]
fn subscribers_are_notified_of_exactly_their_uri() {
    let registry = registry();
    let mut world = World::serving(registry.clone(), Arc::new(Toys::default()));
    let said = world.play(
        r#"legacy 1 resources/subscribe {"uri":"toy://text"}
           legacy 2 resources/subscribe {"uri":"toy://text"}
           legacy 3 resources/subscribe {"uri":"toy://unknown"}
           legacy 4 resources/unsubscribe {"uri":"toy://unknown"}
           legacy 5 resources/unsubscribe {"uri":"toy://unknown"}
           legacy 6 resources/subscribe {}
           modern 7 resources/subscribe {"uri":"toy://text"}
           modern "s" subscriptions/listen {"notifications":{"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["toy://text","toy://b"]}}
           modern 8 subscriptions/listen {"notifications":{"resourceSubscriptions":[7]}}"#,
    );
    expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{}}
        {"jsonrpc":"2.0","id":2,"result":{}}
        {"jsonrpc":"2.0","id":3,"result":{}}
        {"jsonrpc":"2.0","id":4,"result":{}}
        {"jsonrpc":"2.0","id":5,"result":{}}
        {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`uri` must be a string"}}
        {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: resources/subscribe"}}
        {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["toy://text","toy://b"]},"_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}
        {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"`resourceSubscriptions` must be an array of strings"}}
    "#]].assert_eq(&said);
    for uri in ["toy://text", "toy://b", "toy://unknown", "TOY://text", "toy://text/"] {
        registry.resource_updated(uri);
    }
    expect![[r#"
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://text"}}
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://text","_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://b","_meta":{"io.modelcontextprotocol/subscriptionId":"s"}}}"#]].assert_eq(&world.judged().join("\n"));
}

#[test]
fn each_spelling_of_a_uri_is_told_once() {
    let registry = registry();
    let mut world = World::serving(registry.clone(), Arc::new(Toys::default()));
    let said = world.play(
        r#"legacy 1 resources/subscribe {"uri":"toy://%5b"}
           legacy 2 resources/subscribe {"uri":"toy://%5B"}
           legacy 3 resources/subscribe {"uri":"toy://%5B"}
           modern 4 subscriptions/listen {"notifications":{"resourceSubscriptions":["toy://%C3%A9","toy://%c3%a9","toy://%C3%A9"],"taskIds":["x","x"]}}"#,
    );
    expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{}}
        {"jsonrpc":"2.0","id":2,"result":{}}
        {"jsonrpc":"2.0","id":3,"result":{}}
        {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"resourceSubscriptions":["toy://%C3%A9","toy://%c3%a9"]},"_meta":{"io.modelcontextprotocol/subscriptionId":4}}}
    "#]].assert_eq(&said);
    registry.resource_updated("toy://%5b");
    registry.resource_updated("toy://é");
    expect![[r#"
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://%5b"}}
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://%5B"}}
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://%C3%A9","_meta":{"io.modelcontextprotocol/subscriptionId":4}}}
        {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"toy://%c3%a9","_meta":{"io.modelcontextprotocol/subscriptionId":4}}}"#]].assert_eq(&world.judged().join("\n"));
}

/// Over HTTP without sessions.
#[cfg(feature = "http")]
#[test]
fn a_session_of_one_answer_promises_no_notifications() {
    let world = world();
    world.be_brief();
    check_in(
        world,
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 2 resources/subscribe {"uri":"toy://text"}
           legacy 3 resources/read {"uri":"toy://none"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{},"resources":{}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: resources/subscribe"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32002,"message":"Resource not found: toy://none","data":{"uri":"toy://none"}}}
        "#]],
    );
}

#[test]
fn subscriptions_to_resources_are_bounded() {
    let mut world = world();
    let mut refused = Vec::new();
    for at in 0..1_030 {
        let line = format!(r#"legacy {at} resources/subscribe {{"uri":"toy://{at}"}}"#);
        let said = world.play(&line);
        refused.extend(said.contains("error").then_some(at));
    }
    assert_eq!(refused, (1_024..1_030).collect::<Vec<_>>());
    // What is named more than once counts once.
    let mut world = self::world();
    let same = vec!["toy://a"; 1_025];
    let wanted = json!({"notifications": {"resourceSubscriptions": same}});
    let said = world.play(&format!("modern 1 subscriptions/listen {wanted}"));
    assert!(said.contains(r#""resourceSubscriptions":["toy://a"]"#), "{said}");
    let long = format!("toy://{}", "a".repeat(65_536));
    let mut world = self::world();
    let said = world.play(&format!(r#"legacy 1 resources/subscribe {{"uri":"{long}"}}"#));
    expect![[r#"
        {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: a client can subscribe to at most 1,024 resources and tasks, with URIs and ids of 65,536 bytes together"}}
    "#]].assert_eq(&said);
}

#[test]
fn resources_change_while_sessions_run() {
    let registry = ToolRegistry::builder("toy").version("1").resources([]).build().unwrap();
    let mut world = World::serving(registry.clone(), Arc::new(Toys::default()));
    world.play(
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           note notifications/initialized"#,
    );
    let late = |uri: &'static str| Resource::new(uri, "late", "", async |_, _| "Hello");
    registry.add_resource(late("toy://{x}")).unwrap();
    registry.add_resource(late("toy://a")).unwrap();
    expect![[r#"
        {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
        {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}"#]]
    .assert_eq(&world.judged().join("\n"));
    let twice = registry.add_resource(late("toy://{x}")).unwrap_err();
    assert_eq!(twice.complaints(), ["resource `toy://{x}`: there is one of that URI already"]);
    let wrong = registry.add_resource(late("toy://{x*}")).unwrap_err();
    expect!["resource `toy://{x*}`: its URI is wrong: `{x*}` is not one of `{x}`, `{+x}` and `{?a,b}` of RFC 6570"].assert_eq(&wrong.to_string());
    let completed = late("toy://of/{x}").complete("y", async |_, _| ["z"]);
    let wrong = registry.add_resource(completed).unwrap_err();
    expect!["resource `toy://of/{x}`: `y` is completed, and is no variable of its URI"]
        .assert_eq(&wrong.to_string());
    let uris = |registry: &ToolRegistry| {
        registry.resources().iter().map(|it| it.uri().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(uris(&registry), ["toy://a", "toy://{x}"]);
    assert!(registry.remove_resource("toy://{x}") && !registry.remove_resource("toy://{x}"));
    assert!(registry.remove_resource("toy://a"));
    assert_eq!(world.judged().len(), 2);
    let without = ToolRegistry::builder("toy").build().unwrap();
    let refused = without.add_resource(late("toy://a")).unwrap_err();
    expect!["the registry was built without resources: call `.resources([])` on its builder"]
        .assert_eq(&refused.to_string());
}

#[test]
fn annotations_that_clients_would_refuse_are_refused_first() {
    let odd = Annotations::default().priority(7.0).last_modified("2026-01-01");
    let text = Resource::new("toy://text", "text", "", async |_, _| "Hello").with_annotations(odd);
    let refused = ToolRegistry::builder("toy").resources([text]).build().unwrap_err();
    expect![[r#"
        resource `toy://text`: its priority 7 is not from 0 to 1
        resource `toy://text`: the time of its last change, "2026-01-01", must be one such as "2025-01-12T15:00:58Z" (RFC 3339)"#]]
    .assert_eq(&refused.to_string());
}
