//! The agent against a CLI that says random lines.

mod lines;
mod cli;

mod lies;

use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use toolwright::agent::permission::Permission;
use toolwright::agent::{AgentClient, AgentOptions, HookContext, HookMatcher, HookOutput};
use toolwright::agent::{PermissionRequest, hook::PreToolUseInput};
use toolwright::{ToolRegistry, json, tool, tools};

use self::cli::{Cli, END, Ledger, Says};
use self::lines::Lines;
use crate::rss::Tenths;
use crate::setting;

/// How long nothing may happen.
const TOO_LONG: Duration = Duration::from_secs(60);

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn late() {
    tokio::task::yield_now().await;
}

#[tool]
async fn wait() {
    std::future::pending::<()>().await;
}

#[tool]
async fn falls() {
    panic::resume_unwind(Box::new("a bug"));
}

fn options() -> AgentOptions {
    let tools = tools![add, late, wait, falls];
    let registry = ToolRegistry::builder("toy").tools(tools).build().unwrap();
    let quick = |_: PreToolUseInput, _: HookContext| async { HookOutput::default() };
    let stuck = |_: PreToolUseInput, _: HookContext| std::future::pending::<HookOutput<_>>();
    let permission = |_: PermissionRequest| async {
        tokio::task::yield_now().await;
        Permission::allow()
    };
    AgentOptions::builder()
        .mcp_server(&registry)
        .hook(HookMatcher::pre_tool_use("Bash"), quick)
        .hook(HookMatcher::pre_tool_use("Read"), stuck)
        .can_use_tool(permission)
        .on_elicitation(|question| async move { question.accept(json!({"name": "Ann"})) })
        .build()
        .unwrap()
}

/// A run of so many random lines; returns the ledger of the CLI.
async fn run(seed: u64, count: u64, tenths: &mut Tenths) -> Ledger {
    run_with(Box::new(Lines::new(seed)), seed, count, tenths).await
}

async fn run_with(lines: Box<dyn Says>, seed: u64, count: u64, tenths: &mut Tenths) -> Ledger {
    let ledger = Ledger::default();
    let cli = Cli { ledger: ledger.clone(), lines, count };
    let mut client = AgentClient::connect_with(cli, options()).await.unwrap();
    let mut messages = client.messages();
    let (mut tenth, mut read) = (1, 0_u64);
    loop {
        let next = tokio::time::timeout(TOO_LONG, messages.next()).await;
        let Ok(Some(Ok(message))) = next else {
            ledger.close();
            panic!("seed {seed}: {next:?} {:#?}", ledger.with(|pages| pages.faults.clone()));
        };
        if message.raw() == END {
            break;
        }
        ledger.delivered(message.raw());
        read += 1;
        if read.is_multiple_of(1_000) && ledger.with(|pages| pages.lines) >= count * tenth / 10 {
            tenth += 1;
            tenths.note();
        }
    }
    tenths.note();
    tokio::time::timeout(TOO_LONG, client.close()).await.unwrap();
    ledger.close();
    ledger
}

/// Counts the panics of the library; the tool that falls does not reach the hook.
fn panics() -> &'static AtomicU64 {
    static PANICS: AtomicU64 = AtomicU64::new(0);
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(|place| place.file()).unwrap_or_default();
            PANICS.fetch_add(u64::from(place.contains("sdk/src")), Ordering::SeqCst);
            before(info);
        }));
    });
    &PANICS
}

fn assert_sound(ledger: &Ledger, seed: u64) {
    let faults = ledger.with(|pages| pages.faults.clone());
    assert!(faults.is_empty(), "seed {seed}: {faults:#?}");
    assert_eq!(panics().load(Ordering::SeqCst), 0, "a panic of the library, seed {seed}");
}

#[tokio::test]
async fn the_agent_answers_each_of_random_requests_once() {
    panics();
    let seed = setting("FUZZ_SEED", 1);
    let ledger = run(seed, 10_000, &mut Tenths::default()).await;
    assert_sound(&ledger, seed);
}

/// `FUZZ_LINES` lines in one run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes as long as one likes"]
async fn the_agent_answers_each_of_many_random_requests_once() {
    panics();
    let (count, seed) = (setting("FUZZ_LINES", 1_000_000), setting("FUZZ_SEED", 1_000));
    let (begin, mut tenths) = (Instant::now(), Tenths::default());
    let ledger = run(seed, count, &mut tenths).await;
    let (lines, answers) = ledger.with(|pages| (pages.lines, pages.answers));
    eprintln!("{lines} lines, {answers} answers in {:?}", begin.elapsed());
    assert_sound(&ledger, seed);
    tenths.assert_flat();
}
