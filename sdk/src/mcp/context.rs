//! What a running tool knows of its call, and how it speaks before it has answered.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde::Serialize;
use serde_json::{Map, Value};

use super::cancel::CancelToken;
use super::link::{CallId, Link};
use super::protocol::{Implementation, LoggingLevel, RequestId, write_json};

/// The call a tool runs in. Take it as a parameter: `cx: &Context`. A clone is cheap and may
/// outlive the call; what it then sends is dropped.
#[derive(Clone)]
pub struct Context(Arc<Call>);

/// Where a session runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Host {
    /// A program that serves on its standard input and output.
    Stdio,
    /// Inside another program.
    InProcess,
    /// Nowhere: a unit test, or [`ToolRegistry::call`](crate::ToolRegistry::call).
    Detached,
}

pub(crate) struct Call {
    pub(crate) host: Host,
    /// How to reach the client, where there is one.
    pub(crate) peer: Option<Peer>,
    pub(crate) protocol_version: &'static str,
    /// The texts of `_meta` and of the client's description of itself.
    pub(crate) meta: Option<Box<str>>,
    pub(crate) client: Option<Arc<str>>,
    pub(crate) cancel: CancelToken,
    pub(crate) decoded_meta: OnceLock<Map<String, Value>>,
    pub(crate) decoded_client: OnceLock<Option<Implementation>>,
}

pub(crate) struct Peer {
    pub(crate) call: CallId,
    pub(crate) link: Arc<dyn Link>,
    /// The JSON text of the token with which the client asked for progress, and the last progress
    /// sent.
    pub(crate) progress: Option<(Box<str>, Mutex<f64>)>,
    /// The least severity that the client wants to see; set by the request in the modern era, by
    /// the session in the legacy one.
    pub(crate) log_level: Option<LoggingLevel>,
}

impl Context {
    /// A context for a unit test: nobody hears its progress and logs, nobody cancels it.
    pub fn detached() -> Self {
        Self::new(Call {
            host: Host::Detached,
            peer: None,
            protocol_version: "",
            meta: None,
            client: None,
            cancel: CancelToken::default(),
            decoded_meta: OnceLock::new(),
            decoded_client: OnceLock::new(),
        })
    }

    pub(crate) fn new(call: Call) -> Self {
        Self(Arc::new(call))
    }

    /// Tells the client how far the work has come: `done` is a fraction of 1. Sent only if the
    /// client asked for progress, and only when `done` has grown, as MCP demands. Clients of the
    /// TypeScript SDK lose a last progress that comes right before the result.
    pub fn progress(&self, done: f64, message: impl AsRef<str>) {
        self.progress_of(done, 1.0, message);
    }

    /// Like [`Context::progress`], counting `done` of `total` in a unit of your own. An empty
    /// message is left out.
    pub fn progress_of(&self, done: f64, total: f64, message: impl AsRef<str>) {
        let Some((peer, (token, last))) =
            self.0.peer.as_ref().and_then(|peer| Some((peer, peer.progress.as_ref()?)))
        else {
            return;
        };
        if !done.is_finite() || !total.is_finite() {
            return;
        }
        // Code of the user's, which must not run in the session's turn.
        let message = message.as_ref();
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if done <= *last {
            return;
        }
        *last = done;
        peer.notify("notifications/progress", |out| {
            out.extend_from_slice(b"\"progressToken\":");
            out.extend_from_slice(token.as_bytes());
            out.extend_from_slice(b",\"progress\":");
            write_json(out, &done);
            out.extend_from_slice(b",\"total\":");
            write_json(out, &total);
            if !message.is_empty() {
                out.extend_from_slice(b",\"message\":");
                write_json(out, message);
            }
        });
    }

    /// Sends a log message to the client, if it asked for messages of this severity. What the
    /// program logs for itself goes through `tracing`.
    pub fn log(&self, level: LoggingLevel, value: impl Serialize) {
        let Some(peer) = &self.0.peer else { return };
        if peer.log_level.is_none_or(|least| level < least) {
            return;
        }
        let Ok(mut data) = serde_json::to_vec(&value) else { return };
        // Between its tokens JSON that is passed on as it is may have line ends, and a message is
        // one line.
        data.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        peer.notify("notifications/message", |out| {
            out.extend_from_slice(b"\"level\":");
            write_json(out, &level);
            out.extend_from_slice(b",\"data\":");
            out.extend_from_slice(&data);
        });
    }

    /// Waits until the call is cancelled; an `async` tool is dropped then, so this is for what the
    /// tool has started elsewhere.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.0.cancel.cancelled()
    }

    /// Whether the call was cancelled, for a plain function to look at from time to time.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancel.is_cancelled()
    }

    /// The token behind [`Context::cancelled`].
    pub fn cancel_token(&self) -> &CancelToken {
        &self.0.cancel
    }

    /// The id of the request, where there is a client.
    pub fn request_id(&self) -> Option<&RequestId> {
        self.0.peer.as_ref().map(|peer| peer.call.request_id())
    }

    /// `_meta` of the request.
    pub fn meta(&self) -> &Map<String, Value> {
        self.0.decoded_meta.get_or_init(|| {
            self.0
                .meta
                .as_deref()
                .and_then(|text| serde_json::from_str(text).ok())
                .unwrap_or_default()
        })
    }

    /// The client as it describes itself.
    pub fn client(&self) -> Option<&Implementation> {
        let decode = || self.0.client.as_deref().and_then(|text| serde_json::from_str(text).ok());
        self.0.decoded_client.get_or_init(decode).as_ref()
    }

    /// The protocol's revision that the request is in, such as `2025-11-25`; empty where there is
    /// no client.
    pub fn protocol_version(&self) -> &'static str {
        self.0.protocol_version
    }

    /// Where the session runs.
    pub fn host(&self) -> Host {
        self.0.host
    }
}

impl Peer {
    /// Sends a notification unless the call is over: the session decides that, in turn with
    /// everything else it says.
    fn notify(&self, method: &str, params: impl Fn(&mut Vec<u8>)) {
        self.link.notify(&self.call, &mut |out| {
            out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"");
            out.extend_from_slice(method.as_bytes());
            out.extend_from_slice(b"\",\"params\":{");
            params(out);
            out.extend_from_slice(b"}}\n");
        });
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("host", &self.0.host)
            .field("request_id", &self.request_id())
            .finish_non_exhaustive()
    }
}
