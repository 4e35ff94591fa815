//! A store in PostgreSQL.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, NoTls, Row, Transaction};

use crate::agent::sessions::{
    SessionEntry, SessionKey, SessionStore, SessionSummary, StoreError, StoredSession,
    fold_session_summary,
};

/// A [`SessionStore`] in PostgreSQL, version 12 or newer (feature `postgres-store`).
///
/// ```no_run
/// use std::sync::Arc;
///
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::sessions::PostgresStore;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let store = PostgresStore::without_tls("host=localhost user=agents dbname=agents");
/// store.create_tables().await?;
/// let options = AgentOptions::builder().session_store(Arc::new(store)).build()?;
/// # Ok(())
/// # }
/// ```
///
/// There are two tables, `toolwright_sessions` and `toolwright_entries`, in the first schema of the
/// search path. Each call to append is a transaction, and an entry with an id is stored once, if
/// the id has no zero byte and at most 1024 bytes. The entries are texts, as JSONB cannot hold all
/// of them.
///
/// The store has one connection, which it opens when it is first used, and again after a failure.
/// An answer may take a minute.
pub struct PostgresStore {
    connect: Box<Connect>,
    client: Mutex<Option<Client>>,
}

type Connect =
    dyn Fn() -> Pin<Box<dyn Future<Output = Result<Client, Error>> + Send>> + Send + Sync;

/// PostgreSQL fails where several make the same table at once, so each waits for the others. The
/// indexes are part of a table: to make one where there is none, PostgreSQL waits until nobody
/// writes or vacuums, although the index is there, and whoever writes waits too.
const TABLES: &str = "
SELECT pg_advisory_xact_lock(hashtextextended('toolwright_sessions', 0));
CREATE TABLE IF NOT EXISTS toolwright_sessions (
    project_key text NOT NULL,
    session_id text NOT NULL,
    mtime bigint NOT NULL,
    summary text NOT NULL,
    PRIMARY KEY (project_key, session_id)
);
CREATE TABLE IF NOT EXISTS toolwright_entries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project_key text NOT NULL,
    session_id text NOT NULL,
    subpath text NOT NULL,
    uuid text,
    entry text NOT NULL,
    CONSTRAINT toolwright_entries_of_transcript
        UNIQUE (project_key, session_id, subpath, number),
    CONSTRAINT toolwright_entries_once UNIQUE (project_key, session_id, subpath, uuid)
);";

/// How long an answer may take: as long as a mirror waits. A server that is cut off says nothing,
/// and whoever waits for it has the only connection.
const LONGEST: Duration = Duration::from_secs(60);
/// How long it may take to connect.
const CONNECT: Duration = Duration::from_secs(10);

/// A longer id is none, as a row of an index has at most some 2,700 bytes.
const LONGEST_ID: usize = 1024;

/// Where the entries of one transcript are.
const OF_TRANSCRIPT: &str = "project_key = $1 AND session_id = $2 AND subpath = $3";

impl PostgresStore {
    /// A store in the database that these parameters name, over a connection that is not encrypted.
    pub fn without_tls(parameters: impl Into<String>) -> Self {
        let parameters = parameters.into();
        Self::connecting(move || {
            let parameters = parameters.clone();
            async move {
                let (client, connection) = tokio_postgres::connect(&parameters, NoTls).await?;
                tokio::spawn(async move {
                    if let Err(error) = connection.await {
                        tracing::warn!(%error, "the connection to PostgreSQL is lost");
                    }
                });
                Ok(client)
            }
        })
    }

    /// A store over connections that a function of yours opens, for example with TLS, with the
    /// crate that is re-exported as
    /// [`sessions::tokio_postgres`](crate::agent::sessions::tokio_postgres). The function also
    /// spawns the task that runs the connection.
    pub fn connecting<F>(connect: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<Client, Error>> + Send + 'static,
    {
        Self { connect: Box::new(move || Box::pin(connect())), client: Mutex::default() }
    }

    /// Creates the tables where they do not exist.
    ///
    /// # Errors
    ///
    /// There is no connection, or the user may not create tables.
    pub async fn create_tables(&self) -> Result<(), StoreError> {
        let connected = self.connected().await?;
        answered(connected.client.batch_execute(TABLES)).await?;
        connected.keep();
        Ok(())
    }

    async fn rows(
        &self,
        statement: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let connected = self.connected().await?;
        let rows = answered(connected.client.query(statement, parameters)).await?;
        connected.keep();
        Ok(rows)
    }

    async fn connected(&self) -> Result<Connected<'_>, StoreError> {
        let mut place = self.client.lock().await;
        let client = match place.take().filter(|client| !client.is_closed()) {
            Some(client) => client,
            None => within(CONNECT, (self.connect)()).await?,
        };
        Ok(Connected { place, client })
    }
}

/// The connection, while nobody else uses it. It is closed unless it is kept: a server that ends
/// reports an error before it closes the connection, which must not serve the next call.
struct Connected<'a> {
    place: MutexGuard<'a, Option<Client>>,
    client: Client,
}

impl Connected<'_> {
    /// The call that used the connection has succeeded.
    fn keep(mut self) {
        *self.place = Some(self.client);
    }
}

#[async_trait]
impl SessionStore for PostgresStore {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut connected = self.connected().await?;
        let transaction = answered(connected.client.transaction()).await?;
        match key.subpath {
            Some(_) => drop(insert(&transaction, key, entries).await?),
            None => {
                let known = summary(&transaction, key).await?;
                let new = insert(&transaction, key, entries).await?;
                let summary = fold_session_summary(Some(&known), key, &new);
                summarise(&transaction, key, &summary).await?;
            }
        }
        answered(transaction.commit()).await?;
        connected.keep();
        Ok(())
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        let select =
            format!("SELECT entry FROM toolwright_entries WHERE {OF_TRANSCRIPT} ORDER BY number");
        let (project, session, subpath) = columns(key);
        let rows = self.rows(&select, &[project, session, &subpath]).await?;
        let entries = rows.iter().map(|row| {
            let text: &str = row.try_get(0).map_err(failed)?;
            SessionEntry::parse(text).map_err(StoreError::failed)
        });
        let entries: Vec<_> = entries.collect::<Result<_, _>>()?;
        Ok((!entries.is_empty()).then_some(entries))
    }

    async fn list_sessions(&self, project_key: &str) -> Result<Vec<StoredSession>, StoreError> {
        let select = "SELECT session_id, mtime FROM toolwright_sessions WHERE project_key = $1";
        let rows = self.rows(select, &[&project_key]).await?;
        let sessions = rows.iter().map(|row| {
            let session_id = row.try_get(0).map_err(failed)?;
            Ok(StoredSession { session_id, mtime: mtime(row)? })
        });
        sessions.collect()
    }

    async fn list_session_summaries(
        &self,
        project_key: &str,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        let select = "SELECT session_id, mtime, summary FROM toolwright_sessions
            WHERE project_key = $1";
        let rows = self.rows(select, &[&project_key]).await?;
        let summaries = rows.iter().map(|row| {
            let data: &str = row.try_get(2).map_err(failed)?;
            Ok(SessionSummary {
                session_id: row.try_get(0).map_err(failed)?,
                mtime: mtime(row)?,
                data: serde_json::from_str(data).map_err(StoreError::failed)?,
            })
        });
        summaries.collect()
    }

    async fn delete(&self, key: &SessionKey) -> Result<(), StoreError> {
        let (project, session, subpath) = columns(key);
        if key.subpath.is_some() {
            let delete = format!("DELETE FROM toolwright_entries WHERE {OF_TRANSCRIPT}");
            return self.rows(&delete, &[project, session, &subpath]).await.map(drop);
        }
        let mut connected = self.connected().await?;
        let transaction = answered(connected.client.transaction()).await?;
        for table in ["toolwright_sessions", "toolwright_entries"] {
            let delete = format!("DELETE FROM {table} WHERE project_key = $1 AND session_id = $2");
            answered(transaction.execute(&delete, &[project, session])).await?;
        }
        answered(transaction.commit()).await?;
        connected.keep();
        Ok(())
    }

    async fn list_subkeys(
        &self,
        project_key: &str,
        session_id: &str,
    ) -> Result<Vec<String>, StoreError> {
        let select = "SELECT DISTINCT subpath FROM toolwright_entries
            WHERE project_key = $1 AND session_id = $2 AND subpath <> ''";
        let rows = self.rows(select, &[&project_key, &session_id]).await?;
        rows.iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }
}

/// When a session was last written, the second column.
fn mtime(row: &Row) -> Result<u64, StoreError> {
    let mtime: i64 = row.try_get(1).map_err(failed)?;
    Ok(mtime.try_into().unwrap_or_default())
}

/// The summary of a session, which there is from now on. Others that append to the session wait
/// until the transaction has ended.
async fn summary(
    transaction: &Transaction<'_>,
    key: &SessionKey,
) -> Result<SessionSummary, StoreError> {
    let (project, session, _) = columns(key);
    let touch = "INSERT INTO toolwright_sessions VALUES ($1, $2, 0, '{}')
        ON CONFLICT (project_key, session_id) DO UPDATE SET mtime = toolwright_sessions.mtime
        RETURNING summary";
    let row = answered(transaction.query_one(touch, &[project, session])).await?;
    let data = serde_json::from_str(row.try_get(0).map_err(failed)?).map_err(StoreError::failed)?;
    Ok(SessionSummary { session_id: key.session_id.clone(), mtime: 0, data })
}

/// Adds the entries that the transcript does not have, and returns them.
async fn insert(
    transaction: &Transaction<'_>,
    key: &SessionKey,
    entries: &[SessionEntry],
) -> Result<Vec<SessionEntry>, StoreError> {
    let ids: Vec<_> = entries.iter().map(id).collect();
    let ids: Vec<_> = ids.iter().map(Option::as_deref).collect();
    let texts: Vec<_> = entries.iter().map(SessionEntry::get).collect();
    let insert = "INSERT INTO toolwright_entries (project_key, session_id, subpath, uuid, entry)
        SELECT $1, $2, $3, uuid, entry
        FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS new (uuid, entry, place)
        ORDER BY place ON CONFLICT DO NOTHING RETURNING uuid";
    let (project, session, subpath) = columns(key);
    let parameters: [&(dyn ToSql + Sync); 5] = [project, session, &subpath, &ids, &texts];
    let rows = answered(transaction.query(insert, &parameters)).await?;
    let new = rows.iter().filter_map(|row| row.try_get::<_, Option<&str>>(0).transpose());
    let mut new: HashSet<_> = new.collect::<Result<_, _>>().map_err(failed)?;
    let mut is_new = |id: &Option<&str>| id.is_none_or(|id| new.remove(id));
    let is_new: Vec<_> = ids.iter().map(&mut is_new).collect();
    let new = entries.iter().zip(is_new).filter(|(_, is_new)| *is_new);
    Ok(new.map(|(entry, _)| entry.clone()).collect())
}

async fn summarise(
    transaction: &Transaction<'_>,
    key: &SessionKey,
    summary: &SessionSummary,
) -> Result<(), StoreError> {
    let (project, session, _) = columns(key);
    let data = serde_json::to_string(&summary.data).map_err(StoreError::failed)?;
    let update = "UPDATE toolwright_sessions SET summary = $3,
        mtime = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
        WHERE project_key = $1 AND session_id = $2";
    answered(transaction.execute(update, &[project, session, &data])).await.map(drop)
}

/// The id of an entry, if it can be in the index: no text of PostgreSQL has a zero byte.
fn id(entry: &SessionEntry) -> Option<Cow<'_, str>> {
    entry.uuid().filter(|id| id.len() <= LONGEST_ID && !id.contains('\0'))
}

fn columns(key: &SessionKey) -> (&String, &String, &str) {
    (&key.project_key, &key.session_id, key.subpath.as_deref().unwrap_or_default())
}

async fn answered<T>(answer: impl Future<Output = Result<T, Error>>) -> Result<T, StoreError> {
    within(LONGEST, answer).await
}

async fn within<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, Error>>,
) -> Result<T, StoreError> {
    let late = |_| StoreError::failed(format!("PostgreSQL has not answered within {limit:?}"));
    timeout(limit, answer).await.map_err(late)?.map_err(failed)
}

fn failed(error: Error) -> StoreError {
    StoreError::failed(error)
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The parameters may have a password.
        f.write_str("PostgresStore")
    }
}

#[cfg(test)]
mod tests;
