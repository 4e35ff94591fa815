//! `tools/call`: finding the tool and reading its arguments.

use expect_test::expect;
use toolwright::mcp::{Call, Step};
use toolwright::{Next, ToolCall};

use super::harness::{World, check};

#[test]
fn a_call_is_answered_with_what_the_function_returns() {
    check(
        r#"legacy 1 tools/call {"name":"add","arguments":{"a":2,"b":40}}
           modern 2 tools/call {"name":"add","arguments":{"a":0.1,"b":0.2}}
           legacy 3 tools/call {"arguments":{"b":1e3,"a":-0.0},"name":"add","task":{"ttl":1},"more":null}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"42"}]}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"0.30000000000000004"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"1000"}]}}
        "#]],
    );
}

#[test]
fn arguments_may_be_left_out() {
    check(
        r#"legacy 1 tools/call {"name":"nothing"}
           legacy 2 tools/call {"name":"nothing","arguments":null}
           legacy 3 tools/call {"name":"nothing","arguments":{}}
           modern 4 tools/call {"name":"nothing"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_function_that_fails_gives_an_error_result() {
    check(
        r#"legacy 1 tools/call {"name":"refuse","arguments":{"reason":"no such note"}}
           modern 2 tools/call {"name":"refuse","arguments":{"reason":""}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no such note"}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":""}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn an_unknown_tool_is_refused_and_the_known_ones_are_named() {
    check(
        r#"legacy 1 tools/call {"name":"Add","arguments":{}}
           modern 2 tools/call {"name":""}
           legacy 3 tools/call {"name":"a\"\nb"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: Add. There are: add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show, echo, speak, whoami, dressed"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: . There are: add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show, echo, speak, whoami, dressed"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown tool: a\"\nb. There are: add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show, echo, speak, whoami, dressed"}}
        "#]],
    );
}

#[test]
fn a_call_without_a_tool_or_with_arguments_that_are_no_object_is_refused() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}
           {"jsonrpc":"2.0","id":2,"method":"tools/call","params":null}
           legacy 3 tools/call {"arguments":{}}
           legacy 4 tools/call {"name":7}
           legacy 5 tools/call {"name":null}
           legacy 6 tools/call {"name":"\ud800"}
           legacy 7 tools/call {"name":"add","arguments":[1,2]}
           legacy 8 tools/call {"name":"add","arguments":"{}"}
           legacy 9 tools/call {"name":"add","arguments":0}
           modern 10 tools/call {"name":"add","arguments":false}
           legacy 11 tools/call ["add"]
           legacy 12 tools/call "add""#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"`arguments` must be an object"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"`arguments` must be an object"}}
            {"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"`arguments` must be an object"}}
            {"jsonrpc":"2.0","id":10,"error":{"code":-32602,"message":"`arguments` must be an object"}}
            {"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"`params` must be an object"}}
            {"jsonrpc":"2.0","id":12,"error":{"code":-32602,"message":"`params` must be an object"}}
        "#]],
    );
}

#[test]
fn bad_arguments_are_named_all_at_once() {
    check(
        r#"legacy 1 tools/call {"name":"add","arguments":{"a":"2","c":1}}
           legacy 2 tools/call {"name":"add"}
           modern 3 tools/call {"name":"mirror","arguments":{"point":{"x":1.5,"z":0},"lable":"l"}}
           legacy 4 tools/call {"name":"squares","arguments":{"n":-1}}
           legacy 5 tools/call {"name":"add","arguments":{"a":1,"a":2,"b":3}}
           legacy 6 tools/call {"name":"nothing","arguments":{"a":1}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Invalid arguments for `add`:\n- /a: expected number, got string \"2\": write 2 without quotes\n- /c: unknown, known are `a`, `b`\n- /b: missing, expected number"}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Invalid arguments for `add`:\n- /a: missing, expected number\n- /b: missing, expected number"}],"isError":true}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"Invalid arguments for `mirror`:\n- /point/x: expected integer, got number 1.5\n- /point/y: missing, expected integer\n- /lable: unknown, did you mean `label`?"}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"Invalid arguments for `squares`:\n- /n: expected 0 to 4294967295, got -1"}],"isError":true}}
            {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"Invalid arguments for `add`:\n- /a: given more than once"}],"isError":true}}
            {"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"Invalid arguments for `nothing`:\n- /a: unknown, there are no arguments"}],"isError":true}}
        "#]],
    );
}

#[test]
fn what_no_type_can_hold_is_an_error_result_with_its_pointer() {
    check(
        r#"legacy 1 tools/call {"name":"swallow","arguments":{"text":"\ud800"}}
           legacy 2 tools/call {"name":"swallow","arguments":{"number":1e400}}
           legacy 3 tools/call {"name":"swallow","arguments":{"value":{"a":[0,{"b/c":1e400}]}}}
           legacy 4 tools/call {"name":"swallow","arguments":{"value":{"a":["\udc00"]}}}
           legacy 5 tools/call {"name":"echo","arguments":{"value":[-1e999]}}
           legacy 6 tools/call {"name":"swallow","arguments":{"\ud800":1}}
           modern 7 tools/call {"name":"swallow","arguments":{"text":"\ud800x","number":"1","value":[1e400]}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Invalid arguments for `swallow`:\n- /text: unexpected end of hex escape"}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Invalid arguments for `swallow`:\n- /number: number out of range"}],"isError":true}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Invalid arguments for `swallow`:\n- /value/a/1/b~1c: number out of range"}],"isError":true}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"Invalid arguments for `swallow`:\n- /value/a/0: lone leading surrogate in hex escape"}],"isError":true}}
            {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"Invalid arguments for `echo`:\n- /value/0: number out of range"}],"isError":true}}
            {"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"Invalid arguments for `swallow`:\n- /\\ud800: unknown, known are `text`, `number`, `value`"}],"isError":true}}
            {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[{"type":"text","text":"Invalid arguments for `swallow`:\n- /number: expected number, got string \"1\": write 1 without quotes\n- /text: unexpected end of hex escape\n- /value/0: number out of range"}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn five_thousand_levels_are_answered() {
    for (tool, argument) in
        [("swallow", "value"), ("swallow", "text"), ("echo", "value"), ("nothing", "x")]
    {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(5_000), close.repeat(5_000));
            let mut world = World::new();
            let answer = world.play(&format!(
                r#"legacy 1 tools/call {{"name":"{tool}","arguments":{{"{argument}":{deep}}}}}"#
            ));
            assert!(answer.contains(r#""isError":true"#), "{answer}");
            assert!(answer.contains(&format!("/{argument}")), "{answer}");
            assert_eq!(
                world.play("legacy 2 ping"),
                "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n"
            );
        }
    }
}

/// Nothing has read the value before its end is found to be no JSON.
#[test]
fn five_thousand_levels_around_no_json_are_answered() {
    for (tool, argument, is_layered) in [
        ("mirror", "point", false),
        ("swallow", "value", false),
        ("echo", "value", false),
        ("dressed", "x", true),
    ] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{{\"z\":{}x{}}}", open.repeat(5_000), close.repeat(5_000));
            let pass = async |call: ToolCall, next: Next| next.run(call).await;
            let mut world = World::with(|toys| if is_layered { toys.layer(pass) } else { toys });
            let answer = world.play(&format!(
                r#"legacy 1 tools/call {{"name":"{tool}","arguments":{{"{argument}":{deep}}}}}"#
            ));
            assert!(answer.contains(r#""isError":true"#) || answer.contains("-32700"), "{answer}");
            assert!(answer.len() < 2_000, "{answer}");
        }
    }
}

#[test]
fn depth_and_odd_values_do_no_harm_where_nobody_reads_them() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let mut world = World::new();
    let pong = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    assert_eq!(
        world.play(&format!(r#"legacy 1 ping {{"deep":{deep},"big":1e400,"half":"\ud800"}}"#)),
        pong
    );
    assert_eq!(
        world.play(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","deep":{deep}}}"#)),
        pong
    );
    assert_eq!(world.play(&format!(r#"note notifications/initialized {{"deep":{deep}}}"#)), "-\n");
    let call = world.play(&format!(
        r#"legacy 1 tools/call {{"name":"nothing","_meta":{{"deep":{deep},"big":-1e400}}}}"#
    ));
    assert_eq!(call, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n");
}

#[test]
fn a_panic_is_an_error_result_and_the_session_goes_on() {
    check(
        r#"legacy 1 tools/call {"name":"fall","arguments":{"how":"loud"}}
           modern 2 tools/call {"name":"fall","arguments":{"how":"quiet"}}
           legacy 3 tools/call {"name":"trap","arguments":{"bait":1}}
           legacy 4 ping"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `fall` failed: an internal error stopped it."}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The tool `fall` failed: an internal error stopped it."}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"The tool `trap` failed: an internal error stopped it."}],"isError":true}}
            {"jsonrpc":"2.0","id":4,"result":{}}
        "#]],
    );
}

#[test]
fn names_and_keys_may_be_written_with_escapes() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools\/call","params":{"name":"\u0061dd","arguments":{"\u0061":1,"b":2}}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3"}]}}
        "#]],
    );
}

#[test]
fn white_space_between_the_parts_does_not_matter() {
    check(
        "{ \"jsonrpc\" :\t\"2.0\" , \"id\" : 1 ,\"method\": \"tools/call\" , \"params\" : { \"name\" : \"add\" , \"arguments\" : { \"a\" : 1 , \"b\" : 2 } } } \r",
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3"}]}}
        "#]],
    );
}

#[test]
fn a_call_that_takes_too_long_is_answered_once() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           modern 2 tools/call {"name":"speak","arguments":{"wait":true}}
           time out 1
           time out 2
           legacy 1 tools/call {"name":"add","arguments":{"a":1,"b":1}}
           close"#,
        expect![[r#"
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"2"}]}}
            -
        "#]],
    );
}

#[test]
fn a_call_that_ends_as_its_time_or_the_session_does_is_answered_once() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           legacy 2 tools/call {"name":"speak","arguments":{"wait":true}}
           hold 1
           time out 1
           deliver
           hold 2
           close
           deliver"#,
        expect![[r#"
            -
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true}}
            -
            -
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}
            -
        "#]],
    );
}

#[test]
fn a_step_fits_into_two_registers() {
    assert_eq!(size_of::<Call<'_>>(), size_of::<usize>());
    assert_eq!(size_of::<Step<'_>>(), 2 * size_of::<usize>());
}
