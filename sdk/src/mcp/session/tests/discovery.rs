//! The modern era's discovery and envelope.

use expect_test::expect;
use serde_json::Value;

use super::harness::{World, check};

#[test]
fn discovery_offers_the_modern_era_only() {
    check(
        r#"modern "d" server/discover
           modern 2 server/discover {"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":"d","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_bare_discovery_is_refused() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}
           {"jsonrpc":"2.0","id":2,"method":"server/discover","params":null}
           {"jsonrpc":"2.0","id":3,"method":"server/discover","params":{"_meta":{}}}
           {"jsonrpc":"2.0","id":4,"method":"server/discover","params":{"_meta":5}}
           {"jsonrpc":"2.0","id":5,"method":"server/discover","params":{"_meta":null}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
        "#]],
    );
}

#[test]
fn an_envelope_must_be_whole() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
           {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":null,"io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":20260728,"io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}}}
           {"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":true,"io.modelcontextprotocol/clientCapabilities":null}}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
        "#]],
    );
}

#[test]
fn another_version_is_answered_with_those_that_are_spoken() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nothing","_meta":{"io.modelcontextprotocol/protocolVersion":"","io.modelcontextprotocol/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","id":4,"method":"no/such","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"\"\u00e9","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":""}}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"\"é"}}}
        "#]],
    );
}

#[test]
fn what_the_modern_era_removed_is_unknown_in_it() {
    check(
        r#"modern 1 ping
           modern 2 initialize {"protocolVersion":"2025-11-25"}
           modern 3 logging/setLevel {"level":"info"}
           modern 4 resources/subscribe {"uri":"a:b"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: ping"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: initialize"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: logging/setLevel"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: resources/subscribe"}}
        "#]],
    );
}

#[test]
fn a_client_with_an_icon_of_another_form_is_known() {
    for icons in [r#"null"#, r#"[{"src":"a.png","sizes":"48x48"}]"#, r#"{"src":"a.png"}"#] {
        let info = format!(r#"{{"name":"c","version":"1","icons":{icons}}}"#);
        let said = World::new().play(&format!(
            r#"modern 1 tools/call {{"name":"whoami","_meta":{{"io.modelcontextprotocol/clientInfo":{info}}}}}"#
        ));
        assert!(said.contains(r#""client":"c""#), "{said}");
    }
}

#[test]
fn both_eras_are_served_in_turn() {
    check(
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25","clientInfo":{"name":"old","version":"1"}}
           modern 2 tools/call {"name":"whoami","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"new","version":"1"}}}
           legacy 3 tools/call {"name":"whoami","_meta":{"a":[1]}}
           modern 4 tools/call {"name":"whoami"}
           legacy 5 tools/call {"name":"whoami","_meta":"nothing"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"id\":\"2\",\"era\":\"2026-07-28\",\"client\":\"new\",\"meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"new\",\"version\":\"1\"}}}"}],"structuredContent":{"id":"2","era":"2026-07-28","client":"new","meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"new","version":"1"}}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"id\":\"3\",\"era\":\"2025-11-25\",\"client\":\"old\",\"meta\":{\"a\":[1]}}"}],"structuredContent":{"id":"3","era":"2025-11-25","client":"old","meta":{"a":[1]}}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"id\":\"4\",\"era\":\"2026-07-28\",\"client\":null,\"meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}"}],"structuredContent":{"id":"4","era":"2026-07-28","client":null,"meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"id\":\"5\",\"era\":\"2025-11-25\",\"client\":\"old\",\"meta\":{}}"}],"structuredContent":{"id":"5","era":"2025-11-25","client":"old","meta":{}}}}
        "#]],
    );
}

#[test]
fn keys_may_be_written_with_escapes() {
    // PHP writes every slash that way.
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"server\/discover","params":{"_meta":{"io.modelcontextprotocol\/protocolVersion":"2026-07-28","io.modelcontextprotocol\/clientCapabilities":{}}}}
           {"jsonrpc":"2.0","method":"notifications\/initialized"}
           add late
           legacy 2 tools/call {"name":"speak","arguments":{"wait":true}}
           {"jsonrpc":"2.0","method":"notifications\/cancelled","params":{"requestId":2}}
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            -
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
            -
            -
            -
        "#]],
    );
}

macro_rules! example {
    ($path:literal) => {
        // The examples are written on many lines, and a message is one.
        serde_json::from_str::<Value>(include_str!(concat!(
            "../../../../tests-data/mcp-schema/2026-07-28/examples/",
            $path
        )))
        .unwrap()
        .to_string()
    };
}

#[test]
fn the_examples_of_the_specification_are_understood() {
    let mut world = World::new();
    let lines = [
        example!("DiscoverRequest/server-discover-request.json"),
        example!("CallToolRequest/call-tool-request.json"),
        example!("SubscriptionsListenRequest/listen-for-list-changes.json"),
        "modern \"123\" tools/call {\"name\":\"speak\",\"arguments\":{\"wait\":true}}".to_owned(),
        example!("CancelledNotification/user-requested-cancellation.json"),
        "close".to_owned(),
    ];
    expect![[r#"
        {"jsonrpc":"2.0","id":"discover-1","result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        {"jsonrpc":"2.0","id":"call-tool-example","error":{"code":-32602,"message":"Unknown tool: get_weather. There are: add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show, echo, speak, whoami, dressed"}}
        {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"listen-1"}}}
        -
        -
        {"jsonrpc":"2.0","id":"listen-1","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"listen-1","io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
    "#]].assert_eq(&world.play(&lines.join("\n")));
    let listed = World::new().play(&example!("ListToolsRequest/list-tools-request.json"));
    assert!(listed.starts_with(r#"{"jsonrpc":"2.0","id":"list-tools-example","result":{"resultType":"complete","tools":[{"name":"add","#));
}
