use std::sync::Arc;

use anyhow::{Context as _, Result};
use tokio::sync::Notify;
use tokio_postgres::Client;
use toolwright::agent::sessions::PostgresStore;

use super::database::Database;

/// PostgreSQL fails where several make the same table at once, so each waits for the others.
const TABLE: &str = "
SELECT pg_advisory_xact_lock(hashtextextended('fleet_turns', 0));
CREATE TABLE IF NOT EXISTS fleet_turns (
    session text NOT NULL,
    turn integer NOT NULL,
    prompt_id text NOT NULL UNIQUE,
    worker text NOT NULL,
    answer text NOT NULL,
    last_entry bigint NOT NULL,
    PRIMARY KEY (session, turn)
)";

/// A statement that fails unless the connection that asks for it is still there.
const WHILE_HERE: &str = "
SELECT format('DO $do$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %s AND backend_start = %L) THEN
        RAISE EXCEPTION ''the leases of this worker are lost'';
    END IF;
END $do$;', pid, backend_start) FROM pg_stat_activity WHERE pid = pg_backend_pid()";

/// PostgreSQL ends a connection that writes transcripts before it gives up a lease: after at most
/// 17 s without a sign of the worker's machine.
const ENDS_BEFORE_A_LEASE: &str = "
SET tcp_keepalives_idle = 5;
SET tcp_keepalives_interval = 4;
SET tcp_keepalives_count = 3;
SET tcp_user_timeout = 15000;";

/// Which turns are done, and who works on which session.
#[derive(Debug)]
pub struct Leases {
    database: Database,
    client: Client,
    while_here: String,
    lost: Arc<Notify>,
    worker: String,
}

/// The right to work on a session. Nobody else has it at the same time.
///
/// It is a lock of this worker's connection to PostgreSQL, which ends with the connection. So a
/// worker that has lost the connection has lost the lease: see [`Leases::lost`].
#[derive(Debug)]
pub struct Lease<'a> {
    leases: &'a Leases,
    session: String,
}

/// A lock whose number is made of the name of the session.
const LOCK: &str = "SELECT pg_try_advisory_lock(hashtextextended($1, 0))";
const UNLOCK: &str = "SELECT pg_advisory_unlock(hashtextextended($1, 0))";

impl Leases {
    /// Connects, and makes the table where there is none.
    ///
    /// # Errors
    ///
    /// There is no connection, or the user may not make tables.
    pub async fn connect(database: &Database, worker: &str) -> Result<Self> {
        let lost = Arc::new(Notify::new());
        let ended = lost.clone();
        let client = database.connect(move || ended.notify_one()).await;
        let client = client.context("connecting to PostgreSQL")?;
        client.batch_execute(TABLE).await.context("making the table")?;
        let while_here = client.query_one(WHILE_HERE, &[]).await?.try_get(0)?;
        let (database, worker) = (database.clone(), worker.to_owned());
        Ok(Self { database, client, while_here, lost, worker })
    }

    /// Keeps transcripts in the database while the leases are held. A worker that was paused with
    /// its machine for so long that it has lost them cannot write into a session that another one
    /// works on.
    pub fn store(&self) -> PostgresStore {
        let database = self.database.clone();
        let checked = format!("{ENDS_BEFORE_A_LEASE}{}", self.while_here);
        PostgresStore::connecting(move || {
            let (database, checked) = (database.clone(), checked.clone());
            async move {
                let client = database.connect(|| {}).await?;
                client.batch_execute(&checked).await?;
                Ok(client)
            }
        })
    }

    /// The lease of a session, unless another worker has it.
    ///
    /// # Errors
    ///
    /// The connection is lost.
    pub async fn take(&self, session: &str) -> Result<Option<Lease<'_>>> {
        let is_ours: bool = self.client.query_one(LOCK, &[&session]).await?.try_get(0)?;
        Ok(is_ours.then(|| Lease { leases: self, session: session.to_owned() }))
    }

    /// How many turns of a session are done. They stay so many while its lease is held.
    ///
    /// # Errors
    ///
    /// The connection is lost.
    pub async fn turns(&self, session: &str) -> Result<i32> {
        let select = "SELECT coalesce(max(turn), 0) FROM fleet_turns WHERE session = $1";
        Ok(self.client.query_one(select, &[&session]).await?.try_get(0)?)
    }

    /// Waits until the connection is lost, and every lease with it.
    pub async fn lost(&self) {
        self.lost.notified().await;
        // For who asks next.
        self.lost.notify_one();
    }
}

impl Lease<'_> {
    /// Whether a turn that is done is that of this prompt.
    ///
    /// # Errors
    ///
    /// The connection is lost.
    pub async fn has_done(&self, turn: i32, prompt_id: &str) -> Result<bool> {
        let select = "SELECT EXISTS (SELECT FROM fleet_turns
            WHERE session = $1 AND turn = $2 AND prompt_id = $3)";
        let row = self.leases.client.query_one(select, &[&self.session, &turn, &prompt_id]).await?;
        Ok(row.try_get(0)?)
    }

    /// Records that a turn is done, and where it ends in the session's transcript, which is in the
    /// tables of `PostgresStore`.
    ///
    /// # Errors
    ///
    /// The connection is lost, or the turn was recorded before.
    pub async fn record(
        &self,
        project: &str,
        turn: i32,
        prompt_id: &str,
        answer: &str,
    ) -> Result<()> {
        let insert = "INSERT INTO fleet_turns VALUES ($1, $2, $3, $4, $5,
            (SELECT coalesce(max(number), 0) FROM toolwright_entries
            WHERE project_key = $6 AND session_id = $1))";
        let Self { leases, session } = self;
        // PostgreSQL has no zero byte in a text.
        let answer = answer.replace('\0', "\u{fffd}");
        let row: [&(dyn tokio_postgres::types::ToSql + Sync); 6] =
            [session, &turn, &prompt_id, &leases.worker, &answer, &project];
        leases.client.execute(insert, &row).await?;
        Ok(())
    }

    /// Takes what is behind the last recorded turn out of the session's transcript, so that a turn
    /// that was cut off can be run again. Its prompt may be missing there, if the store has refused
    /// it and taken what came later. Titles and tags that somebody has given the session stay; they
    /// have an id, and those of a turn have none.
    ///
    /// # Errors
    ///
    /// The connection is lost.
    pub async fn forget(&self, project: &str) -> Result<()> {
        // With the project, which the indexes begin with: else this reads the whole table.
        let delete = "DELETE FROM toolwright_entries
            WHERE project_key = $1 AND session_id = $2 AND number >
            (SELECT last_entry FROM fleet_turns WHERE session = $2 ORDER BY turn DESC LIMIT 1)
            AND (uuid IS NULL OR entry !~ '^{\"type\":\"(custom-title|tag)\"')";
        self.leases.client.execute(delete, &[&project, &self.session]).await?;
        Ok(())
    }

    /// Gives the lease back.
    ///
    /// # Errors
    ///
    /// The connection is lost, and the lease with it.
    pub async fn release(self) -> Result<()> {
        self.leases.client.query_one(UNLOCK, &[&self.session]).await?;
        Ok(())
    }
}
