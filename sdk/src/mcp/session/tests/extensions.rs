//! Values of the server, the session and the call, found through the context.

use std::future::Future;
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll, Waker};

use serde_json::{Value, json};
use toolwright::mcp::{Host, Link, Outbox, Session, Speech, Started, Step};
use toolwright::{Context, Tool, ToolRegistry};

use super::harness::{World, request};
use super::toys::Toys;

#[derive(Debug)]
#[allow(dead_code, reason = "it is there to be told")]
struct Server(&'static str);
#[derive(Debug)]
#[allow(dead_code, reason = "it is there to be told")]
struct Principal(&'static str);

struct Nobody;

impl Link for Nobody {
    fn speak(&self, _: Speech<'_>) {}
}

/// Returns the values that it finds.
fn registry() -> ToolRegistry {
    let tell = Tool::new("tell", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        format!("{:?} {:?}", cx.extension::<Server>(), cx.extension::<Principal>())
    });
    ToolRegistry::builder("toy").extension(Server("toy")).tool(tell).build().unwrap()
}

fn told(session: &mut Session, change: impl FnOnce(&mut toolwright::mcp::Call<'_>)) -> String {
    let line = request(r#"1 tools/call {"name":"tell"}"#, false);
    let mut out = Outbox::new();
    let Step::Call(mut call) = session.receive(line.as_bytes(), &mut out) else { panic!() };
    change(&mut call);
    let Started::Run(run) = call.start() else { panic!() };
    let mut context = TaskContext::from_waker(Waker::noop());
    let Poll::Ready(done) = std::pin::pin!(run).poll(&mut context) else { panic!() };
    session.finish(done, &mut out);
    let answer: Value = serde_json::from_slice(&out.take(Vec::new())).unwrap();
    answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_innermost_value_of_a_type_is_found() {
    let registry = registry();
    let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    assert_eq!(told(&mut session, |_| {}), r#"Some(Server("toy")) None"#);
    session.extensions_mut().insert(Principal("of the session"));
    assert_eq!(
        told(&mut session, |_| {}),
        r#"Some(Server("toy")) Some(Principal("of the session"))"#
    );
    let of_call = |call: &mut toolwright::mcp::Call<'_>| {
        call.extensions_mut().insert(Principal("of the call"));
    };
    assert_eq!(
        told(&mut session, of_call),
        r#"Some(Server("toy")) Some(Principal("of the call"))"#
    );
    assert!(told(&mut session, |_| {}).contains("of the session"), "the call's went with it");
    let mut other = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    assert_eq!(told(&mut other, |_| {}), r#"Some(Server("toy")) None"#);
}

#[test]
fn a_call_without_a_client_finds_those_of_the_server() {
    let registry = registry();
    let call = std::pin::pin!(registry.call("tell", json!({})));
    let mut context = TaskContext::from_waker(Waker::noop());
    let Poll::Ready(result) = call.poll(&mut context) else { panic!("it waits") };
    assert_eq!(result.unwrap().to_text(), r#"Some(Server("toy")) None"#);
}

#[test]
fn the_clients_capabilities_come_from_the_handshake_or_the_request() {
    let tell = Tool::new("tell", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        json!(cx.client_capabilities()).to_string()
    });
    let registry = ToolRegistry::builder("toy").version("1").tool(tell).build().unwrap();
    let mut world = World::serving(registry, Arc::new(Toys::default()));
    let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"roots":{}}}"#;
    let script = format!(
        r#"legacy 1 tools/call {{"name":"tell"}}
           legacy 2 initialize {{"protocolVersion":"2025-11-25","capabilities":{{"sampling":{{}}}},"clientInfo":{{"name":"c","version":"1"}}}}
           legacy 3 tools/call {{"name":"tell"}}
           {{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{{"name":"tell","_meta":{meta}}}}}"#
    );
    let said = world.play(&script);
    let texts: Vec<_> = said
        .lines()
        .filter_map(|line| line.split(r#""text":""#).nth(1)?.split("\"}]").next())
        .collect();
    assert_eq!(texts, ["{}", r#"{\"sampling\":{}}"#, r#"{\"roots\":{}}"#]);
}
