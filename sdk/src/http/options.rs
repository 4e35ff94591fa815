//! What a service can be told.

use std::sync::Arc;
use std::time::Duration;

use super::auth::Auth;
use super::bus::Bus;
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
    /// header `Host` says, without a port. `*` allows all. Default: none.
    ///
    /// The check protects a server on a developer's machine from web pages whose name was rebound
    /// to the machine. A server behind a proxy is addressed by its public name.
    pub allowed_hosts: Vec<String>,
    /// The origins, such as `https://app.example.com`, whose web pages may use the server, besides
    /// those on an allowed host. `*` allows all. Default: none.
    pub allowed_origins: Vec<String>,
    /// The tokens that clients need. Default: none, so that everybody may use the server who can
    /// reach it.
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
    /// The time between comments on a silent stream. Default: 15 s.
    pub keep_alive: Duration,
    /// How many requests are in work at once; others are refused with the status 503. Default:
    /// 16,384.
    pub max_requests: usize,
    /// How many clients may listen for changes at once. Default: 1,024.
    pub max_listeners: usize,
    /// How many bytes of messages may wait for a client that does not read its stream. At the
    /// bound progress and log messages of tools are dropped; answers are not. Default: 1 MiB.
    pub max_unsent: usize,
    /// For [`serve`](super::serve): the path of the server. Default: `/mcp`.
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
    /// stops. Default: 5 s.
    pub grace: Duration,
    /// Carries changes of lists between the replicas of a server. Default: none.
    pub bus: Option<Arc<dyn Bus>>,
    /// The bounds of the calls of one session; the threads for plain functions are those of the
    /// whole service.
    pub limits: Limits,
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
            path: "/mcp".into(),
            max_connections: 4_096,
            head_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(90),
            grace: Duration::from_secs(5),
            bus: None,
            limits: Limits::default(),
        }
    }
}
