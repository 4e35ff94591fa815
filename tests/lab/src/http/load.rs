use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::task::JoinSet;

use super::connection::Connection;

/// What was done in a time.
pub struct Done {
    pub calls: usize,
    pub elapsed: Duration,
}

/// Calls on all connections at once for about `budget`; each one makes one call at least.
pub async fn run(connections: &mut Vec<Connection>, budget: Duration) -> Result<Done> {
    let clock = Instant::now();
    let mut tasks = JoinSet::new();
    for mut connection in connections.drain(..) {
        tasks.spawn(async move {
            let (mut calls, parsed) = (0, connection.parsed());
            while calls == 0 || clock.elapsed() < budget {
                connection.call().await?;
                calls += 1;
            }
            let parsed = connection.parsed() - parsed;
            ensure!(
                parsed as usize <= 2 + calls / 100,
                "{parsed} of {calls} answers had to be parsed by the driver"
            );
            anyhow::Ok((connection, calls))
        });
    }
    let mut calls = 0;
    while let Some(ended) = tasks.join_next().await {
        let (connection, made) = ended??;
        connections.push(connection);
        calls += made;
    }
    Ok(Done { calls, elapsed: clock.elapsed() })
}
