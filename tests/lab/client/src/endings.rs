//! Runs that end in every way in which a run can end.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tokio::task::JoinSet;
use toolwright::agent::{AgentClient, AgentOptions, Message};
use toolwright::{ToolRegistry, tool, tools};

use crate::reports::report;

/// The variable that tells the CLI what to do.
const SCENARIO: &str = "TOOLWRIGHT_LAB_SCENARIO";

/// How long the processes of a run may take to end by themselves: the child of the CLI never does.
const GRACE: Duration = Duration::from_millis(200);

/// How many runs are open at once.
const TOGETHER: usize = 4;

/// The ends that this process sees, with the scenario of their CLI. `left`, the fifth, is the end
/// of this process.
const ENDINGS: [(End, &str); 4] = [
    (End::Closed, "end-well"),
    (End::Killed, "end-killed"),
    (End::Dropped, "end-never"),
    (End::Crashed, "end-crashed"),
];

#[derive(Clone, Copy, PartialEq)]
enum End {
    Closed,
    Killed,
    Dropped,
    Crashed,
}

/// So many batches with so many runs of each end, and a report after each batch.
pub async fn endings(cli: &str, batches: usize, size: usize) -> Result<()> {
    for _ in 0..batches {
        let mut left: Vec<_> = ENDINGS.iter().flat_map(|end| vec![*end; size]).collect();
        let mut runs = JoinSet::new();
        while !left.is_empty() || !runs.is_empty() {
            while let (true, Some((end, scenario))) = (runs.len() < TOGETHER, left.pop()) {
                let cli = cli.to_owned();
                runs.spawn(async move { ended(&cli, end, scenario).await.context(scenario) });
            }
            if let Some(ended) = runs.join_next().await {
                ended??;
            }
        }
        drop(runs);
        let tasks = settled_tasks().await;
        // It blocks, but nothing else runs.
        report(&json!({ "tasks": tasks }))?;
    }
    Ok(())
}

/// Begins so many runs and waits for the end of this process.
pub async fn left(cli: &str, count: usize) -> Result<()> {
    let mut runs = Vec::new();
    for _ in 0..count {
        runs.push(begun(cli, "end-never").await?);
    }
    report(&Value::Null)
}

async fn ended(cli: &str, end: End, scenario: &'static str) -> Result<()> {
    let mut run = begun(cli, scenario).await?;
    match end {
        End::Dropped => {
            drop(run);
            return Ok(());
        }
        End::Closed => {
            let mut is_good = false;
            while let Some(message) = run.next_response().await {
                if let Message::Result(result) = message? {
                    is_good = !result.is_error;
                }
            }
            ensure!(is_good, "the turn has no good result");
            let exit = run.close().await;
            ensure!(
                exit.status.is_some_and(|status| status.success()),
                "the CLI ended with {exit}"
            );
        }
        End::Killed | End::Crashed => {
            let mut has_failed = false;
            while let Some(message) = run.next_response().await {
                has_failed = message.is_err();
            }
            ensure!(has_failed, "the run has ended as if all were well");
        }
    }
    Ok(())
}

/// A run in mid-turn: the first text has come.
async fn begun(cli: &str, scenario: &str) -> Result<AgentClient> {
    let registry = ToolRegistry::builder("calc").tools(tools![add, hang]).build()?;
    let options = AgentOptions::builder()
        .cli_path(cli)
        .env(SCENARIO, scenario)
        .mcp_server(registry)
        .allowed_tools(["mcp__calc__*"])
        .close_grace(GRACE)
        .terminate_grace(GRACE)
        // Too long for an argument, so that there is a file.
        .append_system_prompt("Be brief. ".repeat(20_000))
        .build()?;
    let mut run = AgentClient::connect(options).await?;
    run.query("go").await?;
    loop {
        let message = run.next_response().await.context("no text")?;
        if let Message::Assistant(message) = message? {
            ensure!(message.text() == "ready", "another text");
            return Ok(run);
        }
    }
}

/// The tasks of this runtime but for this one, as soon as there are none, or after some time.
async fn settled_tasks() -> usize {
    let metrics = tokio::runtime::Handle::current().metrics();
    for _ in 0..500 {
        if metrics.num_alive_tasks() == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    metrics.num_alive_tasks()
}

/// Add two numbers.
#[tool(read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Never come back.
#[tool(read_only)]
async fn hang() {
    std::future::pending::<()>().await;
}
