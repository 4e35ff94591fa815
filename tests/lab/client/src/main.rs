//! What the lab measures of Toolwright in a process of its own: `toolwright-lab-client CLI
//! SCENARIO...` prints its figures as JSON. Those of the endurance run report while they work.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::agent::hook::PreToolUseInput;
use toolwright::agent::message::{ApiEvent, ContentBlock, Delta};
use toolwright::agent::{
    AgentClient, AgentOptions, AgentOptionsBuilder, HookContext, HookMatcher, HookOutput, Message,
    Permission, PermissionRequest, Query, prewarm, query,
};
use toolwright::{ToolRegistry, tool, tools};

mod reports;
mod mix;
mod endings;

/// The same runtime as `#[tokio::main]`, or the small one if the scenario begins with `current`.
fn main() -> Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let is_current = args.first().is_some_and(|word| word == "current");
    let mut builder = match is_current {
        true => tokio::runtime::Builder::new_current_thread(),
        false => tokio::runtime::Builder::new_multi_thread(),
    };
    args.drain(..usize::from(is_current));
    let runtime = builder.enable_all().build().context("starting the runtime")?;
    let figures = runtime.block_on(measure(&args))?;
    if !figures.is_null() {
        println!("{figures}");
    }
    Ok(())
}

async fn measure(args: &[String]) -> Result<Value> {
    let [cli, scenario, numbers @ ..] = args else {
        bail!("usage: toolwright-lab-client [current] CLI SCENARIO...")
    };
    let numbers: Vec<usize> = numbers
        .iter()
        .map(|number| number.parse())
        .collect::<Result<_, _>>()
        .context("not a number")?;
    match (scenario.as_str(), numbers.as_slice()) {
        ("partial", [count]) => partial(cli, *count).await,
        ("large", [size, count]) => large(cli, *size, *count).await,
        // How many requests are in flight, and for how long, is for the other side only.
        ("calls", _) => calls(cli).await,
        ("hooks", _) => hooks(cli).await,
        ("permissions", _) => permissions(cli).await,
        ("first", [count]) => first(cli, *count).await,
        ("idle", [count]) => idle(cli, *count).await,
        ("warm", [count]) => warm(cli, *count).await,
        ("mix", [seed, calls]) => mix::run(*seed as u64, *calls as u64).map(|()| Value::Null),
        ("endings", [batches, size]) => {
            endings::endings(cli, *batches, *size).await.map(|()| Value::Null)
        }
        ("left", [count]) => endings::left(cli, *count).await.map(|()| Value::Null),
        _ => bail!("an unknown scenario"),
    }
}

fn options(cli: &str) -> AgentOptionsBuilder {
    AgentOptions::builder().cli_path(cli)
}

async fn start(options: AgentOptionsBuilder) -> Result<Query> {
    Ok(query("go", options.build()?).await?)
}

async fn partial(cli: &str, count: usize) -> Result<Value> {
    let mut run = start(options(cli).include_partial_messages(true)).await?;
    let (mut seen, mut text) = (0, 0);
    let mut first = Instant::now();
    let mut last = first;
    while let Some(message) = run.next().await {
        let Message::StreamEvent(message) = message? else { continue };
        if seen == 0 {
            first = Instant::now();
        }
        let ApiEvent::ContentBlockDelta(event) = &message.event else { bail!("another event") };
        let Delta::Text(delta) = &event.delta else { bail!("another delta") };
        ensure!(event.index == seen % 1000, "a message out of order");
        text += delta.text.len();
        seen += 1;
        if seen == count {
            last = Instant::now();
        }
    }
    let seconds = (last - first).as_secs_f64();
    Ok(json!({"messages": seen, "text": text, "seconds": seconds, "peak_kib": memory("VmHWM")?}))
}

async fn large(cli: &str, size: usize, count: usize) -> Result<Value> {
    let mut run = start(options(cli)).await?;
    let (mut seen, mut before) = (0, 0);
    let mut first = Instant::now();
    let mut last = first;
    while let Some(message) = run.next().await {
        let Message::Assistant(message) = message? else { continue };
        let Some(ContentBlock::Text(block)) = message.message.content.first() else {
            bail!("no text")
        };
        if seen == 0 {
            ensure!(block.text == "ready", "the first message is another one");
            before = memory("VmRSS")?;
            fs::write("/proc/self/clear_refs", "5").context("forgetting the peak")?;
        } else {
            let number = block.text.get(..8).and_then(|digits| digits.parse().ok());
            ensure!(block.text.len() == size && number == Some(seen), "a wrong text");
            if seen == 1 {
                first = Instant::now();
            }
        }
        seen += 1;
        if seen == count + 1 {
            last = Instant::now();
        }
    }
    let seconds = (last - first).as_secs_f64();
    let peak = memory("VmHWM")?;
    Ok(json!({
        "messages": seen - 1, "seconds": seconds, "before_kib": before, "peak_kib": peak,
    }))
}

/// How many times the tool, the hook or the decision ran.
static RAN: AtomicU64 = AtomicU64::new(0);

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    RAN.fetch_add(1, Ordering::Relaxed);
    a + b
}

async fn calls(cli: &str) -> Result<Value> {
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
    answers(options(cli).mcp_server(registry).allowed_tools(["mcp__calc__*"])).await
}

#[derive(Deserialize)]
struct Bash {
    command: String,
}

async fn hooks(cli: &str) -> Result<Value> {
    let hook = |input: PreToolUseInput, _: HookContext| async move {
        RAN.fetch_add(1, Ordering::Relaxed);
        match input.tool_input.decode::<Bash>() {
            Ok(bash) => HookOutput::default().deny(bash.command),
            Err(_) => HookOutput::default(),
        }
    };
    answers(options(cli).hook(HookMatcher::pre_tool_use("Bash"), hook)).await
}

async fn permissions(cli: &str) -> Result<Value> {
    let decide = |_: PermissionRequest| async {
        RAN.fetch_add(1, Ordering::Relaxed);
        Permission::allow()
    };
    answers(options(cli).can_use_tool(decide)).await
}

/// Lets the CLI ask as often as it likes and gives its report.
async fn answers(options: AgentOptionsBuilder) -> Result<Value> {
    let mut run = start(options).await?;
    let mut report = None;
    while let Some(message) = run.next().await {
        if let Message::Result(result) = message? {
            report = Some(result.text().into_owned());
        }
    }
    let report: Value = serde_json::from_str(&report.context("no result")?)?;
    Ok(json!({"ran": RAN.load(Ordering::Relaxed), "report": report}))
}

async fn first(cli: &str, count: usize) -> Result<Value> {
    let mut times = Vec::new();
    for _ in 0..count {
        let before = Instant::now();
        let mut after = None;
        let mut run = start(options(cli)).await?;
        while let Some(message) = run.next().await {
            message?;
            after = after.or_else(|| Some(before.elapsed()));
        }
        times.push(after.context("no message")?.as_secs_f64());
    }
    Ok(json!({ "seconds": times }))
}

async fn idle(cli: &str, count: usize) -> Result<Value> {
    let before = memory("VmRSS")?;
    let mut clients = Vec::new();
    for _ in 0..count {
        clients.push(AgentClient::connect(options(cli).build()?).await?);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let after = memory("VmRSS")?;
    for client in clients {
        client.close().await;
    }
    Ok(json!({"before_kib": before, "after_kib": after}))
}

/// Runs whose CLI is started by the prompt, and runs whose CLI waits for it, in turn.
async fn warm(cli: &str, count: usize) -> Result<Value> {
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let before = Instant::now();
        cold.push(answered(start(options(cli)).await?, before).await?);

        let ready = prewarm(options(cli).build()?).await?;
        // A prompt comes some time after the start; what the CLI does until then is not measured.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let before = Instant::now();
        warm.push(answered(ready.query("go"), before).await?);
    }
    let first = |times: &[[f64; 2]]| times.iter().map(|[first, _]| *first).collect::<Vec<_>>();
    let text = |times: &[[f64; 2]]| times.iter().map(|[_, text]| *text).collect::<Vec<_>>();
    Ok(json!({
        "cold_first": first(&cold), "cold_text": text(&cold),
        "warm_first": first(&warm), "warm_text": text(&warm),
    }))
}

/// The seconds to the first message and to the text of the model.
async fn answered(mut run: Query, before: Instant) -> Result<[f64; 2]> {
    let (mut first, mut text) = (None, None);
    while let Some(message) = run.next().await {
        let message = message?;
        first = first.or_else(|| Some(before.elapsed()));
        match message {
            Message::Assistant(message) => {
                ensure!(message.text() == "Ready.", "another answer: {}", message.text());
                text = text.or_else(|| Some(before.elapsed()));
            }
            Message::Result(result) => ensure!(!result.is_error, "a failed run"),
            _ => {}
        }
    }
    let seconds = |time: Option<Duration>| Some(time?.as_secs_f64());
    Ok([seconds(first).context("no message")?, seconds(text).context("no answer")?])
}

fn memory(field: &str) -> Result<u64> {
    let status =
        fs::read_to_string("/proc/self/status").context("reading this program's status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':')?.trim().strip_suffix(" kB"));
    line.and_then(|kib| kib.parse().ok()).context("the status lacks a field")
}
