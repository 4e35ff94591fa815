//! `notifications/cancelled`, and ids that are used again.

use std::sync::atomic::Ordering;

use expect_test::expect;

use super::harness::{World, check};

#[test]
fn a_cancelled_call_is_never_answered() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           modern "a" tools/call {"name":"speak","arguments":{"wait":true}}
           note notifications/cancelled {"requestId":1,"reason":"changed my mind"}
           note notifications/cancelled {"requestId":"a"}
           finish 1
           finish "a"
           speak
           close"#,
        expect![[r#"
            -
            -
            -
            -
            -
            -
            -
            -
        "#]],
    );
}

#[test]
fn a_cancellation_that_names_no_running_call_is_ignored() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           legacy 2 tools/call {"name":"nothing"}
           note notifications/cancelled {"requestId":2}
           note notifications/cancelled {"requestId":99}
           note notifications/cancelled {"requestId":"1"}
           note notifications/cancelled {"requestId":null}
           note notifications/cancelled {"requestId":[1]}
           note notifications/cancelled {"requestId":{"id":1}}
           note notifications/cancelled {"reason":"none"}
           note notifications/cancelled null
           note notifications/cancelled [1]
           {"jsonrpc":"2.0","method":"notifications/cancelled"}
           finish 1"#,
        expect![[r#"
            -
            {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
            -
            -
            -
            -
            -
            -
            -
            -
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn what_an_old_call_came_to_does_not_answer_the_new_one_with_its_id() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           hold 1
           note notifications/cancelled {"requestId":1}
           modern 1 tools/call {"name":"speak","arguments":{"wait":true}}
           deliver
           finish 1
           deliver"#,
        expect![[r#"
            -
            -
            -
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            -
        "#]],
    );
}

/// The new call is not the newest one any more.
#[test]
fn nor_does_it_when_others_have_come_since() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           hold 1
           note notifications/cancelled {"requestId":1}
           legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           legacy 2 tools/call {"name":"speak","arguments":{"wait":true}}
           deliver
           finish 1"#,
        expect![[r#"
            -
            -
            -
            -
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn an_id_is_free_once_it_is_answered_or_cancelled() {
    check(
        r#"legacy 1 tools/call {"name":"nothing"}
           legacy 1 ping
           legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           note notifications/cancelled {"requestId":1}
           legacy 1 ping
           modern 1 subscriptions/listen {"notifications":{}}
           note notifications/cancelled {"requestId":1}
           legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           time out 1
           legacy 1 ping"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[]}}
            {"jsonrpc":"2.0","id":1,"result":{}}
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true}}
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
}

#[test]
fn an_id_that_is_in_use_is_refused() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true}}
           legacy 2 tools/call {"name":"speak","arguments":{"wait":true}}
           modern 3 subscriptions/listen {"notifications":{}}
           legacy 1 tools/call {"name":"nothing"}
           modern 2 tools/call {"name":"nothing"}
           legacy 1 ping
           modern 3 server/discover
           legacy "1" ping
           finish 1
           finish 2
           legacy 1 ping"#,
        expect![[r#"
            -
            -
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}
            {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}}
            {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}}
            {"jsonrpc":"2.0","id":"1","result":{}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
}

#[test]
fn the_tool_of_a_cancelled_call_is_dropped_and_told() {
    let mut world = World::new();
    let call = |id: u8| {
        format!(r#"legacy {id} tools/call {{"name":"speak","arguments":{{"wait":true}}}}"#)
    };
    let dropped = |world: &World| world.toys.dropped.load(Ordering::Relaxed);
    let told = |world: &World| {
        world.toys.kept.lock().unwrap().iter().map(|cx| cx.is_cancelled()).collect::<Vec<_>>()
    };
    world.play(&call(1));
    world.play(&call(2));
    assert_eq!((dropped(&world), told(&world)), (0, vec![false, false]));
    world.play(r#"note notifications/cancelled {"requestId":1}"#);
    assert_eq!((dropped(&world), told(&world)), (1, vec![true, false]));
    world.play("finish 2");
    assert_eq!(
        (dropped(&world), told(&world)),
        (2, vec![true, false]),
        "a call that ends is not cancelled"
    );
}

#[test]
fn a_host_can_cancel_a_call_itself() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true},"_meta":{"progressToken":1}}
           legacy 2 tools/call {"name":"speak","arguments":{"wait":true},"_meta":{"progressToken":2}}
           cancel 1
           speak
           legacy 1 ping
           close"#,
        expect![[r#"
            -
            -
            -
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1.0,"total":1.0,"message":"still there"}}
            {"jsonrpc":"2.0","id":1,"result":{}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}
        "#]],
    );
}

#[test]
fn a_tool_that_falls_when_it_is_dropped_does_no_harm() {
    check(
        r#"legacy 1 tools/call {"name":"cling"}
           note notifications/cancelled {"requestId":1}
           legacy 1 ping"#,
        expect![[r#"
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
}

#[test]
fn a_handshake_cannot_be_cancelled() {
    check(
        r#"legacy 0 initialize {"protocolVersion":"2025-11-25"}
           note notifications/cancelled {"requestId":0}
           legacy 1 ping"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            -
            {"jsonrpc":"2.0","id":1,"result":{}}
        "#]],
    );
}
