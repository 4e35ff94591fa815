//! The legacy handshake, ping, the end of a session, and methods that tool servers do not have.

use expect_test::expect;
use toolwright::Eras;

use super::harness::{World, check, check_in};

#[test]
fn a_known_version_is_settled() {
    check(
        r#"legacy 0 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           note notifications/initialized
           legacy 1 ping"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            -
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
}

#[test]
fn any_other_version_gets_a_counter_offer() {
    check(
        r#"legacy 1 initialize {"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 2 initialize {"protocolVersion":"2024-10-07","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 3 initialize {"protocolVersion":"2099-01-01"}
           legacy 4 initialize {"protocolVersion":""}
           legacy 5 initialize {"protocolVersion":"\"\\","capabilities":null}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":4,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":5,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
        "#]],
    );
}

#[test]
fn a_handshake_without_a_version_is_refused_and_the_next_one_is_good() {
    check(
        r#"legacy 1 initialize {"capabilities":{}}
           legacy 2 initialize {"protocolVersion":7}
           legacy 3 initialize {"protocolVersion":null}
           {"jsonrpc":"2.0","id":4,"method":"initialize"}
           legacy 5 initialize {"protocolVersion":"2025-11-25"}
           legacy 6 initialize {"protocolVersion":"2025-11-25"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`protocolVersion` must be a string"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`protocolVersion` must be a string"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`protocolVersion` must be a string"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`protocolVersion` must be a string"}}
            {"jsonrpc":"2.0","id":5,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":6,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
        "#]],
    );
}

#[test]
fn the_server_says_who_it_is() {
    let world = World::with(|builder| {
        builder
            .title("Toy server")
            .instructions("Play.\nGently.")
            .icon(toolwright::Icon::new("data:,x"))
    });
    check_in(
        world,
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           modern 2 server/discover"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","title":"Toy server","version":"1","icons":[{"src":"data:,x"}]},"instructions":"Play.\nGently."}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"instructions":"Play.\nGently.","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toy server","version":"1","icons":[{"src":"data:,x"}]}}}}
        "#]],
    );
}

#[test]
fn requests_before_the_handshake_are_served() {
    check(
        r#"legacy 1 ping
           legacy 2 tools/call {"name":"add","arguments":{"a":2,"b":40}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"42"}]}}
        "#]],
    );
}

#[test]
fn what_a_server_of_tools_does_not_have_is_an_unknown_method() {
    check(
        r#"legacy 1 prompts/list
           legacy 2 resources/list
           legacy 3 resources/templates/list
           legacy 4 completion/complete {"ref":{}}
           legacy 5 tasks/list
           legacy 6 sampling/createMessage
           legacy 7 notifications/initialized
           legacy 8 notifications/cancelled {"requestId":1}
           legacy 9 tools/Call
           legacy 10 subscriptions/listen {"notifications":{}}
           legacy 11 rpc.discover
           modern 12 prompts/get {"name":"p"}
           {"jsonrpc":"2.0","id":13,"method":""}
           {"jsonrpc":"2.0","id":14,"method":"a\n\"b"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: prompts/list"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: resources/list"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: resources/templates/list"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: completion/complete"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found: tasks/list"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32601,"message":"Method not found: sampling/createMessage"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: notifications/initialized"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"Method not found: notifications/cancelled"}}
            {"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"Method not found: tools/Call"}}
            {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found: subscriptions/listen"}}
            {"jsonrpc":"2.0","id":11,"error":{"code":-32601,"message":"Method not found: rpc.discover"}}
            {"jsonrpc":"2.0","id":12,"error":{"code":-32601,"message":"Method not found: prompts/get"}}
            {"jsonrpc":"2.0","id":13,"error":{"code":-32601,"message":"Method not found: "}}
            {"jsonrpc":"2.0","id":14,"error":{"code":-32601,"message":"Method not found: a\n\"b"}}
        "#]],
    );
}

#[test]
fn unknown_notifications_are_ignored() {
    check(
        r#"note notifications/roots/list_changed
           note notifications/progress {"progressToken":1,"progress":1}
           note whatever []
           note tools/list
           {"jsonrpc":"2.0","method":"ping"}"#,
        expect![[r#"
            -
            -
            -
            -
            -
        "#]],
    );
}

#[test]
fn a_legacy_server_knows_one_era() {
    check_in(
        World::with(|builder| builder.eras(Eras::Legacy)),
        r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}
           modern 2 server/discover
           modern 3 tools/call {"name":"nothing"}
           modern 4 ping
           modern 5 subscriptions/listen {"notifications":{}}
           legacy 6 initialize {"protocolVersion":"2026-07-28"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: server/discover"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: server/discover"}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
            {"jsonrpc":"2.0","id":4,"result":{}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"Method not found: subscriptions/listen"}}
            {"jsonrpc":"2.0","id":6,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
        "#]],
    );
}

#[test]
fn a_modern_server_knows_one_era() {
    check_in(
        World::with(|builder| builder.eras(Eras::Modern)),
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           legacy 2 initialize
           legacy 3 ping
           legacy 4 tools/list
           modern 5 tools/call {"name":"nothing"}
           modern 6 initialize {"protocolVersion":"2025-11-25"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":""}}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32601,"message":"Method not found: initialize"}}
        "#]],
    );
}

#[test]
fn a_modern_server_says_nothing_unasked() {
    check_in(
        World::with(|builder| builder.eras(Eras::Modern)),
        "note notifications/initialized
         add late",
        expect![[r#"
            -
            -
        "#]],
    );
}

#[test]
fn closing_answers_what_is_open_oldest_first() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           modern "l" subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern 2 tools/call {"name":"speak","arguments":{"wait":true}}
           legacy 3 tools/call {"name":"add","arguments":{"a":1,"b":1}}
           legacy "4" tools/call {"name":"speak","arguments":{"wait":true}}
           close
           finish 1
           finish 2
           close"#,
        expect![[r#"
            -
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}
            -
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2"}]}}
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":"4","result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}
            {"jsonrpc":"2.0","id":"l","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"l","io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            -
            -
            -
        "#]],
    );
}

#[test]
fn a_session_counts_what_runs() {
    let mut world = World::new();
    world.play(r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}"#);
    world.play(r#"legacy 2 tools/call {"name":"speak","arguments":{"wait":true}}"#);
    assert_eq!(world.running(), 2);
    world.play("finish 1");
    assert_eq!(world.running(), 1);
    world.play(r#"note notifications/cancelled {"requestId":2}"#);
    assert_eq!(world.running(), 0);
    assert_eq!(world.ledger.open(), [""; 0]);
}
