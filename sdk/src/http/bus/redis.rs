//! A bus over Redis.

use std::convert::Infallible;
use std::fmt;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::{
    AsyncConnectionConfig, AsyncTypedCommands, Client, IntoConnectionInfo, ProtocolVersion,
    PushInfo, PushKind, RedisError, Value,
};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use super::{Bus, Change, Heard};

/// How many changes wait to be sent. One more, and a single change of everything replaces
/// them.
const MOST_UNSENT: usize = 64;
/// After such a silence Redis is asked whether it is there, and it has as long to answer anything.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The pause before the first attempt to connect again. Each pause is twice as long as the one
/// before.
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A [`Bus`] on a channel of Redis, version 6 or newer, or of Valkey (feature `redis`).
///
/// ```no_run
/// use std::sync::Arc;
/// use toolwright::http::{Options, RedisBus};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut options = Options::default();
/// options.bus = Some(Arc::new(RedisBus::open("redis://127.0.0.1:6379", "calc")?));
/// # Ok(())
/// # }
/// ```
///
/// All replicas of a server use the same channel, and other servers do not. Nothing is stored in
/// Redis; what is sent names a kind of list, the URI of a resource or the id of a task. Without
/// [`Options::auth`](super::super::Options::auth) whoever knows the id of a task may ask for its
/// result and cancel it, so let nobody else read the channel.
///
/// The server runs whether Redis can be reached or not. A connection that is lost, or silent for 20
/// seconds, is replaced: the first attempt follows after 0.1 s, the later ones with growing pauses
/// of at most 5 s. Changes of this replica wait until then. Those of others may have been missed,
/// so that with each new connection the clients are told that all lists and resources may have
/// changed, and in which state their tasks are.
///
/// For `rediss://` add the crate `redis` 1 with its feature `tokio-rustls-comp` to your program.
pub struct RedisBus {
    line: Arc<Line>,
    task: AbortHandle,
}

/// A text is no URL of a Redis server, or of one that needs a feature of the crate `redis`.
#[derive(Debug)]
pub struct BadRedisUrl(pub(in crate::http) RedisError);

/// What the bus shares with the task that keeps it connected.
struct Line {
    client: Client,
    channel: String,
    heartbeat: Duration,
    state: Mutex<State>,
    /// Something is to be sent, or the connection is lost.
    woken: Notify,
}

#[derive(Default)]
struct State {
    unsent: Vec<Change>,
    listeners: Vec<Arc<Heard>>,
}

impl RedisBus {
    /// A bus on a channel of the server at `url`, such as `redis://user:password@host:6379`. It
    /// connects in the background, until it is dropped.
    ///
    /// # Errors
    ///
    /// This is no such URL.
    ///
    /// # Panics
    ///
    /// There is no tokio runtime here.
    pub fn open(url: &str, channel: &str) -> Result<Self, BadRedisUrl> {
        Self::with(url, channel, HEARTBEAT)
    }

    fn with(url: &str, channel: &str, heartbeat: Duration) -> Result<Self, BadRedisUrl> {
        let line = Arc::new(Line::new(url, channel, heartbeat).map_err(BadRedisUrl)?);
        let task = tokio::spawn(line.clone().run()).abort_handle();
        Ok(Self { line, task })
    }
}

impl Bus for RedisBus {
    fn publish(&self, change: &Change) {
        self.line.send(change);
    }

    fn listen(&self, heard: Heard) {
        self.line.lock().listeners.push(Arc::new(heard));
    }
}

impl Drop for RedisBus {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Line {
    fn new(url: &str, channel: &str, heartbeat: Duration) -> Result<Self, RedisError> {
        let info = url.into_connection_info()?;
        // In this version of the protocol one connection both publishes and is subscribed.
        let settings = info.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        Ok(Self {
            client: Client::open(info.set_redis_settings(settings))?,
            channel: channel.to_owned(),
            heartbeat,
            state: Mutex::default(),
            woken: Notify::new(),
        })
    }

    /// Keeps the bus connected.
    async fn run(self: Arc<Self>) {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let begun = Instant::now();
            let Err(error) = self.serve().await;
            // No attempt to connect takes so long: there was a connection.
            if begun.elapsed() > 3 * self.heartbeat {
                pause = SHORTEST_PAUSE;
            }
            tracing::warn!(channel = self.channel, %error, "the bus is not connected");
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Connects, and serves until the connection is lost.
    async fn serve(self: &Arc<Self>) -> Result<Infallible, RedisError> {
        let line = self.clone();
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.heartbeat))
            .set_response_timeout(Some(self.heartbeat))
            .set_push_sender(move |pushed| {
                line.receive(&pushed);
                Ok::<(), Infallible>(())
            });
        let mut connection =
            self.client.get_multiplexed_async_connection_with_config(&config).await?;
        connection.subscribe(&self.channel).await?;
        self.hear(&Change::anything());
        tracing::info!(channel = self.channel, "the bus is connected");
        loop {
            let unsent = mem::take(&mut self.lock().unsent);
            for (at, change) in unsent.iter().enumerate() {
                let sent = connection.publish(&self.channel, change.to_string()).await;
                sent.inspect_err(|_| unsent[at..].iter().for_each(|change| self.send(change)))?;
            }
            if unsent.is_empty() {
                connection.ping().await?;
            }
            let _ = timeout(self.heartbeat, self.woken.notified()).await;
        }
    }

    fn receive(&self, pushed: &PushInfo) {
        match (&pushed.kind, &*pushed.data) {
            (PushKind::Message, [_, Value::BulkString(text)]) => {
                let text = String::from_utf8_lossy(text);
                match text.parse() {
                    Ok(change) => self.hear(&change),
                    Err(error) => tracing::debug!(channel = self.channel, %error),
                }
            }
            (PushKind::Disconnection, _) => self.woken.notify_one(),
            _ => {}
        }
    }

    /// Passes a change to those who listen.
    fn hear(&self, change: &Change) {
        let listeners = self.lock().listeners.clone();
        listeners.iter().for_each(|heard| heard(change));
    }

    /// Sends a change as soon as there is a connection.
    fn send(&self, change: &Change) {
        let all = Change::anything();
        let mut state = self.lock();
        if !state.unsent.contains(change) && !state.unsent.contains(&all) {
            match state.unsent.len() < MOST_UNSENT {
                true => state.unsent.push(change.clone()),
                false => state.unsent = vec![all],
            }
        }
        drop(state);
        self.woken.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RedisBus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL may have a password.
        f.debug_struct("RedisBus").field("channel", &self.line.channel).finish_non_exhaustive()
    }
}

impl fmt::Display for BadRedisUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "this is no URL of a Redis server, or of one that needs a feature of the crate `redis`",
        )
    }
}

impl std::error::Error for BadRedisUrl {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

#[cfg(test)]
mod tests;
