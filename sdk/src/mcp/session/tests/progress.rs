//! Progress of running calls.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};

use expect_test::expect;
use toolwright::ToolRegistry;
use toolwright::mcp::{Host, Link, Outbox, Session, Speech, Started, Step};

use super::harness::{check, request};
use super::toys::{self, Toys};

#[test]
fn the_token_comes_back_as_it_went() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{"progressToken":7}}
           modern 2 tools/call {"name":"speak","arguments":{"progress":[1]},"_meta":{"progressToken":"7"}}
           legacy 3 tools/call {"name":"speak","arguments":{"progress":[0]},"_meta":{"progressToken":"\u00e9\"\\"}}
           legacy 4 tools/call {"name":"speak","arguments":{"progress":[0]},"_meta":{"progressToken":-9007199254740993}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0.5,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"7","progress":1.0,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"\u00e9\"\\","progress":0.0,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":-9007199254740993,"progress":0.0,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn without_a_token_nothing_is_sent() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"progress":[0.5]}}
           legacy 2 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{}}
           legacy 3 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{"progressToken":null}}
           modern 4 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{"progressToken":{"a":1}}}
           modern 5 tools/call {"name":"speak","arguments":{"progress":[0.5]}}
           legacy 6 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{"progressToken":1.5}}
           legacy 7 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{"progressToken":true}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn progress_must_grow_and_be_a_number() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"progress":[0.25,0.25,0.1,0.5,"later",0.75]},"_meta":{"progressToken":1}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.25,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.75,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn progress_of_a_waiting_call_comes_before_its_answer_and_never_after() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"progress":[0.5],"wait":true},"_meta":{"progressToken":"t"}}
           speak
           finish 1
           modern 2 tools/call {"name":"speak","arguments":{"progress":[0.5]},"_meta":{"progressToken":"u"}}
           speak
           legacy 3 tools/call {"name":"speak","arguments":{"wait":true},"_meta":{"progressToken":"v"}}
           time out 3
           speak
           legacy 4 tools/call {"name":"speak","arguments":{"wait":true},"_meta":{"progressToken":"w"}}
           close
           speak"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1.0,"total":1.0,"message":"still there"}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"u","progress":0.5,"total":1.0,"message":"so far"}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            -
            -
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: it did not finish within 10s."}],"isError":true}}
            -
            -
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"The tool `speak` was stopped: the server is shutting down."}],"isError":true}}
            -
        "#]],
    );
}

#[test]
fn an_old_call_does_not_speak_for_the_new_one_with_its_id() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"wait":true},"_meta":{"progressToken":"old"}}
           note notifications/cancelled {"requestId":1}
           legacy 1 tools/call {"name":"swallow","_meta":{"progressToken":"new"}}
           legacy 1 tools/call {"name":"speak","arguments":{"wait":true},"_meta":{"progressToken":"newer"}}
           speak"#,
        expect![[r#"
            -
            -
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"None None false"}]}}
            -
            {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"newer","progress":1.0,"total":1.0,"message":"still there"}}
        "#]],
    );
}

#[test]
fn a_session_that_cannot_be_reached_answers_and_is_silent_otherwise() {
    struct Nobody;
    impl Link for Nobody {
        fn speak(&self, _: Speech<'_>) {
            unreachable!("there is nobody")
        }
    }
    let registry = ToolRegistry::builder("toy")
        .tools(toys::tools(&Arc::new(Toys::default())))
        .build()
        .unwrap();
    let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    let line = request(
        r#"1 tools/call {"name":"speak","arguments":{"progress":[1],"log":["error"]},"_meta":{"progressToken":1}}"#,
        false,
    );
    let mut out = Outbox::new();
    let Step::Call(call) = session.receive(line.as_bytes(), &mut out) else { panic!("no call") };
    let Started::Run(run) = call.start() else { panic!("no run") };
    registry.add(toys::late()).unwrap();
    let Poll::Ready(done) = pin!(run).poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it waits")
    };
    session.finish(done, &mut out);
    let answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"spoken\"}]}}\n";
    assert_eq!(String::from_utf8(out.take(Vec::new())).unwrap(), answer);
}
