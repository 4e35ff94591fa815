//! `tools/list`, and a registry that changes while it is served.

use std::sync::Arc;

use expect_test::expect;
use serde_json::Value;
use toolwright::{ToolRegistry, tools};

use super::harness::{World, check, check_in};
use super::toys::{self, Toys};

/// A server whose list fits on a page of this file.
fn small(page_size: usize) -> World {
    let registry = ToolRegistry::builder("toy").version("1").tools(tools![
        toys::nothing,
        toys::refuse,
        toys::squares
    ]);
    World::serving(registry.page_size(page_size).build().unwrap(), Arc::new(Toys::default()))
}

#[test]
fn tools_are_listed_in_both_eras() {
    check_in(
        small(100),
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}
           {"jsonrpc":"2.0","id":2,"method":"tools/list","params":null}
           legacy 3 tools/list
           modern 4 tools/list"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}},{"name":"squares","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"type":"integer","minimum":0,"maximum":4294967295}}},"required":["result"]}}]}}
            {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}},{"name":"squares","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"type":"integer","minimum":0,"maximum":4294967295}}},"required":["result"]}}]}}
            {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}},{"name":"squares","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"type":"integer","minimum":0,"maximum":4294967295}}},"required":["result"]}}]}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}},{"name":"squares","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"array","items":{"type":"integer","minimum":0,"maximum":4294967295}}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_listed_tool_has_all_that_was_said_of_it() {
    let mut world = World::new();
    for request in ["legacy 1 tools/list", "modern 1 tools/list"] {
        let listed: Value = serde_json::from_str(&world.play(request)).unwrap();
        let tool = |name: &str| {
            listed["result"]["tools"]
                .as_array()
                .unwrap()
                .iter()
                .find(|tool| tool["name"] == name)
                .unwrap()
                .to_string()
        };
        match request.starts_with("legacy") {
            true => expect![[r#"
                {"name":"add","title":"Adder","description":"Add two numbers.","inputSchema":{"type":"object","properties":{"a":{"description":"Left operand.","type":"number"},"b":{"description":"Right operand.","type":"number"}},"required":["a","b"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"idempotentHint":true}}
                {"name":"mirror","inputSchema":{"type":"object","properties":{"point":{"type":"object","properties":{"x":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"y":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["x","y"],"description":"A point of the plane."},"label":{"type":"string"}},"required":["point"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"x":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"y":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["x","y"],"description":"A point of the plane."}}
                {"name":"dressed","title":"Dressed","description":"In full dress.","inputSchema":{"type":"object","properties":{},"x-mine":[1,2]},"outputSchema":{"type":"object","properties":{"result":{"type":"integer"}},"required":["result"]},"annotations":{"destructiveHint":false,"openWorldHint":true},"icons":[{"src":"https://example.com/a.png","mimeType":"image/png","sizes":["48x48"]}],"_meta":{"example.com/c":{"deep":null}}}"#]].assert_eq(&[tool("add"), tool("mirror"), tool("dressed")].join("\n")),
            false => expect![[r#"
                {"name":"add","title":"Adder","description":"Add two numbers.","inputSchema":{"type":"object","properties":{"a":{"description":"Left operand.","type":"number"},"b":{"description":"Right operand.","type":"number"}},"required":["a","b"],"additionalProperties":false},"annotations":{"readOnlyHint":true,"idempotentHint":true}}
                {"name":"mirror","inputSchema":{"type":"object","properties":{"point":{"type":"object","properties":{"x":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"y":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["x","y"],"description":"A point of the plane."},"label":{"type":"string"}},"required":["point"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"x":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"y":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["x","y"],"description":"A point of the plane."}}
                {"name":"dressed","title":"Dressed","description":"In full dress.","inputSchema":{"type":"object","properties":{},"x-mine":[1,2]},"outputSchema":{"type":"integer"},"annotations":{"destructiveHint":false,"openWorldHint":true},"icons":[{"src":"https://example.com/a.png","mimeType":"image/png","sizes":["48x48"]}],"_meta":{"example.com/c":{"deep":null}}}"#]].assert_eq(&[tool("add"), tool("mirror"), tool("dressed")].join("\n")),
        }
    }
}

#[test]
fn a_schema_given_by_hand_is_listed_byte_for_byte() {
    for request in ["legacy 1 tools/list", "modern 1 tools/list"] {
        let listed = World::new().play(request);
        assert!(
            listed
                .contains(r#""inputSchema":{"type":"object", "properties": {}, "x-mine":[1 , 2]}"#),
            "{listed}"
        );
    }
}

#[test]
fn pages_follow_each_other() {
    check_in(
        small(2),
        r#"legacy 1 tools/list
           legacy 2 tools/list {"cursor":"page-1"}
           modern 3 tools/list
           modern 4 tools/list {"cursor":"page-1"}
           legacy 5 tools/list {"cursor":null}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}}],"nextCursor":"page-1"}}
            {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"squares","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"type":"integer","minimum":0,"maximum":4294967295}}},"required":["result"]}}]}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}}],"nextCursor":"page-1","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[{"name":"squares","inputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["n"],"additionalProperties":false},"outputSchema":{"type":"array","items":{"type":"integer","minimum":0,"maximum":4294967295}}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"tools":[{"name":"nothing","inputSchema":{"type":"object","properties":{},"additionalProperties":false}},{"name":"refuse","inputSchema":{"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":false}}],"nextCursor":"page-1"}}
        "#]],
    );
}

#[test]
fn a_full_last_page_has_no_successor() {
    let listed = small(3).play("legacy 1 tools/list");
    assert!(!listed.contains("nextCursor"), "{listed}");
}

#[test]
fn a_cursor_that_was_never_given_is_refused() {
    check_in(
        small(2),
        r#"legacy 1 tools/list {"cursor":"page-2"}
           legacy 2 tools/list {"cursor":"page-0"}
           legacy 3 tools/list {"cursor":""}
           legacy 3 tools/list {"cursor":"page-+1"}
           legacy 3 tools/list {"cursor":"page-01"}
           legacy 4 tools/list {"cursor":7}
           modern 5 tools/list {"cursor":"page-99999999999999999999"}
           modern 6 tools/list {"cursor":{}}
           legacy 7 tools/list {"cursor":"\ud800"}
           legacy 8 tools/list []"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present tools"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present tools"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present tools"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present tools"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present tools"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`cursor` must be a string"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present tools"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`cursor` must be a string"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"`cursor` must be a string"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"`params` must be an object"}}
        "#]],
    );
}

#[test]
fn a_server_without_tools_has_an_empty_list() {
    let world = World::serving(ToolRegistry::builder("bare").build().unwrap(), Arc::default());
    check_in(
        world,
        r#"legacy 1 tools/list
           modern 2 tools/list
           legacy 3 tools/call {"name":"add"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bare","version":"0.0.0"}}}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown tool: add. There are: no tools"}}
        "#]],
    );
}

#[test]
fn tools_come_and_go_at_run_time() {
    let mut world = World::new();
    let before = world.play("legacy 1 tools/list");
    assert_eq!(
        world
            .play(
                r#"legacy 2 tools/call {"name":"late"}
               add late
               legacy 3 tools/call {"name":"late"}"#
            )
            .lines()
            .skip(1)
            .collect::<Vec<_>>(),
        [
            "-",
            r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"better than never"}]}}"#
        ]
    );
    assert!(
        world
            .play("legacy 4 tools/list")
            .contains(r#"{"name":"late","inputSchema":{"type":"object"}}]"#)
    );
    world.play("remove late");
    assert_eq!(world.play("legacy 1 tools/list"), before);
}

#[test]
fn a_call_of_a_tool_that_is_removed_goes_on() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           remove speak
           finish 1
           legacy 2 tools/call {"name":"speak"}"#,
        expect![[r#"
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: speak. There are: add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show, echo, whoami, dressed"}}
        "#]],
    );
}

#[test]
fn legacy_clients_hear_of_changes_once_they_are_initialised() {
    check(
        r#"add late
           legacy 1 initialize {"protocolVersion":"2025-11-25"}
           remove late
           note notifications/initialized
           add late
           legacy 2 initialize {"protocolVersion":"2025-11-25"}
           remove late"#,
        expect![[r#"
            -
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            -
            -
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
            {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        "#]],
    );
}
