//! A program that runs a CLI and ends while its runs are open.
//!
//! Its arguments are what it holds (`query`, `client`, or `stored`), how often, the process group
//! of the CLI (`own` or `inherited`), and the CLI. Then each line of its input is a step: `run`
//! begins the runs and writes `ready`; `close` closes conversations and writes `closed`; `return`,
//! `exit`, `panic` and `abort` are ways to end. The CLI gets the variables of this program whose
//! names begin with `FAKE_CLI_`.
#![allow(clippy::print_stdout, reason = "this is how the test hears of it")]

mod stored;

use std::env;
use std::future::pending;
use std::io::stdin;
use std::process::{abort, exit};
use std::time::Duration;

use toolwright::agent::options::McpServer;
use toolwright::agent::transport::ProcessGroup;
use toolwright::agent::{AgentClient, AgentOptions, Error, Query, query};

/// What it holds when it ends.
#[derive(Default)]
struct Held {
    queries: Vec<Query>,
    clients: Vec<AgentClient>,
}

fn main() -> Result<(), Error> {
    let runtime = tokio::runtime::Runtime::new().unwrap_or_else(|error| panic!("{error}"));
    runtime.block_on(play())
}

async fn play() -> Result<(), Error> {
    let [kind, count, group, cli] = [1, 2, 3, 4].map(|at| env::args().nth(at).unwrap_or_default());
    if kind == "stored" {
        return stored::play(cli).await;
    }
    let options = options(&group, cli)?;
    let mut held = Held::default();
    for step in stdin().lines().map_while(Result::ok) {
        match step.as_str() {
            "run" => {
                for _ in 0..count.parse().unwrap_or(1) {
                    held.begin(&kind, options.clone()).await?;
                }
                println!("ready");
            }
            "close" => {
                for client in held.clients.drain(..) {
                    client.close().await;
                }
                println!("closed");
            }
            "return" => return Ok(()),
            "exit" => exit(0),
            "panic" => panic!("this is how it ends"),
            _ => abort(),
        }
    }
    pending().await
}

fn options(group: &str, cli: String) -> Result<AgentOptions, Error> {
    let grace = Duration::from_millis(200);
    let options = AgentOptions::builder()
        .cli_path(cli)
        .env_clear()
        .envs(env::vars().filter(|(name, _)| name.starts_with("FAKE_CLI_")))
        .process_group(match group {
            "own" => ProcessGroup::Own,
            _ => ProcessGroup::Inherited,
        })
        // What is secret is passed in a temporary file.
        .mcp_server(McpServer::stdio("none", "/nowhere").env("TOKEN", "secret"))
        .close_grace(grace)
        .terminate_grace(grace)
        .build()?;
    Ok(options)
}

impl Held {
    /// Begins a run and waits for its first message.
    async fn begin(&mut self, kind: &str, options: AgentOptions) -> Result<(), Error> {
        if kind == "query" {
            let mut query = query("Go.", options).await?;
            query.next().await;
            self.queries.push(query);
        } else {
            let mut client = AgentClient::connect(options).await?;
            client.messages().next().await;
            self.clients.push(client);
        }
        Ok(())
    }
}
