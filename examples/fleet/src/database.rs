use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio_postgres::{Client, Config, Error, NoTls};

/// A worker takes PostgreSQL for lost after so long without an answer. PostgreSQL waits twice as
/// long for the worker before it gives up its leases, so a worker that is cut off has ended by
/// then.
const SILENCE: Duration = Duration::from_secs(15);

/// How often a connection on which nothing happens is checked.
const CHECK: Duration = Duration::from_secs(5);

/// PostgreSQL ends a connection, and with it the leases, after half a minute without a sign of the
/// worker's machine. Its default is more than two hours.
const ALIVE: &str = "
SET tcp_keepalives_idle = 10;
SET tcp_keepalives_interval = 5;
SET tcp_keepalives_count = 4;
SET tcp_user_timeout = 30000";

/// Opens connections on which both sides notice that the other one is cut off.
#[derive(Debug, Clone)]
pub struct Database(Config);

impl Database {
    /// The database that these parameters name, such as `host=localhost user=fleet dbname=fleet`.
    ///
    /// # Errors
    ///
    /// They cannot be read.
    pub fn at(parameters: &str) -> Result<Self> {
        let mut config: Config = parameters.parse().context("reading where PostgreSQL is")?;
        config.keepalives_idle(CHECK).keepalives_interval(CHECK).keepalives_retries(2);
        config.tcp_user_timeout(SILENCE);
        Ok(Self(config))
    }

    /// Connects; `ended` is called when the connection is lost or no longer used.
    ///
    /// # Errors
    ///
    /// There is no connection.
    pub async fn connect(&self, ended: impl FnOnce() + Send + 'static) -> Result<Client, Error> {
        let (client, connection) = self.0.connect(NoTls).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!(%error, "the connection to PostgreSQL is lost");
            }
            ended();
        });
        client.batch_execute(ALIVE).await?;
        Ok(client)
    }
}
