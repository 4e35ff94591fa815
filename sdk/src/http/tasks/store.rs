//! The rows of tasks in Redis.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Cmd, FromRedisValue, IntoConnectionInfo, RedisError};
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::failover::is_of_replica;
use crate::host::tasks::{Status, members};
use crate::mcp::names::Names;
use crate::mcp::protocol::{TaskState, write_json};
use crate::mcp::rounds::{Answers, Owner, read_answers};
use crate::mcp::tasks::TaskBounds;

/// How long Redis has to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// After an attempt to connect that has failed, everything fails at once for so long.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a sign of life counts.
const LEASE: Duration = Duration::from_secs(20);
/// How long a task has after it, from the first time that somebody asks: Redis may have been away
/// from all replicas, and the one that runs the task needs some seconds to connect again.
const GRACE: Duration = Duration::from_secs(10);
/// The status of such a task.
const LOST: &str = r#"{"code":-32603,"message":"The server that ran the task has stopped."}"#;

/// How many requests with answers may wait for the replica that runs the task.
const MOST_ANSWERS: usize = 64;
/// How many bytes of them may wait; a first one may have more, as the server takes it.
const MOST_BYTES: usize = 4 * 1024 * 1024;

// Each script has the keys of a task, of its answers and of its sign of life, and changes nothing
// of a task that has ended.
//
// Answers are removed once their replica says that it has got them, as a reply may be lost.
const BEAT: &str = r"
local ended = redis.call('HGET', KEYS[1], 'ended')
if not ended then return {'unknown'} end
if ended ~= '0' then return {} end
redis.call('SET', KEYS[3], '1', 'PX', ARGV[1])
redis.call('HDEL', KEYS[1], 'missed')
local got = tonumber(ARGV[2]) - tonumber(redis.call('HGET', KEYS[1], 'got') or 0)
if got > 0 then redis.call('LTRIM', KEYS[2], got, -1) end
local answers = redis.call('LRANGE', KEYS[2], 0, -1)
if got > 0 then
  local bytes = 0
  for _, answer in ipairs(answers) do bytes = bytes + #answer end
  redis.call('HSET', KEYS[1], 'got', ARGV[2], 'bytes', bytes)
end
table.insert(answers, 1, '')
return answers";

// A command may be repeated, as its reply was lost: it has ended the task itself if its name
// is there.
const UPDATE: &str = r"
local ended = redis.call('HGET', KEYS[1], 'ended')
if not ended then return 0 end
if ended ~= '0' then
  return redis.call('HGET', KEYS[1], 'by') == ARGV[4] and 1 or 2
end
redis.call('HSET', KEYS[1],
  'status', ARGV[1], 'ended', ARGV[2], 'updated', ARGV[3], 'by', ARGV[4])
if ARGV[2] == '1' then redis.call('DEL', KEYS[2], KEYS[3]) end
return 1";

const GET: &str = r"
if redis.call('HGET', KEYS[1], 'ended') == '0' and redis.call('EXISTS', KEYS[3]) == 0 then
  if redis.call('HSETNX', KEYS[1], 'missed', '1') == 1 then
    redis.call('SET', KEYS[3], '', 'PX', ARGV[3])
  else
    redis.call('HSET', KEYS[1], 'status', ARGV[1], 'ended', '1', 'updated', ARGV[2])
    redis.call('DEL', KEYS[2])
  end
end
return redis.call('HGETALL', KEYS[1])";

const ANSWER: &str = r"
if redis.call('HGET', KEYS[1], 'ended') ~= '0' then return 0 end
local count = redis.call('LLEN', KEYS[2])
local bytes = #ARGV[1] + tonumber(redis.call('HGET', KEYS[1], 'bytes') or 0)
if count >= tonumber(ARGV[2]) or (count > 0 and bytes > tonumber(ARGV[3])) then
  return redis.error_reply('too many answers wait for the replica that runs the task')
end
redis.call('HSET', KEYS[1], 'bytes', bytes)
redis.call('RPUSH', KEYS[2], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
return 1";

const INSERT: &str = r"
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('SET', KEYS[3], '1', 'PX', ARGV[2])
return 1";

/// A connection that is made when it is needed, and again when it was lost.
pub(super) struct Store {
    client: Client,
    prefix: String,
    names: Names,
    /// Locked during an attempt to connect, whose outcome is that of all who wait for it.
    link: Mutex<Link>,
}

#[derive(Default)]
enum Link {
    #[default]
    Unknown,
    Made(MultiplexedConnection),
    Failed(Instant, RedisError),
}

/// A task as it is stored.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) owner: Option<Arc<str>>,
    /// When it was created, and when it was changed last, in milliseconds since 1970.
    times: [u64; 2],
    /// How long it is stored from its beginning, in milliseconds.
    ttl: u64,
    /// The members of its status.
    status: String,
}

/// What the replica that runs a task finds.
pub(super) enum Pulse {
    /// It has been cancelled, or counts as lost.
    Ended,
    /// It is not stored: Redis has lost its data.
    Unknown,
    /// What other replicas have got for it.
    Answers(Vec<Answers>),
}

impl Store {
    pub(super) fn new(url: &str, prefix: &str) -> Result<Self, RedisError> {
        let client = Client::open(url.into_connection_info()?)?;
        let (names, link) = (Names::default(), Mutex::default());
        Ok(Self { client, prefix: prefix.to_owned(), names, link })
    }

    /// A name that no task and no command has had.
    pub(super) fn name(&self) -> String {
        format!("{:032x}", self.names.next())
    }

    /// Adds a task that is not stored, and has got so many requests with answers.
    pub(super) async fn insert(&self, id: &str, row: &Row, got: usize) -> Result<(), RedisError> {
        let mut command = self.script(INSERT, id);
        let [created, updated] = row.times;
        let left = row.ttl.saturating_sub(now().saturating_sub(created));
        command.arg(left).arg(millis(LEASE));
        command.arg("created").arg(created).arg("updated").arg(updated).arg("ttl").arg(row.ttl);
        command.arg("status").arg(&row.status).arg("ended").arg(0).arg("got").arg(got);
        if let Some(owner) = &row.owner {
            command.arg("owner").arg(&**owner);
        }
        self.run(&command).await
    }

    /// Changes a task. Returns false if it has ended already, and `None` if it is not stored.
    pub(super) async fn update(
        &self,
        id: &str,
        status: Status<'_>,
        ends: bool,
    ) -> Result<Option<bool>, RedisError> {
        let mut command = self.script(UPDATE, id);
        command.arg(status.members()).arg(u8::from(ends)).arg(now()).arg(self.name());
        let found: u8 = self.run(&command).await?;
        Ok((found > 0).then_some(found == 1))
    }

    /// Gives what has come for a task that runs here after the first `got` requests with answers,
    /// and counts it.
    pub(super) async fn beat(&self, id: &str, got: &mut usize) -> Result<Pulse, RedisError> {
        let mut command = self.script(BEAT, id);
        command.arg(millis(LEASE)).arg(*got);
        let found: Vec<String> = self.run(&command).await?;
        let Some((kind, answers)) = found.split_first() else { return Ok(Pulse::Ended) };
        if kind == "unknown" {
            return Ok(Pulse::Unknown);
        }
        *got += answers.len();
        Ok(Pulse::Answers(answers.iter().filter_map(|text| read_answers(text).ok()).collect()))
    }

    pub(super) async fn answer(&self, id: &str, answers: &Answers) -> Result<(), RedisError> {
        let mut command = self.script(ANSWER, id);
        command.arg(written(answers)).arg(MOST_ANSWERS).arg(MOST_BYTES);
        self.run(&command).await
    }

    pub(super) async fn get(&self, id: &str) -> Result<Option<Row>, RedisError> {
        let mut command = self.script(GET, id);
        command.arg(Status::Failed(LOST).members()).arg(now()).arg(millis(GRACE));
        let mut fields: HashMap<String, String> = self.run(&command).await?;
        let time = |name| fields.get(name).and_then(|time| time.parse().ok());
        let (Some(created), Some(updated)) = (time("created"), time("updated")) else {
            return Ok(None);
        };
        let ttl = time("ttl").unwrap_or_else(|| millis(TaskBounds::default().ttl));
        let Some(status) = fields.remove("status") else { return Ok(None) };
        let owner = fields.remove("owner").map(Arc::from);
        Ok(Some(Row { owner, times: [created, updated], ttl, status }))
    }

    pub(super) async fn remove(&self, id: &str) -> Result<(), RedisError> {
        let mut command = redis::cmd("DEL");
        command.arg(self.keys(id).as_slice());
        self.run(&command).await
    }

    /// The keys of a task. The braces keep them on one node of a cluster.
    fn keys(&self, id: &str) -> [String; 3] {
        ["", ":answers", ":runs"].map(|kind| format!("{}:task:{{{id}}}{kind}", self.prefix))
    }

    fn script(&self, script: &str, id: &str) -> Cmd {
        let mut command = redis::cmd("EVAL");
        command.arg(script).arg(3).arg(self.keys(id).as_slice());
        command
    }

    /// Runs a command, once more if the connection was lost meanwhile. Each may be repeated.
    async fn run<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisError> {
        match self.run_once(command).await {
            Err(error) if error.is_connection_dropped() => self.run_once(command).await,
            result => result,
        }
    }

    async fn run_once<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisError> {
        let mut connection = self.connection().await?;
        let result = command.query_async(&mut connection).await;
        if let Err(error) = &result
            && (error.is_io_error() || error.is_unrecoverable_error() || is_of_replica(error))
            // Whoever has the lock connects already.
            && let Ok(mut link) = self.link.try_lock()
        {
            *link = Link::Unknown;
        }
        result
    }

    async fn connection(&self) -> Result<MultiplexedConnection, RedisError> {
        let mut link = self.link.lock().await;
        match &*link {
            Link::Made(connection) => return Ok(connection.clone()),
            Link::Failed(at, error) if at.elapsed() < PAUSE => return Err(error.clone()),
            _ => {}
        }
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let made = self.client.get_multiplexed_async_connection_with_config(&config).await;
        *link = match &made {
            Ok(connection) => Link::Made(connection.clone()),
            Err(error) => Link::Failed(Instant::now(), error.clone()),
        };
        made
    }
}

impl Row {
    /// A task that begins now.
    pub(super) fn new(owner: Option<Owner>, ttl: Duration) -> Self {
        let (owner, status) = (owner.map(|owner| owner.0), Status::Working.members());
        Self { owner, times: [now(); 2], ttl: millis(ttl), status }
    }

    /// Its open questions are these now.
    pub(super) fn ask(&mut self, questions: Option<&str>) {
        self.times[1] = now();
        self.status = Status::of_questions(questions).members();
    }

    pub(super) fn state(self, id: &str) -> TaskState {
        let times = self.times.map(|time| UNIX_EPOCH + Duration::from_millis(time));
        let members = members(id, &self.status, times, Duration::from_millis(self.ttl));
        TaskState { id: id.into(), owner: self.owner, members }
    }
}

/// Answers as the JSON text of an object.
fn written(answers: &Answers) -> Vec<u8> {
    let mut out = b"{".to_vec();
    for (at, (key, answer)) in answers.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_json(&mut out, key);
        out.push(b':');
        out.extend_from_slice(answer.as_bytes());
    }
    out.push(b'}');
    out
}

fn now() -> u64 {
    millis(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_do_not_wait_one_after_the_other_while_redis_is_silent() {
        // The system takes the connections, and nobody reads them.
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("redis://{}", silent.local_addr().unwrap());
        let store = Store::new(&url, "p").unwrap();
        let begun = Instant::now();
        let get = async || store.get("t").await.err().map(|_| begun.elapsed().as_secs());
        assert_eq!(tokio::join!(get(), get(), get()), (Some(5), Some(5), Some(5)));
        // It is not asked again for a second.
        assert_eq!(get().await, Some(5));
        tokio::time::advance(PAUSE).await;
        assert_eq!(get().await, Some(11));
    }
}
