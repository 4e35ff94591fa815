//! Values of the server as parameters.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use toolwright::mcp::{Extensions, Link, Outbox, Session, Speech, Started, Step};
use toolwright::{Host, State, ToolRegistry, ToolRegistryBuilder, json, tool, tools};

use super::{now, properties};

/// Needs neither `Clone` nor `Debug` nor `Default`.
pub(crate) struct Db {
    name: &'static str,
}

pub(crate) struct Limit(u8);

type Pool = State<Db>;

#[tool]
async fn search(query: &str, db: State<Db>) -> String {
    format!("{query} in {}", db.name)
}

#[tool]
fn plain(db: &State<Db>, limit: Pool, query: String) -> String {
    format!("{query} in {} and {}", db.name, limit.name)
}

#[tool]
async fn both(_db: State<Db>, State(limit): State<Limit>) -> u8 {
    limit.0
}

#[tool]
async fn maybe(db: Option<State<Db>>) -> &'static str {
    db.map_or("none", |db| db.0.name)
}

#[tool]
async fn in_arc(db: State<Arc<Db>>) -> &'static str {
    db.name
}

trait Store: Send + Sync {
    fn name(&self) -> &'static str;
}

impl Store for Db {
    fn name(&self) -> &'static str {
        self.name
    }
}

fn db(name: &'static str) -> Db {
    Db { name }
}

#[tool]
async fn dynamic(store: State<dyn Store>, name: State<str>) -> String {
    format!("{} {}", store.name(), &*name)
}

fn builder() -> ToolRegistryBuilder {
    ToolRegistry::builder("notes")
}

fn complaints(builder: ToolRegistryBuilder) -> Vec<String> {
    builder.build().unwrap_err().complaints().to_vec()
}

fn text(registry: &ToolRegistry, name: &str) -> String {
    let takes_query = ["search", "plain"].contains(&name);
    let arguments = if takes_query { json!({"query": "x"}) } else { json!({}) };
    let result = now(registry.call(name, arguments)).unwrap();
    assert!(!result.is_error, "{}", result.to_text());
    result.to_text()
}

#[test]
fn every_tool_gets_the_same_value_and_clients_see_nothing_of_it() {
    assert_eq!(properties(search::tool()), ["query"]);
    assert_eq!(properties(plain::tool()), ["query"]);
    let registry = builder().state(db("a")).tools(tools![search, plain, maybe]).build().unwrap();
    assert_eq!(text(&registry, "search"), "x in a");
    assert_eq!(text(&registry, "plain"), "x in a and a");
    assert_eq!(text(&registry, "maybe"), "a");
}

#[test]
fn a_value_in_an_arc_is_as_good() {
    let shared = Arc::new(db("a"));
    let tools = tools![search, in_arc];
    let registry = builder().tools(tools).state(shared.clone()).build().unwrap();
    assert_eq!(text(&registry, "search"), "x in a");
    assert_eq!(text(&registry, "in_arc"), "a");
    assert_eq!(Arc::strong_count(&shared), 2, "it is not copied");
}

#[test]
fn a_value_may_be_of_any_type_that_implements_a_trait() {
    let store: Arc<dyn Store> = Arc::new(db("a"));
    let builder = builder().state(store).state(Arc::<str>::from("b"));
    let registry = builder.tools(tools![dynamic]).build().unwrap();
    assert_eq!(text(&registry, "dynamic"), "a b");
}

#[test]
fn a_unit_test_calls_the_function() {
    assert_eq!(now(search("x", State::new(db("a")))), "x in a");
    let shared = State(Arc::new(db("b")));
    assert_eq!(plain(&shared, shared.clone(), "x".into()), "x in b and b");
    assert_eq!(now(maybe(None)), "none");
    assert_eq!(format!("{:?}", State::new(7)), "State(7)");
}

#[test]
fn what_is_missing_is_told_when_the_registry_is_built() {
    assert_eq!(
        complaints(builder().tools(tools![search, plain, both, maybe])),
        [
            "tool `search`: it takes `State<it::state::Db>`, and the server has no such state; \
             give its builder one: `.state(…)`",
            "tool `plain`: it takes `State<it::state::Db>`, and the server has no such state; \
             give its builder one: `.state(…)`",
            "tool `both`: it takes `State<it::state::Db>`, and the server has no such state; \
             give its builder one: `.state(…)`",
            "tool `both`: it takes `State<it::state::Limit>`, and the server has no such state; \
             give its builder one: `.state(…)`",
        ]
    );
    assert_eq!(complaints(builder().state(db("a")).tools(tools![both])).len(), 1);
    assert_eq!(
        complaints(builder().state(db("a")).tools(tools![in_arc])),
        [
            "tool `in_arc`: it takes `State<alloc::sync::Arc<it::state::Db>>`, and the server has no \
          such state; write `State<it::state::Db>`, which needs no `Arc`"
        ]
    );
}

#[test]
fn what_is_missing_is_told_when_a_tool_is_added() {
    let registry = builder().state(db("a")).build().unwrap();
    registry.add(search::tool()).unwrap();
    let complaint = registry.add(both::tool()).unwrap_err().to_string();
    assert!(complaint.contains("`State<it::state::Limit>`"), "{complaint}");
    assert_eq!(registry.tools().len(), 1);
}

#[test]
fn there_is_one_state_of_each_type() {
    let twice = "there is more than one state of `it::state::Db`";
    assert_eq!(complaints(builder().state(db("a")).state(Limit(1)).state(db("b"))), [twice]);
    assert_eq!(complaints(builder().state(Arc::new(db("a"))).state(db("b"))), [twice]);
    assert_eq!(
        complaints(builder().state(db("a")).state(Arc::new(db("b")))),
        ["there is more than one state of `alloc::sync::Arc<it::state::Db>`"]
    );
}

struct Nobody;

impl Link for Nobody {
    fn speak(&self, _: Speech<'_>) {}
}

/// What a call of `name` in this session gives.
fn answer(session: &mut Session, name: &str, of_call: Option<Db>) -> String {
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{{}}}}}}"#
    );
    let mut out = Outbox::new();
    let Step::Call(mut call) = session.receive(line.as_bytes(), &mut out) else { panic!() };
    of_call.map(|db| call.extensions_mut().insert(db));
    let done = match call.start() {
        Started::Run(run) => now(run),
        Started::Done(done) => done,
        _ => panic!(),
    };
    session.finish(done, &mut out);
    String::from_utf8(out.take(Vec::new())).unwrap()
}

#[tool]
async fn name(db: State<Db>) -> &'static str {
    db.name
}

#[test]
fn the_value_of_a_session_or_a_call_takes_the_place_of_the_servers() {
    let registry = builder().state(Arc::new(db("server"))).tools(tools![name, maybe]).build();
    let registry = registry.unwrap();
    let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    assert!(answer(&mut session, "name", None).contains(r#""server""#));
    session.extensions_mut().insert(db("session"));
    assert!(answer(&mut session, "name", None).contains(r#""session""#));
    assert!(answer(&mut session, "maybe", None).contains(r#""session""#));
    assert!(answer(&mut session, "name", Some(db("call"))).contains(r#""call""#));
    session.extensions_mut().insert(Arc::new(db("unused")));
    assert!(answer(&mut session, "name", None).contains(r#""session""#));
}

#[test]
fn a_session_that_loses_the_servers_values_answers_all_the_same() {
    let registry = builder().state(db("server")).tools(tools![name, maybe]).build().unwrap();
    let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    *session.extensions_mut() = Extensions::default();
    assert!(answer(&mut session, "name", None).contains("an internal error stopped it"));
    assert!(answer(&mut session, "maybe", None).contains(r#""none""#));
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tool]
async fn keep(counted: State<Counted>) -> String {
    format!("{}", counted.0.0.load(Ordering::Relaxed))
}

#[test]
fn the_value_is_dropped_with_the_last_registry_session_and_call() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let builder = builder().state(Counted(dropped.clone()));
    let registry = builder.tools(tools![keep]).build().unwrap();
    let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keep"}}"#;
    let Step::Call(call) = session.receive(line, &mut Outbox::new()) else { panic!() };
    let Started::Run(run) = call.start() else { panic!() };
    drop(registry.clone());
    drop(registry);
    drop(session);
    assert_eq!(dropped.load(Ordering::Relaxed), 0);
    drop(run);
    assert_eq!(dropped.load(Ordering::Relaxed), 1);
}
