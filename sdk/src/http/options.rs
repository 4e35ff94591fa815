//! What a service can be told.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::auth::Auth;
use super::bus::Bus;
#[cfg(feature = "redis")]
use super::tasks::RedisTasks;
use crate::host::Limits;

/// Who may use a [`Service`](super::Service), and its bounds. The defaults suit a server on
/// loopback.
///
/// ```
/// use toolwright::http::Options;
///
/// let mut options = Options::default();
/// options.allowed_hosts.push("mcp.example.com".into());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The names, besides those of loopback, by which clients may address the server: what their
    /// header `Host` says. Ports do not count. `*` allows all, and so pages of all hosts. What is
    /// no name, such as a URL, fits no request, and is logged. Default: none.
    ///
    /// The check protects a server on a developer's machine from web pages whose name was rebound
    /// to the machine. A server behind a proxy is addressed by its public name.
    pub allowed_hosts: Vec<String>,
    /// The origins, such as `https://app.example.com`, whose web pages may use the server, besides
    /// those on an allowed host. `*` allows all. Default: none.
    ///
    /// A browser sends a page's request to another origin only after the server has allowed it by
    /// CORS, which is left to a layer in front of a [`Service`](super::Service), such as that of
    /// `tower-http`: [`serve`](super::serve) has none.
    pub allowed_origins: Vec<String>,
    /// The tokens that clients need. Default: none, so that everybody may use the server who can
    /// reach it, unless a layer in front of a [`Service`](super::Service) checks who it is.
    pub auth: Option<Auth>,
    /// The most bytes of a request's body. Default: 4 MiB.
    pub max_body: usize,
    /// How long the body of a request may take to arrive. Default: 30 s.
    pub body_timeout: Duration,
    /// Answers are never streams: progress and log messages of tools are dropped, and clients
    /// cannot listen for changes. Default: false.
    pub json_only: bool,
    /// How long a call may be silent before its answer becomes a stream, whose comments keep the
    /// connection alive. Default: 10 s.
    pub stream_after: Duration,
    /// The time between comments on a silent stream; with 0 only its beginning is one. Default:
    /// 15 s.
    pub keep_alive: Duration,
    /// How many requests are in work at once; others are refused with the status 503. Clients that
    /// only listen do not count. Default: 16,384.
    pub max_requests: usize,
    /// How many clients may listen for changes at once. Default: 1,024.
    pub max_listeners: usize,
    /// How many bytes of messages may wait for a client that does not read its stream. At the
    /// bound progress and log messages of tools are dropped, and a client that listens hears once
    /// of many changes of the same; answers are not dropped. Default: 1 MiB.
    pub max_unsent: usize,
    /// Sessions for clients of the revisions before 2026-07-28. Default: none, so that every
    /// request stands alone and any replica can answer it. Without sessions tools cannot ask such a
    /// client, it cannot subscribe to resources, its own notifications are not heard, and it gets
    /// the logs of `info` and above, whatever level it has set. With sessions it needs one: its
    /// requests without are refused (400).
    pub sessions: Option<Sessions>,
    /// Lets any replica continue a call that has asked its client (2026-07-28). Default: none, so
    /// that only the process continues it in which it has begun.
    #[cfg(feature = "sealed-state")]
    pub state_key: Option<StateKey>,
    /// For [`serve`](super::serve): the path of the server, at whose end a slash means nothing.
    /// Default: `/mcp`.
    pub path: String,
    /// For [`serve`](super::serve): how many connections are open at once; others wait until one
    /// closes. Default: 4,096.
    pub max_connections: usize,
    /// For [`serve`](super::serve): how long the head of a request may take to arrive. Default:
    /// 10 s.
    pub head_timeout: Duration,
    /// For [`serve`](super::serve): how long a connection may be idle between requests, and how
    /// long a client may take no bytes of an answer. It should be longer than that of a balancer in
    /// front. Default: 90 s.
    pub idle_timeout: Duration,
    /// For [`serve_until`](super::serve_until): how long running calls may continue once the server
    /// stops, on the connections that have them. Default: 5 s.
    pub grace: Duration,
    /// Carries changes of lists between the replicas of a server: `RedisBus`, with the feature
    /// `redis`, or one of your own. Default: none.
    pub bus: Option<Arc<dyn Bus>>,
    /// The tasks of all replicas of a server (2026-07-28). Default: none, so that only the process
    /// knows a task in which it has begun.
    #[cfg(feature = "redis")]
    pub tasks: Option<RedisTasks>,
    /// The bounds of the calls of one session; the threads for plain functions are those of the
    /// whole service.
    pub limits: Limits,
}

/// Sessions, which give clients of the revisions before 2026-07-28 what needs a memory of them:
/// they answer the questions of tools, hear of changes of the tools, can cancel calls, set the
/// level of logs, and resume an answer that was cut.
///
/// ```
/// use toolwright::http::{Options, Sessions};
///
/// let mut options = Options::default();
/// options.sessions = Some(Sessions::default());
/// ```
///
/// A client hears of changes on the stream that it opens by GET; those while it has none are lost.
/// So a client that opens one again should list the tools again too.
///
/// A session belongs to the process that has begun it, so a balancer in front needs affinity: it
/// must send all requests with the same `Mcp-Session-Id` to the same replica, or all replicas must
/// have the same [`key`](Self::key).
#[derive(Clone)]
#[non_exhaustive]
pub struct Sessions {
    /// How long a session is kept that has neither a running call nor an open response, and how
    /// long questions wait for a client that has left the response of their call. Default: 1 h.
    pub idle: Duration,
    /// How many sessions are kept. One more ends the one that was used the longest time ago; those
    /// with an open response come later, those with a running call last. Default: 10,000.
    pub max: usize,
    /// With a key, a session that this process does not know is begun again, if its id was made
    /// with the key: after a restart or [`idle`](Self::idle), and on any replica with the same key.
    /// The id has its revision, and what tools can ask its client for; what else the client has
    /// said of itself is not known again, nor to which resources it has subscribed and which logs
    /// it wants. Only the process that a client has told to end its session does not begin that
    /// again, while it remembers it as one of the last 4,096. Streams, changes of the tools,
    /// cancellation and questions to the client stay with one replica: another one ignores the
    /// answer to a question, so tools that ask need affinity all the same. So do clients that
    /// subscribe to resources or set the level of logs. The key should be random and must be
    /// secret. Default: none.
    pub key: Option<[u8; 32]>,
    /// How many bytes of messages each session keeps for a client that does not read its streams,
    /// or resumes one. At the bound the oldest progress and log messages are dropped, of the stream
    /// that has the most; if there are no more, the oldest answers, which the client can resume
    /// then no longer. The newest message of a running request is not dropped, nor are, of each
    /// stream, up to 64 questions and 256 KiB of changes that the client has not read. With 0,
    /// streams cannot be resumed. Default: 1 MiB.
    pub replay: usize,
    /// How long after its answer a stream can be resumed. Default: 60 s.
    pub replay_for: Duration,
}

/// A key for the state of calls that ask their clients. In 2026-07-28 the client sends the request
/// once more, with its answers and with what the server has to remember: sealed with the key, which
/// all replicas have.
///
/// ```
/// use toolwright::http::{Options, StateKey};
///
/// # let secret = [7; 32];
/// let mut options = Options::default();
/// options.state_key = Some(StateKey::new(secret));
/// ```
///
/// The sealed state holds the answers of the client and the results of
/// [`Context::once`](crate::Context::once), up to 1 MiB. An effect happens once, unless the result
/// of its round is lost on its way to the client and another replica repeats the round. A state
/// counts on replicas of the same build: elsewhere its request may be refused with error -32602.
#[cfg(feature = "sealed-state")]
#[derive(Clone)]
#[non_exhaustive]
pub struct StateKey {
    /// The key. It should be random and must be secret.
    pub key: [u8; 32],
    /// How long a client may take to answer. Default: 1 h.
    pub lifetime: Duration,
}

#[cfg(feature = "sealed-state")]
impl StateKey {
    /// This key, with the default lifetime.
    pub fn new(key: [u8; 32]) -> Self {
        Self { key, lifetime: Duration::from_secs(3_600) }
    }
}

#[cfg(feature = "sealed-state")]
impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateKey").field("lifetime", &self.lifetime).finish_non_exhaustive()
    }
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(3_600),
            max: 10_000,
            key: None,
            replay: 1024 * 1024,
            replay_for: Duration::from_secs(60),
        }
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { idle, max, key, replay, replay_for } = self;
        f.debug_struct("Sessions")
            .field("idle", idle)
            .field("max", max)
            .field("key", &key.map(|_| "secret"))
            .field("replay", replay)
            .field("replay_for", replay_for)
            .finish()
    }
}

impl Default for Options {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            auth: None,
            max_body: 4 * MIB,
            body_timeout: Duration::from_secs(30),
            json_only: false,
            stream_after: Duration::from_secs(10),
            keep_alive: Duration::from_secs(15),
            max_requests: 16_384,
            max_listeners: 1_024,
            max_unsent: MIB,
            sessions: None,
            #[cfg(feature = "sealed-state")]
            state_key: None,
            path: "/mcp".into(),
            max_connections: 4_096,
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(90),
            grace: Duration::from_secs(5),
            bus: None,
            #[cfg(feature = "redis")]
            tasks: None,
            limits: Limits::default(),
        }
    }
}
