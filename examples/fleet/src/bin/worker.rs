//! Takes prompts from the queue and runs them, until it is told to end or has lost what it needs.
//!
//! | variable | what it is |
//! |---|---|
//! | `NATS_URL` | a NATS server with JetStream |
//! | `DATABASE_URL` | a PostgreSQL database, such as `host=localhost user=fleet dbname=fleet` |
//! | `FLEET_FOLDER` | the working folder of the sessions, the same for all workers |
//! | `FLEET_TOOLS` | the URL of an MCP server, if there is one |
//! | `HOSTNAME` | the name of this worker |

use std::env;
use std::pin::pin;

use anyhow::{Context as _, Result};
use tokio::signal::unix::{SignalKind, signal};
use toolwright_fleet::Worker;

#[tokio::main]
async fn main() -> Result<()> {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    log.with_max_level(tracing::Level::WARN).init();
    let need = |name| env::var(name).with_context(|| format!("{name} is not set"));
    let name = env::var("HOSTNAME").unwrap_or_else(|_| format!("worker-{}", std::process::id()));
    let (folder, tools) = (need("FLEET_FOLDER")?.into(), env::var("FLEET_TOOLS").ok());
    let (nats, database) = (need("NATS_URL")?, need("DATABASE_URL")?);
    let mut terminated = signal(SignalKind::terminate())?;
    let mut told_to_end = pin!(async { terminated.recv().await.unwrap_or_default() });
    let worker = tokio::select! {
        worker = Worker::connect(&name, &nats, &database, folder, tools) => worker?,
        () = &mut told_to_end => return Ok(()),
    };
    worker.work(told_to_end).await
}
