//! A store in Redis.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, FromRedisValue, RedisError};
use tokio::sync::Mutex;

use crate::agent::sessions::{
    SessionEntry, SessionKey, SessionStore, SessionSummary, StoreError, StoredSession, SummaryData,
    fold_session_summary,
};
use crate::failover::is_of_replica;

/// A [`SessionStore`] in Redis, version 6 or newer, or in Valkey (feature `redis-store`).
///
/// ```no_run
/// use std::sync::Arc;
///
/// use toolwright::agent::AgentOptions;
/// use toolwright::agent::sessions::RedisStore;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = Arc::new(RedisStore::open("redis://127.0.0.1:6379", "my-app")?);
/// let options = AgentOptions::builder().session_store(store).build()?;
/// # Ok(())
/// # }
/// ```
///
/// All keys begin with the prefix. Transcripts are lists and stay until they are deleted. Each call
/// to append is one script, which stores all entries or none, and each entry with an id once. With
/// Redis Cluster it cannot be used.
///
/// The store connects when it is first used, and again after a failure. What it asks over a
/// connection that was closed meanwhile it asks once more over a new one. An answer may take a
/// minute. For `rediss://` add the crate `redis` 1 with its feature `tokio-rustls-comp` to your
/// program.
pub struct RedisStore {
    client: Client,
    prefix: String,
    connection: Mutex<Option<MultiplexedConnection>>,
}

/// How long an answer may take: as long as a mirror waits. A transcript may have many MB, for which
/// the client's half a second is too short.
const LONGEST: Duration = Duration::from_secs(60);
/// How long it may take to connect.
const CONNECT: Duration = Duration::from_secs(10);

/// The summary of the session in the first argument, and which of the ids behind it are known.
const KNOWN: &str = r"
local known = {}
for at = 2, #ARGV do
    known[at - 1] = redis.call('SISMEMBER', KEYS[2], ARGV[at])
end
return {redis.call('HGET', KEYS[1], ARGV[1]) or '', known}";

/// Appends entries, each given behind its id. Those of a conversation must be new, and its summary
/// the one in the first argument, which the one in the second replaces; else nothing happens.
const APPEND: &str = r"
local entries, ids, sessions, summaries = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local session, subpath = ARGV[3], ARGV[4]
if subpath == '' then
    if (redis.call('HGET', summaries, session) or '') ~= ARGV[1] then return 0 end
    for at = 5, #ARGV, 2 do
        if ARGV[at] ~= '' and redis.call('SISMEMBER', ids, ARGV[at]) == 1 then return 0 end
    end
    redis.call('HSET', summaries, session, ARGV[2])
    local time = redis.call('TIME')
    redis.call('ZADD', sessions, time[1] * 1000 + math.floor(time[2] / 1000), session)
else
    redis.call('SADD', KEYS[5], subpath)
end
for at = 5, #ARGV, 2 do
    if ARGV[at] == '' or redis.call('SADD', ids, ARGV[at]) == 1 then
        redis.call('RPUSH', entries, ARGV[at + 1])
    end
end
return 1";

/// Deletes a transcript, or a conversation with all that is below it.
const DELETE: &str = r"
local entries, ids, sessions, summaries, subpaths = unpack(KEYS)
local session, subpath = ARGV[1], ARGV[2]
redis.call('DEL', entries, ids)
if subpath ~= '' then
    redis.call('SREM', subpaths, subpath)
else
    for _, below in ipairs(redis.call('SMEMBERS', subpaths)) do
        redis.call('DEL', entries .. '/' .. below, ids .. '/' .. below)
    end
    redis.call('DEL', subpaths)
    redis.call('ZREM', sessions, session)
    redis.call('HDEL', summaries, session)
end";

impl RedisStore {
    /// A store on the server at `url`, such as `redis://user:password@host:6379`, for keys with
    /// this prefix.
    ///
    /// # Errors
    ///
    /// This is no such URL.
    pub fn open(url: &str, prefix: impl Into<String>) -> Result<Self, StoreError> {
        let client = Client::open(url).map_err(StoreError::failed)?;
        Ok(Self { client, prefix: prefix.into(), connection: Mutex::default() })
    }

    async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, StoreError> {
        let was_connected = self.connection.lock().await.is_some();
        let answer = match self.attempt(command).await {
            // Nobody sees that a connection is closed while it is not used.
            Err(error) if was_connected && is_of_connection(&error) => self.attempt(command).await,
            answer => answer,
        };
        answer.map_err(StoreError::failed)
    }

    /// Forgets the connection after an error of it.
    async fn attempt<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisError> {
        let mut connection = self.connection().await?;
        let answer = command.query_async(&mut connection).await;
        if let Err(error) = &answer
            && (is_of_connection(error) || error.is_timeout())
        {
            *self.connection.lock().await = None;
        }
        answer
    }

    async fn connection(&self) -> Result<MultiplexedConnection, RedisError> {
        let mut known = self.connection.lock().await;
        if let Some(connection) = &*known {
            return Ok(connection.clone());
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT))
            .set_response_timeout(Some(LONGEST));
        let connection = self.client.get_multiplexed_async_connection_with_config(&config).await?;
        Ok(known.insert(connection).clone())
    }

    /// A script about a transcript, without its arguments.
    fn script(&self, script: &str, key: &SessionKey) -> Cmd {
        let SessionKey { project_key: project, session_id: session, .. } = key;
        let mut command = redis::cmd("EVAL");
        command.arg(script).arg(5).arg(self.entries(key)).arg(self.ids(key));
        command.arg(self.sessions(project)).arg(self.summaries(project));
        command.arg(self.subpaths(project, session));
        command
    }

    /// The summary of a session, and those of the entries that it does not have.
    async fn unknown(
        &self,
        key: &SessionKey,
        entries: &[SessionEntry],
    ) -> Result<(String, Vec<SessionEntry>), StoreError> {
        let mut ask = redis::cmd("EVAL");
        ask.arg(KNOWN).arg(2).arg(self.summaries(&key.project_key)).arg(self.ids(key));
        ask.arg(&key.session_id);
        let ids: Vec<_> = entries.iter().map(|entry| entry.uuid().unwrap_or_default()).collect();
        for id in &ids {
            ask.arg(&**id);
        }
        let (summary, known): (String, Vec<bool>) = self.ask(&ask).await?;
        let mut seen = HashSet::new();
        let all = entries.iter().zip(&ids).zip(known);
        let unknown = all.filter(|((_, id), known)| id.is_empty() || !known && seen.insert(*id));
        Ok((summary, unknown.map(|((entry, _), _)| entry.clone()).collect()))
    }

    fn name(&self, kind: &str, of: impl fmt::Display) -> String {
        format!("{}:{kind}:{of}", self.prefix)
    }

    fn entries(&self, key: &SessionKey) -> String {
        self.name("entries", key)
    }

    fn ids(&self, key: &SessionKey) -> String {
        self.name("ids", key)
    }

    /// The times of a project's sessions.
    fn sessions(&self, project: &str) -> String {
        self.name("sessions", project)
    }

    fn summaries(&self, project: &str) -> String {
        self.name("summaries", project)
    }

    fn subpaths(&self, project: &str, session: &str) -> String {
        self.name("subpaths", format_args!("{project}/{session}"))
    }
}

#[async_trait]
impl SessionStore for RedisStore {
    async fn append(&self, key: &SessionKey, entries: &[SessionEntry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        let SessionKey { session_id: session, subpath, .. } = key;
        loop {
            let (mut old, mut new) = (String::new(), String::new());
            let mut entries = Cow::Borrowed(entries);
            if subpath.is_none() {
                let unknown;
                (old, unknown) = self.unknown(key, &entries).await?;
                let known = serde_json::from_str(&old).ok().map(|data| summary(session, 0, data));
                let summary = fold_session_summary(known.as_ref(), key, &unknown);
                new = serde_json::to_string(&summary.data).map_err(StoreError::failed)?;
                entries = unknown.into();
            }
            let mut append = self.script(APPEND, key);
            append.arg(&old).arg(&new).arg(session).arg(subpath.as_deref().unwrap_or_default());
            for entry in &*entries {
                append.arg(&*entry.uuid().unwrap_or_default()).arg(entry.get());
            }
            // Another one has appended meanwhile, or all is done.
            if self.ask::<bool>(&append).await? {
                return Ok(());
            }
        }
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        let lines: Vec<String> = self.ask(&Cmd::lrange(self.entries(key), 0, -1)).await?;
        let entries = lines.iter().map(|line| SessionEntry::parse(line));
        let entries = entries.collect::<Result<Vec<_>, _>>().map_err(StoreError::failed)?;
        Ok((!entries.is_empty()).then_some(entries))
    }

    async fn list_sessions(&self, project_key: &str) -> Result<Vec<StoredSession>, StoreError> {
        let all = Cmd::zrange_withscores(self.sessions(project_key), 0, -1);
        let times: Vec<(String, u64)> = self.ask(&all).await?;
        let session = |(session_id, mtime)| StoredSession { session_id, mtime };
        Ok(times.into_iter().map(session).collect())
    }

    async fn list_session_summaries(
        &self,
        project_key: &str,
    ) -> Result<Vec<SessionSummary>, StoreError> {
        // The times first, so that none is later than that of the summary that it is said of.
        let sessions = self.list_sessions(project_key).await?.into_iter();
        let summaries = Cmd::hgetall(self.summaries(project_key));
        let mut summaries: HashMap<String, String> = self.ask(&summaries).await?;
        let summaries = sessions.filter_map(|StoredSession { session_id, mtime }| {
            let data = serde_json::from_str(&summaries.remove(&session_id)?).ok()?;
            Some(summary(&session_id, mtime, data))
        });
        Ok(summaries.collect())
    }

    async fn delete(&self, key: &SessionKey) -> Result<(), StoreError> {
        let mut delete = self.script(DELETE, key);
        delete.arg(&key.session_id).arg(key.subpath.as_deref().unwrap_or_default());
        self.ask(&delete).await
    }

    async fn list_subkeys(
        &self,
        project_key: &str,
        session_id: &str,
    ) -> Result<Vec<String>, StoreError> {
        self.ask(&Cmd::smembers(self.subpaths(project_key, session_id))).await
    }
}

/// Whether another connection may do: this one is lost, or its server takes nothing any more.
fn is_of_connection(error: &RedisError) -> bool {
    error.is_unrecoverable_error() || is_of_replica(error)
}

fn summary(session: &str, mtime: u64, data: SummaryData) -> SessionSummary {
    SessionSummary { session_id: session.to_owned(), mtime, data }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may have a password.
        f.debug_struct("RedisStore").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
