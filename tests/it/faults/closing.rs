//! What is left of in-process tools and callbacks when a run is closed.

use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use serde_json::json;
use tokio::runtime::Builder;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{AgentClient, AgentOptions, HookContext, HookOutput};
use toolwright::agent::{Permission, PermissionRequest};
use toolwright::{Context, Tool, ToolRegistry, Value, tool, tools};

use super::fake::Fake;
use super::{call, can_use_tool, hook, within};

const CALLS: usize = 16;

/// Counts itself while it exists.
struct Witness(&'static AtomicUsize);

impl Witness {
    fn new(count: &'static AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(count)
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Has a CLI call the tool many times; see [`left_of`].
fn left(tool: [Tool; 1], name: &str, running: &'static AtomicUsize) -> usize {
    let registry = ToolRegistry::builder("calc").tools(tool).build().unwrap();
    let fake = (0..CALLS).fold(Fake::initialized(), |fake, n| {
        fake.ask(&format!("c{n}"), call("calc", n as u64, name, json!({})))
    });
    let options = fake.options().mcp_server(registry).build().unwrap();
    left_of(fake, options, running)
}

/// Closes the run once all calls run, and says how many of them are left then.
fn left_of(fake: Fake, options: AgentOptions, running: &'static AtomicUsize) -> usize {
    // With one worker a task that is woken runs before those that were aborted just before.
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let closing = runtime.spawn(async move {
        let client = within(AgentClient::connect(options)).await.unwrap();
        while running.load(Ordering::SeqCst) < CALLS {
            tokio::task::yield_now().await;
        }
        within(client.close()).await;
        running.load(Ordering::SeqCst)
    });
    let left = runtime.block_on(within(closing)).unwrap();
    runtime.block_on(fake.is_gone());
    left
}

#[test]
fn async_tools_are_gone_when_a_run_is_closed() {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    let hang = Tool::new("hang", "", json!({"type": "object"}), |_: Value, _: Context| {
        let witness = Witness::new(&RUNNING);
        async move {
            pending::<()>().await;
            drop(witness);
            "never"
        }
    });
    assert_eq!(left([hang], "hang", &RUNNING), 0);
}

static PLAIN: AtomicUsize = AtomicUsize::new(0);

/// Goes on until it is cancelled.
#[tool]
fn until_cancelled(cx: &Context) -> String {
    let _witness = Witness::new(&PLAIN);
    while !cx.is_cancelled() {
        thread::yield_now();
    }
    String::new()
}

#[test]
fn plain_tools_that_mind_their_cancellation_are_gone_when_a_run_is_closed() {
    assert_eq!(left(tools![until_cancelled], "until_cancelled", &PLAIN), 0);
}

static STUCK: AtomicUsize = AtomicUsize::new(0);
static IS_RELEASED: AtomicBool = AtomicBool::new(false);

/// Goes on although it is cancelled.
#[tool]
fn stuck() -> String {
    let _witness = Witness::new(&STUCK);
    while !IS_RELEASED.load(Ordering::SeqCst) {
        thread::yield_now();
    }
    String::new()
}

#[test]
fn a_tool_that_does_not_end_holds_up_nothing() {
    assert!(left(tools![stuck], "stuck", &STUCK) > 0);
    IS_RELEASED.store(true, Ordering::SeqCst);
}

static CALLED_BACK: AtomicUsize = AtomicUsize::new(0);

/// Goes on until it is dropped.
async fn hang<T>(_witness: Witness) -> T {
    pending().await
}

#[test]
fn callbacks_are_gone_when_a_run_is_closed() {
    let fake = (0..CALLS / 2).fold(Fake::initialized(), |fake, n| {
        fake.ask(&format!("h{n}"), hook(0))
            .ask(&format!("p{n}"), can_use_tool("Bash", json!({"command": "ls"})))
    });
    let options = fake
        .options()
        .hook(HookMatcher::pre_tool_use("*"), |_, _: HookContext| {
            hang::<HookOutput<_>>(Witness::new(&CALLED_BACK))
        })
        .can_use_tool(|_: PermissionRequest| hang::<Permission>(Witness::new(&CALLED_BACK)))
        .build()
        .unwrap();
    assert_eq!(left_of(fake, options, &CALLED_BACK), 0);
}
