//! What runs take that wait for a prompt.
#![cfg(target_os = "linux")]

use std::env;
use std::process::{self, Command};

use toolwright::ToolRegistry;
use toolwright::agent::AgentClient;

use super::fake::Fake;
use super::many::{RUNS, registry};
use super::within;
use crate::proc::resident;

/// What an idle run may cost in this process, in KiB; the figure itself is printed.
const BOUND: u64 = 512;

async fn idle(registry: &ToolRegistry, runs: u64) -> Vec<AgentClient> {
    let fake = Fake::initialized();
    let mut clients = Vec::new();
    for _ in 0..runs {
        clients.push(
            within(AgentClient::connect(fake.options().mcp_server(registry).build().unwrap()))
                .await
                .unwrap(),
        );
    }
    clients
}

#[tokio::test]
#[ignore = "run in a process of its own, where nothing else takes memory"]
async fn memory_of_idle_runs() {
    let registry = registry();
    let mut clients = idle(&registry, 4).await;
    let before = resident(process::id());
    clients.extend(idle(&registry, RUNS).await);
    println!("{} KiB a run", resident(process::id()).saturating_sub(before) / RUNS);
    for client in clients {
        within(client.close()).await;
    }
}

#[test]
fn an_idle_run_takes_little_memory() {
    let mut child = Command::new(env::current_exe().unwrap());
    let output = child
        .args(["--ignored", "--exact", "faults::idle::memory_of_idle_runs", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let kib = text
        .lines()
        .find_map(|line| line.split_once(" KiB a run")?.0.rsplit(' ').next()?.parse::<u64>().ok());
    let kib = kib.unwrap_or_else(|| panic!("no figure in {text}"));
    println!("an idle run takes {kib} KiB");
    assert!(kib <= BOUND, "{kib} KiB");
}
