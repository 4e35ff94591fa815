mod greeted;
mod stuffed;

use std::fs::File;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, oneshot};
use toolwright::host::{Limits, Received};
use toolwright::{Context, Tool, Value, data, json, tool};

use super::*;

fn limited(to: impl FnOnce(&mut Limits)) -> Options {
    let mut options = Options::default();
    to(&mut options.limits);
    options
}

/// Serves a tool on a thread of its own; returns the client's ends of the pipes.
fn serve(tool: Tool, options: Options) -> (PipeWriter, BufReader<PipeReader>) {
    let (input, to_server) = pipe().unwrap();
    let (from_server, output) = pipe().unwrap();
    let wire = Wire { input: input.into(), output: output.into() };
    let registry = ToolRegistry::builder("toy").tool(tool).build().unwrap();
    thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let server = Server::start(&registry, options, wire, Handle::current()).unwrap();
            server.run(std::future::pending()).await;
        });
    });
    (to_server, BufReader::new(from_server))
}

fn call(tool: &str, id: usize) -> String {
    let params = format!(r#"{{"name":"{tool}","arguments":{{"x":1}}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#) + "\n"
}

#[tool]
async fn rest(x: u64) -> u64 {
    tokio::time::sleep(Duration::from_micros(x)).await;
    x
}

#[test]
fn calls_that_come_at_once_wait() {
    let options = limited(|to| (to.max_running, to.max_waiting_calls) = (1, 200));
    let (mut input, output) = serve(rest::tool(), options);
    let calls: String = (0..200).map(|id| call("rest", id)).collect();
    input.write_all(calls.as_bytes()).unwrap();
    for answer in output.lines().take(200).map(Result::unwrap) {
        assert!(answer.contains(r#""text":"1""#), "{answer}");
    }
}

static GATE: Semaphore = Semaphore::const_new(0);

#[tool]
async fn held(x: u64) -> u64 {
    GATE.acquire().await.unwrap().forget();
    x
}

#[test]
fn calls_that_are_too_many_to_wait_are_refused_and_reading_goes_on() {
    let options = limited(|to| (to.max_running, to.max_waiting_calls) = (1, 2));
    let (mut input, output) = serve(held::tool(), options);
    let calls: String = (0..5).map(|id| call("held", id)).collect();
    input.write_all(calls.as_bytes()).unwrap();
    let mut answers = output.lines().map(Result::unwrap);
    for refused in answers.by_ref().take(2) {
        assert!(refused.contains("too many calls wait already"), "{refused}");
    }
    GATE.add_permits(3);
    for answer in answers.take(3) {
        assert!(answer.contains(r#""text":"1""#), "{answer}");
    }
}

static DECODED: AtomicUsize = AtomicUsize::new(0);
static MOST_DECODED: AtomicUsize = AtomicUsize::new(0);

/// A type that takes long to decode.
struct Slow;

impl<'de> Deserialize<'de> for Slow {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer)?;
        let now = DECODED.fetch_add(1, Ordering::SeqCst) + 1;
        MOST_DECODED.fetch_max(now, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(60));
        DECODED.fetch_sub(1, Ordering::SeqCst);
        Ok(Self)
    }
}

#[test]
fn decoders_that_hold_up_readers_cost_a_bounded_number_of_threads() {
    let slow = Tool::new("slow", "", json!({"type": "object"}), async |_: Slow, _: Context| 1);
    let (mut input, output) = serve(slow, limited(|to| to.sync_threads = 2));
    let calls: String = (0..20).map(|id| call("slow", id)).collect();
    input.write_all(calls.as_bytes()).unwrap();
    assert_eq!(output.lines().take(20).map(Result::unwrap).count(), 20);
    let most = MOST_DECODED.load(Ordering::SeqCst);
    assert!((2..=3).contains(&most), "{most}");
}

/// The ping has its answer, which [`Refused`] waits for.
static IS_ANSWERED: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());
static WAS_READ: AtomicBool = AtomicBool::new(false);

/// A type that refuses every array, and waits when it is read again to describe the problem.
#[data]
#[serde(try_from = "Value")]
struct Refused(Value);

impl TryFrom<Value> for Refused {
    type Error = &'static str;

    fn try_from(value: Value) -> Result<Self, &'static str> {
        if WAS_READ.swap(true, Ordering::SeqCst) {
            let (is_answered, changed) = &IS_ANSWERED;
            let limit = Duration::from_secs(60);
            let is_answered = is_answered.lock().unwrap();
            drop(changed.wait_timeout_while(is_answered, limit, |is_answered| !*is_answered));
        }
        if value.is_array() { Err("never") } else { Ok(Self(value)) }
    }
}

#[tool]
fn refused(x: Refused) -> bool {
    x.0.is_null()
}

#[test]
fn a_ping_is_answered_while_the_problems_of_large_arguments_are_described() {
    let (mut input, output) = serve(refused::tool(), Options::default());
    let siblings = "[[1]],".repeat(4_000);
    let nested = format!("{}1{}", "[1,".repeat(100), format!(",{siblings}1]").repeat(100));
    let call = call("refused", 1).replace(r#""x":1"#, &format!(r#""x":{nested}"#));
    assert!(call.len() > 2 << 20);
    input.write_all(call.as_bytes()).unwrap();
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n").unwrap();
    let mut lines = output.lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), r#"{"jsonrpc":"2.0","id":2,"result":{}}"#);
    *IS_ANSWERED.0.lock().unwrap() = true;
    IS_ANSWERED.1.notify_all();
    let answer = lines.next().unwrap();
    assert!(answer.contains(r"/x: never\n- too large to check every part of it"), "{answer}");
}

#[tool]
async fn long(x: usize) -> String {
    "x".repeat(x << 24)
}

#[test]
fn a_server_whose_client_still_reads_can_be_told_to_end() {
    const GRACE: Duration = Duration::from_secs(60);
    let (input, mut to_server) = pipe().unwrap();
    let (mut from_server, output) = pipe().unwrap();
    let wire = Wire { input: input.into(), output: output.into() };
    let registry = ToolRegistry::builder("toy").tool(long::tool()).build().unwrap();
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let options = Options { grace: GRACE, ..Options::default() };
        let server = Server::start(&registry, options, wire, Handle::current()).unwrap();
        let (runner, output) = (server.runner.clone(), server.output.clone());
        let (tell, told) = oneshot::channel();
        let mut run = pin!(server.run(async { told.await.unwrap_or(()) }));
        let mut is_done =
            async || poll_fn(|cx| Poll::Ready(run.as_mut().poll(cx).is_ready())).await;
        to_server.write_all(call("long", 1).as_bytes()).unwrap();
        drop(to_server);
        while !matches!(runner.receive(b"{}"), Received::Closed) {
            assert!(!is_done().await);
            thread::yield_now();
        }
        // All is answered, and the client has to read.
        tell.send(()).unwrap();
        assert!(!is_done().await);
        let writes = output.writes();
        from_server.read_exact(&mut vec![0; 1 << 20]).unwrap();
        while output.writes() == writes {
            thread::yield_now();
        }
        tokio::time::advance(GRACE).await;
        assert!(is_done().await, "it waits as long as the client reads");
    });
}

/// Serves one call of `long` over these ends, after which the client makes pauses.
fn ends_for(
    (from_server, output): (OwnedFd, OwnedFd),
    grace: Duration,
    pauses: &[Duration],
) -> bool {
    let (input, mut to_server) = pipe().unwrap();
    let wire = Wire { input: input.into(), output };
    let registry = ToolRegistry::builder("toy").tool(long::tool()).build().unwrap();
    to_server.write_all(call("long", 1).as_bytes()).unwrap();
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let options = Options { grace, ..Options::default() };
        let server = Server::start(&registry, options, wire, Handle::current()).unwrap();
        let runner = server.runner.clone();
        // The call is done once its answer begins, so the grace cannot stop it.
        let mut from_server = File::from(from_server);
        from_server.read_exact(&mut [0]).unwrap();
        drop(to_server);
        let mut run = pin!(server.run(std::future::pending()));
        let mut is_done =
            async || poll_fn(|cx| Poll::Ready(run.as_mut().poll(cx).is_ready())).await;
        while !matches!(runner.receive(b"{}"), Received::Closed) {
            assert!(!is_done().await);
            thread::yield_now();
        }
        for pause in pauses {
            tokio::time::advance(*pause).await;
            if is_done().await {
                return true;
            }
        }
        let answer = said(BufReader::new(from_server), 1).remove(0);
        let answer = format!("{{{answer}");
        assert!(answer.parse::<Value>().is_ok(), "{} bytes", answer.len());
        while !is_done().await {
            thread::yield_now();
        }
        false
    })
}

fn pipe_ends() -> (OwnedFd, OwnedFd) {
    let (from_server, output) = pipe().unwrap();
    (from_server.into(), output.into())
}

/// Between the pauses the writer may still have filled the pipe, so one of them is not enough.
#[test]
fn a_client_that_pauses_gets_all_of_an_answer() {
    let sockets = UnixStream::pair().map(|(ours, theirs)| (ours.into(), theirs.into())).unwrap();
    let second = Duration::from_secs(1);
    for (ends, grace) in [(pipe_ends(), second), (pipe_ends(), Duration::ZERO), (sockets, second)] {
        assert!(!ends_for(ends, grace, &[PATIENCE / 3; 2]), "it does not wait");
    }
}

#[test]
fn a_client_that_never_reads_is_not_waited_for_without_end() {
    assert!(ends_for(pipe_ends(), Duration::from_secs(1), &[PATIENCE; 2]), "it still waits");
}

/// The next lines of the server.
fn said(output: impl BufRead, count: usize) -> Vec<String> {
    output.lines().take(count).map(Result::unwrap).collect()
}

#[test]
fn a_line_over_the_bound_is_refused() {
    // The least bound that there is.
    let (mut input, output) = serve(rest::tool(), Options { max_line: 1, ..Options::default() });
    let long = call("rest", 7).replace(r#""x":1"#, &format!(r#""x":"{}""#, "x".repeat(70_000)));
    input.write_all(long.as_bytes()).unwrap();
    let answer = said(output, 1).remove(0);
    assert!(answer.contains(r#""id":7"#) && answer.contains("-32600"), "{answer}");
}

#[tool]
async fn hold(x: u64, text: Option<String>) -> String {
    tokio::time::sleep(Duration::from_secs(60)).await;
    format!("{x} {text:?}")
}

#[test]
fn waiting_calls_have_a_bound_in_bytes() {
    let options = limited(|to| (to.max_running, to.max_waiting) = (1, 1_000));
    let (mut input, output) = serve(hold::tool(), options);
    let text = format!(r#""x":1,"text":"{}""#, "x".repeat(2_000));
    let long = call("hold", 2).replace(r#""x":1"#, &text);
    let calls = call("hold", 1) + &long + &call("hold", 3);
    input.write_all(calls.as_bytes()).unwrap();
    let answer = said(output, 1).remove(0);
    assert!(answer.contains(r#""id":3"#) && answer.contains("too many calls wait"), "{answer}");
}

#[test]
fn a_client_is_behind_above_the_bound_of_the_options() {
    let (input, mut to_server) = pipe().unwrap();
    let (from_server, output) = pipe().unwrap();
    let wire = Wire { input: input.into(), output: output.into() };
    let registry = ToolRegistry::builder("toy").tool(long::tool()).build().unwrap();
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let _entered = runtime.enter();
    let options = Options { max_unsent: 1, ..Options::default() };
    let server = Server::start(&registry, options, wire, runtime.handle().clone()).unwrap();
    let becomes = |is_behind: bool| {
        let since = Instant::now();
        while server.output.is_behind() != is_behind {
            assert!(since.elapsed() < Duration::from_secs(60), "{is_behind}");
            thread::yield_now();
        }
    };
    to_server.write_all(call("long", 1).as_bytes()).unwrap();
    becomes(true);
    assert_eq!(said(BufReader::new(&from_server), 1).len(), 1);
    becomes(false);
}

static RUNNING: AtomicUsize = AtomicUsize::new(0);
static MOST_RUNNING: AtomicUsize = AtomicUsize::new(0);

#[tool]
fn counted(x: u64) -> u64 {
    let now = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
    MOST_RUNNING.fetch_max(now, Ordering::SeqCst);
    thread::sleep(Duration::from_millis(20));
    RUNNING.fetch_sub(1, Ordering::SeqCst);
    x
}

#[test]
fn plain_functions_run_on_so_many_threads() {
    let (mut input, output) = serve(counted::tool(), limited(|to| to.sync_threads = 2));
    let calls: String = (0..20).map(|id| call("counted", id)).collect();
    input.write_all(calls.as_bytes()).unwrap();
    assert_eq!(said(output, 20).len(), 20);
    assert_eq!(MOST_RUNNING.load(Ordering::SeqCst), 2);
}

#[test]
fn a_call_may_take_the_grace_of_the_options() {
    let (input, mut to_server) = pipe().unwrap();
    let (from_server, output) = pipe().unwrap();
    let wire = Wire { input: input.into(), output: output.into() };
    let registry = ToolRegistry::builder("toy").tool(rest::tool()).build().unwrap();
    let half = call("rest", 1).replace(r#""x":1"#, r#""x":30000000"#);
    to_server.write_all(half.as_bytes()).unwrap();
    drop(to_server);
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let options = Options { grace: Duration::from_secs(60), ..Options::default() };
        let server = Server::start(&registry, options, wire, Handle::current()).unwrap();
        server.run(std::future::pending()).await;
    });
    let answer = said(BufReader::new(from_server), 1).remove(0);
    assert!(answer.contains(r#""text":"30000000""#), "{answer}");
}

#[tool]
async fn ask(x: u64, cx: &Context) -> String {
    format!("{:?}", cx.confirm(format!("{x}?")).await)
}

#[test]
fn a_question_fails_once_the_client_has_ended() {
    let (input, mut to_server) = pipe().unwrap();
    let (from_server, output) = pipe().unwrap();
    let wire = Wire { input: input.into(), output: output.into() };
    let registry = ToolRegistry::builder("toy").tool(ask::tool()).build().unwrap();
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "c", "version": "1"}}});
    to_server.write_all(format!("{initialize}\n{}", call("ask", 1)).as_bytes()).unwrap();
    drop(to_server);
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let server = Server::start(&registry, Options::default(), wire, Handle::current()).unwrap();
        server.run(std::future::pending()).await;
    });
    let answer = said(BufReader::new(from_server), usize::MAX).pop().unwrap();
    assert!(answer.contains("Err(Closed)"), "{answer}");
}
