//! Batches, which 2025-03-26 has.

use expect_test::expect;
use serde_json::Value;
use toolwright::mcp::{Label, Outbox};

use super::harness::{World, check_in};
use crate::mcp::link::CallId;
use crate::mcp::protocol::{RequestId, Revision};

const OPEN: &str = r#"legacy "open" initialize {"protocolVersion":"2025-03-26"}"#;

/// A server whose client has settled 2025-03-26.
pub(super) fn world() -> World {
    let mut world = World::new();
    world.play(OPEN);
    world
}

fn request(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

pub(super) fn ping(id: &str) -> String {
    request(id, "ping", "{}")
}

/// A call that waits.
pub(super) fn slow(id: &str) -> String {
    request(id, "tools/call", r#"{"name":"speak","arguments":{"wait":true}}"#)
}

pub(super) fn cancel(id: &str) -> String {
    let params = format!(r#"{{"requestId":{id}}}"#);
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#)
}

pub(super) fn batch(messages: &[String]) -> String {
    format!("[{}]", messages.join(" , "))
}

#[test]
fn the_answers_to_a_batch_are_one_array() {
    check_in(
        world(),
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"2","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}]
           [ {"jsonrpc":"2.0","method":"notifications/initialized"} , {"jsonrpc":"2.0","id":3,"method":"no/such"}, {"jsonrpc":"2.0","id":4,"result":{}} ]
           [{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":4,"result":{}}]
           [{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add","arguments":{"a":"x"}}},{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no such"}}]"#,
        expect![[r#"
            [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"2","result":{"content":[{"type":"text","text":"3"}]}}]
            [{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found: no/such"}}]
            -
            [{"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"Unknown tool: no such. There are: add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show, echo, speak, whoami, dressed"}},{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"Invalid arguments for `add`:\n- /a: expected number, got string \"x\"\n- /b: missing, expected number"}],"isError":true}}]
        "#]],
    );
}

#[test]
fn a_slow_call_of_a_batch_holds_up_the_array_and_nothing_else() {
    let mut world = world();
    let mixed = batch(&[slow("1"), ping("2"), slow("3")]);
    check_in_place(
        &mut world,
        &format!("{mixed}\nlegacy 4 ping\nfinish 3\nlegacy 5 ping\nfinish 1"),
        expect![[r#"
            -
            {"jsonrpc":"2.0","id":4,"result":{}}
            -
            {"jsonrpc":"2.0","id":5,"result":{}}
            [{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"spoken"}]}},{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}]
        "#]],
    );
}

fn check_in_place(world: &mut World, script: &str, expected: expect_test::Expect) {
    expected.assert_eq(&world.play(script));
}

#[test]
fn batches_that_are_none_are_refused() {
    check_in(
        world(),
        r#"[]
           [1,2]
           [[],{},null,{"jsonrpc":"2.0","id":null,"method":"ping"}]
           [{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}},{"jsonrpc":"2.0","id":2,"method":"ping"}]
           [{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}]
           [{"id":4,"method":"ping"},{"method":"ping"}]"#,
        expect![[r#"
            {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: the batch is empty"}}
            [{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: a message must be an object"}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: a message must be an object"}}]
            [{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: a message must be an object"}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: `jsonrpc` must be \"2.0\""}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: a message must be an object"}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: `id` must be a string or an integer"}}]
            [{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: `initialize` must not be part of a batch"}},{"jsonrpc":"2.0","id":2,"result":{}}]
            [{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Invalid request: the revision of this request has no batches"}}]
            [{"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"Invalid request: `jsonrpc` must be \"2.0\""}},{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: `jsonrpc` must be \"2.0\""}}]
        "#]],
    );
    let many =
        |count: usize| batch(&(0..count).map(|id| ping(&id.to_string())).collect::<Vec<_>>());
    let answers: Value = serde_json::from_str(&world().line(many(1_000).as_bytes())[0]).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 1_000);
    assert_eq!(
        world().line(many(1_001).as_bytes()),
        [
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: the batch has more than 1,000 messages"}}"#
        ]
    );
    assert_eq!(
        world().too_long(b"[{\"jsonrpc\":\"2.0\",\"id\":1", b"}]"),
        [
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request: the line has 70000000 bytes, which is more than this server reads"}}"#
        ]
    );
}

#[test]
fn of_a_broken_batch_no_message_takes_effect() {
    let mut world = world();
    for broken in ["[", "[{}", "[{},]", "[{} {}]", "[tru]", "[1] x"] {
        assert_eq!(world.line(broken.as_bytes()), [""; 0], "{broken}");
    }
    let broken = format!("[{},{{\"a\":tru}}]", slow("1"));
    assert_eq!(world.line(broken.as_bytes()), [""; 0]);
    assert_eq!(world.running(), 0);
}

#[test]
fn other_revisions_have_no_batches() {
    let both = batch(&[slow("1"), ping("2")]);
    for version in ["2024-11-05", "2025-06-18"] {
        let mut world = World::new();
        world.play(&format!(r#"legacy 0 initialize {{"protocolVersion":"{version}"}}"#));
        assert_eq!(world.line(both.as_bytes()), [""; 0]);
        assert_eq!(world.running(), 0);
    }
    let mut world = World::new();
    let refusal = |version| {
        format!(
            r#"{{"jsonrpc":"2.0","error":{{"code":-32600,"message":"Invalid request: MCP {version} has no batches of messages"}}}}"#
        )
    };
    assert_eq!(world.line(both.as_bytes()), [refusal("2025-11-25")]);
    let mut world = World::with(|builder| builder.eras(toolwright::Eras::Modern));
    assert_eq!(world.line(both.as_bytes()), [refusal("2026-07-28")]);
    assert_eq!(world.running(), 0);
}

#[test]
fn a_cancelled_call_of_a_batch_has_no_answer() {
    let mut world = world();
    let two = batch(&[slow("1"), slow("2"), ping("3")]);
    let script = format!("{two}\n{}\nfinish 2", cancel("1"));
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        -
        -
        [{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"spoken"}]}}]
    "#]],
    );
    // Nothing is left to be answered.
    let script = format!("{}\n{}\n{}", batch(&[slow("1"), slow("2")]), cancel("1"), cancel("2"));
    assert_eq!(world.play(&script), "-\n-\n-\n");
    // Without a call the array waits for nothing.
    let script = format!("{}\n{}\nlegacy 4 ping", batch(&[slow("1"), ping("2")]), cancel("1"));
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        -
        [{"jsonrpc":"2.0","id":2,"result":{}}]
        {"jsonrpc":"2.0","id":4,"result":{}}
    "#]],
    );
    // Of the same batch, and of an earlier line.
    let script = format!("{}\nfinish 1", batch(&[slow("1"), cancel("1"), ping("2")]));
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        [{"jsonrpc":"2.0","id":2,"result":{}}]
        -
    "#]],
    );
    let script = format!("{}\n{}\nfinish 1", slow("1"), batch(&[cancel("1"), slow("1")]));
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        -
        -
        [{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}]
    "#]],
    );
    assert_eq!((world.running(), world.ledger.open()), (0, vec![]));
}

#[test]
fn time_outs_and_the_end_answer_a_batch_as_they_answer_calls() {
    let mut world = world();
    let script = format!(
        "{}\ntime out 1\nhold 2\nlegacy 2 ping\ntime out 2\ndeliver",
        batch(&[slow("1"), slow("2")])
    );
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        -
        -
        -
        {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}}
        [{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true}},{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true}}]
        -
    "#]],
    );
    let script =
        format!("{}\n{}\nclose", batch(&[slow("1"), ping("2"), slow("3")]), batch(&[slow("4")]));
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        -
        -
        [{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}},{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}]
        [{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}]
    "#]],
    );
}

#[test]
fn an_answer_goes_to_the_batch_of_its_own_request() {
    let mut world = world();
    // The id is in use: by a call of the batch, and by one outside.
    let script = format!(
        "{}\nlegacy 1 ping\nlegacy 2 tools/call {{\"name\":\"speak\",\"arguments\":{{\"wait\":true}}}}\n{}\nfinish 2\nfinish 1",
        batch(&[slow("1")]),
        batch(&[slow("2"), slow("1"), ping("3")]),
    );
    check_in_place(
        &mut world,
        &script,
        expect![[r#"
        -
        {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}}
        -
        [{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}},{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid request: a request with this id is still being answered"}},{"jsonrpc":"2.0","id":3,"result":{}}]
        {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"spoken"}]}}
        [{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}]
    "#]],
    );
}

/// The messages of a labelled outbox.
fn labels(out: &Outbox) -> Vec<(Option<(u64, bool)>, usize)> {
    let label = |(label, message): (&Label, &[u8])| match label {
        Label::Batch { number, is_last } => (Some((*number, *is_last)), message.len()),
        _ => (None, message.len()),
    };
    out.messages().map(label).collect()
}

#[test]
fn answers_that_wait_for_others_are_bounded() {
    const LARGE: usize = 6 * 1024 * 1024;
    let mut out = Outbox::labelled();
    let call = |number: u64| CallId { id: number.into(), number };
    for number in [10, 20] {
        out.begin_batch(number);
        (1..=3).for_each(|of| out.wait_for(&call(number + of)));
        out.end_batch();
    }
    let mut answer = |number: u64| {
        let call = call(number);
        out.result(&call.id, Some(&call), Revision::V2025_03_26, &mut |out| {
            out.extend_from_slice(b"\"a\":\"");
            out.resize(out.len() + LARGE, b'x');
            out.push(b'"');
        });
        let labels = labels(&out);
        out.clear();
        labels
    };
    assert_eq!(answer(11), []);
    assert_eq!(answer(21), []);
    let early = answer(12);
    assert_eq!(early[0].0, Some((10, false)));
    assert!(early[0].1 > 2 * LARGE);
    assert_eq!(answer(22), []);
    assert_eq!(answer(13)[0].0, Some((10, true)));
    assert_eq!(answer(23)[0].0, Some((20, true)));
    out.begin_batch(30);
    out.end_batch();
    assert_eq!(labels(&out), []);
}

/// No line is taken before the answers to the last one can be sent, so nothing else bounds them.
#[test]
fn answers_that_wait_for_no_call_are_bounded_too() {
    const LARGE: usize = 6 * 1024 * 1024;
    let mut out = Outbox::labelled();
    for batch in 0..2 {
        out.begin_batch(batch);
        for id in 0..10 {
            out.result(&RequestId::from(id), None, Revision::V2025_03_26, &mut |out| {
                out.extend_from_slice(b"\"a\":\"");
                out.resize(out.len() + LARGE, b'x');
                out.push(b'"');
            });
        }
        out.end_batch();
        let length = out.len();
        let arrays = String::from_utf8(out.take(Vec::new())).unwrap();
        assert!(length < 4 * LARGE, "{length}");
        let arrays: Vec<Vec<Value>> =
            arrays.lines().map(|array| serde_json::from_str(array).unwrap()).collect();
        let answers = Vec::from_iter(arrays.iter().flatten());
        let are_errors = answers.iter().map(|answer| answer["error"]["code"] == -32603);
        assert_eq!(Vec::from_iter(are_errors), [[false; 3].as_slice(), &[true; 7]].concat());
    }
}
