//! A kind of call that the core does not have: shows how to add one.

use std::future::Future;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use toolwright::mcp::{BadArguments, Host, Link, Outbox, Run, Session, Speech, Started, Work};
use toolwright::{CancelToken, ToolRegistry};

use super::harness::request;
use crate::mcp::call::{Begun, CallResult, Decoder, Ended, Failure, Outcome, Reply, Subject};
use crate::mcp::context::{Asking, Caller};
use crate::mcp::protocol::{ErrorObject, Message, Profile, Revision};

/// Something to be guessed.
#[derive(Debug)]
struct Riddle;

/// How a riddle is solved.
struct Solver;

#[derive(Debug)]
struct Solution(&'static str);

impl Subject for Riddle {
    fn name(&self) -> &str {
        "sphinx"
    }

    fn timeout(&self) -> Option<Duration> {
        Some(Duration::from_secs(1))
    }

    /// Unlike a tool it fails with protocol errors.
    fn failure(&self, failure: Failure<'_>) -> CallResult {
        Err(ErrorObject::invalid_params(format!("the riddle has no solution: {failure:?}")).into())
    }
}

impl Decoder for Solver {
    fn subject(&self) -> &dyn Subject {
        &Riddle
    }

    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let context = Some(caller.context());
        let outcome = match arguments {
            Some(r#"{"legs":4}"#) => Outcome::Complete(Box::new(Solution("a child"))),
            Some(r#"{"legs":2}"#) => Outcome::InputRequired(r#""requestState":"s""#.to_owned()),
            Some(r#"{"legs":3}"#) => Outcome::Task(r#""taskId":"t""#.to_owned()),
            Some(_) => panic!("a riddle without legs"),
            None => return Ok(Begun { work: Work(Box::pin(std::future::pending())), context }),
        };
        Ok(Begun { work: Work(Box::pin(async { Ended(Ok(outcome)) })), context })
    }
}

impl Reply for Solution {
    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        let key = if profile.has_handshake { "answer" } else { "solution" };
        out.extend_from_slice(format!("\"{key}\":\"{}\"", self.0).as_bytes());
    }
}

struct Nobody;

impl Link for Nobody {
    fn speak(&self, _: Speech<'_>) {}
}

struct Scene {
    session: Session,
    out: Outbox,
}

impl Scene {
    fn new() -> Self {
        let registry = ToolRegistry::builder("toy").version("1").build().unwrap();
        let session = Session::new(&registry, Host::InProcess, std::sync::Weak::<Nobody>::new());
        Self { session, out: Outbox::labelled() }
    }

    /// Begins a call the way a method's handler in the session does.
    fn begin(&mut self, id: u32, params: &str, is_modern: bool) -> Started {
        let line = request(&format!("{id} riddles/solve {params}"), is_modern);
        let Message::Request(request) = Message::read(&line) else { panic!("{line}") };
        let revision = if is_modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
        let call = {
            let arguments = request.params.arguments;
            let asking = Asking::of(&request, "riddles/solve", "", arguments);
            self.session.begin(&request, revision, asking, Arc::new(Riddle), Arc::new(Solver))
        };
        call.unwrap().start()
    }

    fn run(&mut self, id: u32, params: &str, is_modern: bool) -> Run {
        match self.begin(id, params, is_modern) {
            Started::Run(run) => run,
            Started::Done(done) => panic!("{done:?}"),
        }
    }

    /// Solves a riddle to the end; returns what the client reads.
    fn solve(&mut self, id: u32, params: &str, is_modern: bool) -> String {
        let mut context = std::task::Context::from_waker(Waker::noop());
        let done = match self.begin(id, params, is_modern) {
            Started::Done(done) => done,
            Started::Run(mut run) => match std::pin::Pin::new(&mut run).poll(&mut context) {
                std::task::Poll::Ready(done) => done,
                std::task::Poll::Pending => panic!("it waits"),
            },
        };
        self.session.finish(done, &mut self.out);
        self.said()
    }

    fn said(&mut self) -> String {
        String::from_utf8(self.out.take(Vec::new())).unwrap()
    }
}

#[test]
fn another_kind_of_call_has_its_own_results_in_each_revision() {
    let mut scene = Scene::new();
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"answer":"a child"}}
    "#]]
    .assert_eq(&scene.solve(1, r#"{"arguments":{"legs":4}}"#, false));
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","solution":"a child","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
    "#]]
    .assert_eq(&scene.solve(2, r#"{"arguments":{"legs":4}}"#, true));
}

#[test]
fn a_call_may_need_input_or_become_a_task() {
    let mut scene = Scene::new();
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","requestState":"s","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
    "#]]
    .assert_eq(&scene.solve(1, r#"{"arguments":{"legs":2}}"#, true));
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"t","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
    "#]]
    .assert_eq(&scene.solve(2, r#"{"arguments":{"legs":3}}"#, true));
}

#[test]
fn another_kind_of_call_fails_in_its_own_way() {
    let mut scene = Scene::new();
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the riddle has no solution: Panicked"}}
    "#]]
    .assert_eq(&scene.solve(1, r#"{"arguments":{"legs":0}}"#, false));
    let run = scene.run(2, "{}", false);
    assert_eq!(run.timeout(), Some(Duration::from_secs(1)));
    scene.session.time_out(run.id(), &mut scene.out);
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the riddle has no solution: TimedOut"}}
    "#]]
    .assert_eq(&scene.said());
    let _run = scene.run(3, "{}", true);
    scene.session.close(&mut scene.out);
    expect_test::expect![[r#"
        {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"the riddle has no solution: ShutDown"}}
    "#]]
    .assert_eq(&scene.said());
}

#[test]
fn another_kind_of_call_is_cancelled_like_any_other() {
    let mut scene = Scene::new();
    let run = scene.run(1, "{}", false);
    let token: CancelToken = run.cancel_token().unwrap().clone();
    let cancelled =
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let step = scene.session.receive(cancelled, &mut scene.out);
    assert!(matches!(step, toolwright::mcp::Step::Cancel(call) if *call == *run.id()));
    assert!(!token.is_cancelled());
    drop(run);
    assert!(token.is_cancelled());
    assert_eq!((scene.session.running(), scene.said()), (0, String::new()));
}
