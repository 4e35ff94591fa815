//! The agent against a CLI that says random lines.

mod inputs;
mod requests;
mod shown;

mod lines;

mod plans;

mod cli;
mod due;

mod asker;

mod lies;

mod answers;
mod callbacks;
mod kept;

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use toolwright::agent::hook::PreToolUseInput;
use toolwright::agent::{AgentClient, AgentOptions, HookContext, HookMatcher, HookOutput};
use toolwright::{ToolRegistry, tool, tools};

use self::asker::Asker;
use self::cli::{Cli, END, Ledger, Says};
use self::lines::Lines;
use crate::rss::Tenths;
use crate::setting;

/// After so many messages the agent asks something, unless a turn waits already.
const BETWEEN: u64 = 25;
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
    let options = AgentOptions::builder()
        .mcp_server(&registry)
        .hook(HookMatcher::pre_tool_use("Bash"), quick)
        .hook(HookMatcher::pre_tool_use("Read"), stuck);
    inputs::with_callbacks(inputs::with_hooks(options)).build().unwrap()
}

/// A run of so many random lines; returns the ledger of the CLI.
async fn run(seed: u64, count: u64, tenths: &mut Tenths) -> Ledger {
    run_with(Box::new(Lines::new(seed)), seed, count, tenths).await
}

async fn run_with(lines: Box<dyn Says>, seed: u64, count: u64, tenths: &mut Tenths) -> Ledger {
    let ledger = Ledger::default();
    run_on(&ledger, lines, seed, count, tenths).await;
    ledger
}

async fn run_on(ledger: &Ledger, lines: Box<dyn Says>, seed: u64, count: u64, tenths: &mut Tenths) {
    let cli = Cli { ledger: ledger.clone(), lines, count };
    let mut client = AgentClient::connect_with(cli, options()).await.unwrap();
    let turns = Arc::new(Semaphore::new(0));
    let asking = Asker::new(seed).ask_each(client.handle(), ledger.clone(), turns.clone());
    let asking = tokio::spawn(asking);
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
        // It goes on reading, so that the driver need not wait for it.
        if read.is_multiple_of(BETWEEN) && turns.available_permits() == 0 {
            turns.add_permits(1);
        }
        if read.is_multiple_of(1_000) && ledger.with(|pages| pages.lines) >= count * tenth / 10 {
            tenth += 1;
            tenths.note();
        }
    }
    tenths.note();
    turns.close();
    let asker = asking.await.unwrap();
    tokio::time::timeout(TOO_LONG, client.close()).await.unwrap();
    ledger.close();
    ledger.with(|pages| pages.asked = (asker.asked, asker.answered));
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
    let (lines, answers, asked) = ledger.with(|pages| (pages.lines, pages.answers, pages.asked));
    eprintln!("{lines} lines, {answers} answers, asked {asked:?} in {:?}", begin.elapsed());
    assert_sound(&ledger, seed);
    tenths.assert_flat();
}
