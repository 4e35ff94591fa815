//! Lines that are not valid messages: answered if an id can be found, dropped otherwise, and the
//! session continues.

use expect_test::expect;

use super::harness::{World, check};

#[test]
fn broken_json_is_answered_when_its_id_can_be_found() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1
           {"jsonrpc":"2.0","id":"two","method":"ping","params":{"a":tru}}
           {"id":3,"method":"ping",}
           {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nothing"}}}
           {"jsonrpc":"2.0","id":5,"method":"ping"}{"jsonrpc":"2.0","id":6,"method":"ping"}
           {"jsonrpc":"2.0","id":7,"method":"ping"} x
           {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"nothing","arguments":{"a":]}}}
           {"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nothing","_meta":{"a":nul}}}
           {"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"nothing","x":01}}
           {"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"nothing"},"more":tru}
           {"jsonrpc":"2.0","id":12,"method":"tools/call","params":nul}
           legacy 13 ping"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":"two","error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":9,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":10,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":11,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":12,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":13,"result":{}}
        "#]],
    );
}

#[test]
fn arguments_that_are_no_json_are_answered() {
    check(
        r#"legacy 1 tools/call {"name":"add","arguments":{"a":1,"b":tru}}
           legacy 2 tools/call {"name":"add","arguments":{"a":1 "b":2}}
           legacy 3 tools/call {"name":"add","arguments":{"a":[1}}}
           legacy 4 tools/call {"name":"echo","arguments":{"value":nul}}
           legacy 5 tools/call {"name":"swallow","arguments":{"value":{"a":[1,]}}}
           legacy 6 tools/call {"name":"add","arguments":{"a":1,"b":2,}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"Parse error: the arguments are not valid JSON"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32700,"message":"Parse error: the arguments are not valid JSON"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32700,"message":"Parse error: the arguments are not valid JSON"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32700,"message":"Parse error: the arguments are not valid JSON"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32700,"message":"Parse error: the arguments are not valid JSON"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32700,"message":"Parse error: the arguments are not valid JSON"}}
        "#]],
    );
}

#[test]
fn broken_json_without_an_id_is_dropped() {
    check(
        r#"{
           {"
           {"jsonrpc":"2.0","method":"ping","params":{
           {"jsonrpc":"2.0","id":1.5,"method":"ping",}
           {"jsonrpc":"2.0","id":
           {"jsonrpc":"2.0","id":1
           {"jsonrpc":"2.0","id":1,"result":{"a":
           hello
           }{
           legacy 1 ping"#,
        expect![[r#"
            -
            -
            -
            -
            -
            -
            -
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
}

#[test]
fn an_id_that_is_torn_is_no_id() {
    check(
        r#"{"jsonrpc":"2.0","method":"ping","id":12"#,
        expect![[r#"
        -
    "#]],
    );
    check(
        r#"{"jsonrpc":"2.0","method":"ping","id":"12"#,
        expect![[r#"
        -
    "#]],
    );
    check(
        r#"{"jsonrpc":"2.0","method":"ping","id":"12""#,
        expect![[r#"
        {"jsonrpc":"2.0","id":"12","error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
    "#]],
    );
    check(
        r#"{"jsonrpc":"2.0","method":"ping","id":12 "#,
        expect![[r#"
        -
    "#]],
    );
}

#[test]
fn what_is_no_object_is_dropped_and_an_array_is_refused() {
    check(
        r#"1
           null
           "ping"
           true
           []
           [1,2]
           [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]
           {}
           legacy 1 ping"#,
        expect![[r#"
            -
            -
            -
            -
            {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: MCP 2025-11-25 has no batches of messages"}}
            {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: MCP 2025-11-25 has no batches of messages"}}
            {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: MCP 2025-11-25 has no batches of messages"}}
            -
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
    assert_eq!(World::new().line(b""), [""; 0]);
    assert_eq!(World::new().line(b" \t\r"), [""; 0]);
}

#[test]
fn a_request_that_is_none_is_refused_with_its_id() {
    check(
        r#"{"id":1,"method":"ping"}
           {"jsonrpc":"1.0","id":2,"method":"ping"}
           {"jsonrpc":2.0,"id":3,"method":"ping"}
           {"jsonrpc":"2.0","id":4}
           {"jsonrpc":"2.0","id":5,"method":7}
           {"jsonrpc":"2.0","id":6,"method":null,"params":{}}
           {"jsonrpc":"2.0","id":7,"method":"ping","params":[]}
           {"jsonrpc":"2.0","id":8,"method":"ping","params":"x"}
           {"jsonrpc":"2.0","id":9,"method":"no/such","params":0}
           {"method":"ping"}
           {"jsonrpc":"2.0"}
           {"jsonrpc":"2.0","method":7}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: `jsonrpc` must be \"2.0\""}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid request: `jsonrpc` must be \"2.0\""}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Invalid request: `jsonrpc` must be \"2.0\""}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"Invalid request: `method` must be a string"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"Invalid request: `method` must be a string"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32600,"message":"Invalid request: `method` must be a string"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"`params` must be an object"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"`params` must be an object"}}
            {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"`params` must be an object"}}
            -
            -
            -
        "#]],
    );
}

#[test]
fn what_is_only_unusual_is_served() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}
           {"extra":[1],"id":2,"method":"ping","jsonrpc":"2.0","more":{"id":3}}
           {"jsonrpc":"2.0","id":4,"method":"pin\u0067"}
           {"jsonrpc":"2.0","id":5,"method":"ping","params":[1],"params":{}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{}}
            {"jsonrpc":"2.0","id":2,"result":{}}
            {"jsonrpc":"2.0","id":4,"result":{}}
            {"jsonrpc":"2.0","id":5,"result":{}}
        "#]],
    );
}

#[test]
fn keys_and_the_version_may_have_escapes() {
    check(
        r#"{"jsonrpc":"2.0","\u0069d":1,"method":"ping"}
           {"jsonrp\u0063":"2.\u0030","id":2,"m\u0065thod":"ping"}
           {"jsonrpc":"2.0","id":3,"method":"tools/call","p\u0061rams":{"n\u0061me":"nothing"}}
           {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nothing","\u005fmeta":{"io.modelcontextprotocol\u002fprotocolVersion":"1"}}}
           legacy 5 initialize {"protocol\u0056ersion":7}
           {"jsonrpc":"2.0","id":6,"\u0072esult":{}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{}}
            {"jsonrpc":"2.0","id":2,"result":{}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`params._meta` must have io.modelcontextprotocol/clientCapabilities"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`protocolVersion` must be a string"}}
            -
        "#]],
    );
}

#[test]
fn garbage_is_refused_in_members_that_count_for_nothing() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[garbage],"params":{"name":"nothing"}}
           {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"x":tru},"params":{"name":"nothing"}}
           {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":nul,"name":"nothing"}}
           {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"arguments":{"a":01},"name":"nothing","arguments":{}}}
           {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"_meta":{"a":.5},"name":"nothing","_meta":{}}}
           {"jsonrpc":tru,"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"nothing"}}
           {"jsonrpc":"2.0","id":1e,"id":7,"method":"tools/call","params":{"name":"nothing"}}
           {"jsonrpc":"2.0","id":8,"method":pin,"method":"tools/call","params":{"name":"nothing"}}
           {"jsonrpc":tru,"id":9,"method":"tools/call","params":{"name":"nothing"}}
           legacy 10 tools/call {"name":"no such","arguments":{"a":tru}}
           legacy 11 tools/call {"name":"nothing","arguments":[tru]}
           legacy 12 ping
           {"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"nothing","_meta":nul}}
           {"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"_meta":{"a\x":"b"},"name":"nothing","_meta":null}}
           {"jsonrpc":"2.0","id":15,"method":"tools/call","params":{"_meta":{"a":"b"},"name":"nothing","_meta":null}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":9,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":10,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":11,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":12,"result":{}}
            {"jsonrpc":"2.0","id":13,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":14,"error":{"code":-32700,"message":"Parse error: the line is not valid JSON"}}
            {"jsonrpc":"2.0","id":15,"result":{"content":[]}}
        "#]],
    );
}

#[test]
fn answers_are_ignored() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":{}}
           {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}
           {"id":1,"result":null}
           {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#,
        expect![[r#"
            -
            -
            -
            -
        "#]],
    );
}

#[test]
fn a_notification_that_is_shaped_like_a_call_has_no_effect() {
    check(
        r#"note tools/call {"name":"speak","arguments":{"wait":true,"log":["emergency"]},"_meta":{"progressToken":1}}
           note initialize {"protocolVersion":"2025-11-25"}
           note logging/setLevel {"level":"debug"}
           speak
           close"#,
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
fn bytes_that_are_no_text_are_answered_when_the_id_can_be_found() {
    let mut world = World::new();
    assert_eq!(
        world.line(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xff\"}}"),
        [r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"Parse error: the line is not valid UTF-8"}}"#]
    );
    assert_eq!(world.line(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"\xc3\"}}"), [""; 0]);
    assert_eq!(world.line(b"\xff\xfe{"), [""; 0]);
    assert_eq!(world.line(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}"), [""; 0]);
    assert_eq!(
        world.line(b"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}"),
        [""; 0],
        "nobody has asked under that id"
    );
}

#[test]
fn a_line_that_is_too_long_is_answered_when_its_id_is_in_the_beginning_or_the_end() {
    let refusal = |id: &str| {
        let error = r#"{"code":-32600,"message":"Invalid request: the line has 70000000 bytes, which is more than this server reads"}"#;
        [format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)]
    };
    let mut world = World::new();
    let call =
        br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"add","arguments":{"a":"xxxx"#;
    assert_eq!(
        world.too_long(br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":"xxxx"#, b"xx\"}}}"),
        refusal("1")
    );
    assert_eq!(world.too_long(call, br#"xx"}},"id":"two"}"#), refusal("\"two\""));
    assert_eq!(world.too_long(call, br#"xx"}}, "id": 3 } "#), refusal("3"));
    assert_eq!(world.too_long(call, b"xx\"}}}"), [""; 0]);
    assert_eq!(
        world.too_long(br#"{"jsonrpc":"2.0","method":"tools/call","id":1"#, b"xx}"),
        [""; 0],
        "the id goes on"
    );
    assert_eq!(
        world.too_long(br#"{"jsonrpc":"2.0","id":1,"result":{"content":"xxxx"#, b"xx\"}}"),
        [""; 0]
    );
    assert_eq!(world.play("legacy 1 ping"), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

/// U+2028 is white space of Unicode, and not of JSON.
#[test]
fn an_array_beside_other_white_space_is_no_batch() {
    let mut world = World::new();
    for line in ["\u{2028}[]", "[]\u{2028}", "\u{a0}[{\"id\":1}]"] {
        assert_eq!(world.line(line.as_bytes()), [""; 0], "{line:?}");
    }
    let refused = world.line(b" \t\r[] \r");
    assert!(refused[0].contains("has no batches"), "{refused:?}");
}
