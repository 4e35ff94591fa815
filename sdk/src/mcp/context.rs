//! What a running tool can learn about its call, and the messages it can send before its result.

mod connection;
mod seed;

use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::Waker;

use super::asked::{Answer, Answering, Asked};
use super::cancel::CancelToken;
use super::extensions::Extensions;
use super::link::{CallId, Link, Speech, Words};
use super::protocol::{
    Capability, CustomNotification, Implementation, ListKind, LoggingLevel, Meta, NotifyError,
    RequestId, Revision, Topic, Write, shown, write_json,
};
use super::recorded::{Recorded, Recorder};
use super::rounds::{InMemory, RoundEnd, Talk};
use crate::scan::on_one_line;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use connection::Connection;
pub use connection::Host;
pub(crate) use seed::{Asking, Reach, Seed};

/// The call that a tool runs in.
///
/// ```
/// use toolwright::{Context, tool};
///
/// /// Count words.
/// #[tool]
/// async fn count(text: &str, cx: &Context) -> usize {
///     cx.progress(0.5, "half way");
///     text.split_whitespace().count()
/// }
/// ```
///
/// A clone is cheap and may outlive the call. Then [`notify_session`](Context::notify_session) and
/// [`tools_changed`](Context::tools_changed) still reach the client; other messages are dropped.
#[derive(Clone)]
pub struct Context {
    pub(super) call: Arc<Inner>,
    /// In place of those of the call, if a layer has added some.
    extensions: Option<Arc<Extensions>>,
}

/// Who calls: where a decoder finds what belongs to its call.
pub(crate) trait Caller {
    /// A context of the call; making one allocates.
    fn context(&self) -> Context;

    fn extensions(&self) -> &Extensions;
}

pub(super) struct Inner {
    pub(super) connection: Arc<Connection>,
    /// `None` without a client, and for a notification of the client.
    pub(super) call: Option<(CallId, Revision)>,
    pub(super) reach: Reach,
    /// The fingerprint of the request; 0 in the legacy era.
    pub(super) request: u64,
    pub(super) talk: Talk,
    log_level: Option<LoggingLevel>,
    /// The JSON text of the client's progress token, and the bits of the last progress sent.
    progress: Option<(Box<str>, AtomicU64)>,
    cancel: CancelToken,
    extensions: Extensions,
    /// The JSON text of `_meta`.
    meta_text: Option<Box<str>>,
    meta: OnceLock<Map<String, Value>>,
    client: OnceLock<Option<Implementation>>,
    capabilities: OnceLock<Map<String, Value>>,
    /// Of a unit test.
    pub(super) recorder: Option<Box<Recorder>>,
}

impl Context {
    /// A context for a unit test. It records what the tool reports, and the test may cancel it.
    ///
    /// ```
    /// use toolwright::{Context, tool};
    ///
    /// #[tool]
    /// async fn work(cx: &Context) -> &'static str {
    ///     cx.progress(0.5, "half way");
    ///     if cx.is_cancelled() { "cancelled" } else { "done" }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached();
    /// assert_eq!(work(&cx).await, "done");
    /// assert_eq!(cx.recorded().progress, [(0.5, 1.0, "half way")]);
    ///
    /// cx.cancel_token().cancel();
    /// assert_eq!(work(&cx).await, "cancelled");
    /// # }
    /// ```
    #[inline]
    pub fn detached() -> Self {
        let mut context = Self::within(Extensions::default());
        if let Some(inner) = Arc::get_mut(&mut context.call) {
            inner.recorder = Some(Box::default());
        }
        context
    }

    /// A [detached](Self::detached) context whose questions, and those of its clones, this closure
    /// answers; see [`Asked`] for an example. Without it they fail with [`AskError::Unsupported`].
    ///
    /// [`AskError::Unsupported`]: crate::AskError::Unsupported
    #[must_use = "it answers the questions of the context that it returns"]
    pub fn answering(self, answer: impl Fn(Asked) -> Answer + Send + Sync + 'static) -> Self {
        if let Some(recorder) = &self.call.recorder {
            recorder.answer_by(Answering(Arc::new(answer)));
        }
        self
    }

    /// A context that also has this value, which [`extension`](Self::extension) finds: for the test
    /// of a function that expects one from a layer or from the registry.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use toolwright::Context;
    ///
    /// struct User(&'static str);
    ///
    /// let cx = Context::detached().with_extension(User("Ada"));
    /// assert_eq!(cx.extension::<User>().map(|user| user.0), Some("Ada"));
    /// // One in an `Arc` is found as well.
    /// let cx = Context::detached().with_extension(Arc::new(User("Ada")));
    /// assert_eq!(cx.extension::<User>().map(|user| user.0), Some("Ada"));
    /// ```
    #[must_use = "it returns the context that has the value"]
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.insert(value);
        self
    }

    /// What was reported to this [detached](Self::detached) context so far. Empty for a call: its
    /// client gets the reports, or nobody does.
    #[inline]
    pub fn recorded(&self) -> Recorded {
        self.call.recorder.as_ref().map(|recorder| recorder.recorded()).unwrap_or_default()
    }

    /// A context without a client, with these extensions.
    fn within(extensions: Extensions) -> Self {
        let connection = Connection {
            number: 0,
            host: Host::Detached,
            link: None,
            client: None,
            capabilities: None,
            log_level: LoggingLevel::Info,
            extensions: Arc::default(),
            keeper: Arc::<InMemory>::default(),
        };
        Self::of_no_call(Arc::new(connection), extensions)
    }

    /// A context for what a client of this session sends without a call.
    pub(super) fn of_session(connection: Arc<Connection>) -> Self {
        let extensions = Extensions::within(&connection.extensions);
        Self::of_no_call(connection, extensions)
    }

    fn of_no_call(connection: Arc<Connection>, extensions: Extensions) -> Self {
        let call = Inner {
            connection,
            call: None,
            reach: Reach::Client,
            request: 0,
            talk: Talk::default(),
            log_level: None,
            progress: None,
            cancel: CancelToken::default(),
            extensions,
            meta_text: None,
            meta: OnceLock::new(),
            client: OnceLock::new(),
            capabilities: OnceLock::new(),
            recorder: None,
        };
        Self { call: Arc::new(call), extensions: None }
    }

    /// Reports progress to the client: `done` is a fraction of 1. As MCP demands, it is sent only
    /// if the client asked for progress, and only if `done` has grown. Clients of the TypeScript
    /// SDK lose a last progress that comes right before the result.
    pub fn progress(&self, done: f64, message: impl AsRef<str>) {
        self.progress_of(done, 1.0, message);
    }

    /// Like [`Context::progress`], with `done` of `total` in a unit of your own. A total of 0 is
    /// one that is not known: it is left out, as an empty message is.
    pub fn progress_of(&self, done: f64, total: f64, message: impl AsRef<str>) {
        if let Some(recorder) = &self.call.recorder {
            return recorder.progress(done, total, message.as_ref());
        }
        let Some((token, last)) = &self.call.progress else { return };
        if !done.is_finite() || !total.is_finite() {
            return;
        }
        // This is user code, which must not run under the host's lock.
        let message = message.as_ref();
        let has_message = self.call.call.as_ref().is_none_or(|(_, revision)| {
            !message.is_empty() && revision.profile().has_progress_messages
        });
        let is_due = || {
            let is_more = done > f64::from_bits(last.load(Ordering::Relaxed));
            if is_more {
                last.store(done.to_bits(), Ordering::Relaxed);
            }
            is_more
        };
        self.say("notifications/progress", &is_due, &mut |out| {
            out.extend_from_slice(b"\"progressToken\":");
            out.extend_from_slice(token.as_bytes());
            out.extend_from_slice(b",\"progress\":");
            write_json(out, &done);
            if total > 0.0 {
                out.extend_from_slice(b",\"total\":");
                write_json(out, &total);
            }
            if has_message {
                out.extend_from_slice(b",\"message\":");
                write_json(out, message);
            }
        });
    }

    /// Sends a log message to the client, if it asked for messages of this severity. Logs of the
    /// program itself go through `tracing`.
    pub fn log(&self, level: LoggingLevel, value: impl Serialize) {
        self.log_from(None, level, &value);
    }

    /// Like [`Context::log`], with the name of the part of the program that logs.
    ///
    /// ```
    /// use toolwright::{Context, LoggingLevel, tool};
    ///
    /// #[tool]
    /// async fn search(words: &str, cx: &Context) {
    ///     cx.log_as("index", LoggingLevel::Warning, format!("{words}: the index is old"));
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached();
    /// search("milk", &cx).await;
    /// assert_eq!(cx.recorded().logs[0].logger.as_deref(), Some("index"));
    /// # }
    /// ```
    pub fn log_as(&self, logger: impl AsRef<str>, level: LoggingLevel, value: impl Serialize) {
        self.log_from(Some(logger.as_ref()), level, &value);
    }

    fn log_from(&self, logger: Option<&str>, level: LoggingLevel, value: &impl Serialize) {
        if let Some(recorder) = &self.call.recorder {
            return shown(value).map_or((), |value| recorder.log(logger, level, value));
        }
        if self.call.log_level.is_none_or(|least| level < least) {
            return;
        }
        let Ok(data) = serde_json::to_string(value).map(on_one_line) else { return };
        self.say("notifications/message", &|| true, &mut |out| {
            out.extend_from_slice(b"\"level\":");
            write_json(out, &level);
            if let Some(logger) = logger {
                out.extend_from_slice(b",\"logger\":");
                write_json(out, logger);
            }
            out.extend_from_slice(b",\"data\":");
            out.extend_from_slice(data.as_bytes());
        });
    }

    /// Sends the client of this call a notification of your own, outside of MCP, before the result.
    /// `params` is a JSON object; null means none. It is dropped where progress would be: without a
    /// client, for one that is behind with reading, over HTTP if the response cannot be a stream,
    /// and after the call. [`ToolRegistry::notify`] sends those that belong to no call.
    ///
    /// ```
    /// use toolwright::{Context, NotifyError, json, tool};
    ///
    /// #[tool]
    /// async fn draw(cx: &Context) -> Result<(), NotifyError> {
    ///     cx.notify("notifications/canvas/stroke", json!({"from": [0, 0], "to": [3, 4]}))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached();
    /// draw(&cx).await.unwrap();
    /// let (method, params) = &cx.recorded().notifications[0];
    /// assert_eq!(method, "notifications/canvas/stroke");
    /// assert_eq!(params["to"], json!([3, 4]));
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The method is one of MCP, or `params` is not a JSON object.
    ///
    /// [`ToolRegistry::notify`]: crate::ToolRegistry::notify
    pub fn notify(&self, method: &str, params: impl Serialize) -> Result<(), NotifyError> {
        let custom = CustomNotification::new(method, &params)?;
        match &self.call.recorder {
            Some(recorder) => recorder.notification(&custom),
            None => self.say(&custom.method, &|| true, &mut |out| custom.write(out)),
        }
        Ok(())
    }

    /// Sends the client of this call a notification of your own that belongs to no call: also when
    /// this one has ended. So a clone of the context that is kept reaches this one client, where
    /// [`ToolRegistry::notify`] reaches all. Clients of 2026-07-28 do not get it, as they get only
    /// what they have asked for.
    ///
    /// ```
    /// # #[cfg(feature = "testing")] {
    /// use std::sync::Mutex;
    ///
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Context, ToolRegistry, json, toolset};
    ///
    /// #[derive(Default)]
    /// struct Desk {
    ///     waiting: Mutex<Vec<Context>>,
    /// }
    ///
    /// #[toolset]
    /// impl Desk {
    ///     /// Wait for a visitor.
    ///     #[tool]
    ///     fn wait(&self, cx: Context) {
    ///         self.waiting.lock().expect("nobody panics here").push(cx);
    ///     }
    ///
    ///     /// Ring the bell.
    ///     #[tool]
    ///     fn ring(&self) {
    ///         let (method, params) = ("notifications/desk/bell", json!({}));
    ///         // Those who have left are forgotten.
    ///         let mut waiting = self.waiting.lock().expect("nobody panics here");
    ///         waiting.retain(|cx| cx.notify_session(method, &params).is_ok());
    ///     }
    /// }
    ///
    /// let registry = ToolRegistry::builder("desk").toolset(Desk::default()).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// client.call("wait", json!({}))?;
    /// client.call("ring", json!({}))?;
    /// assert_eq!(client.notifications()?[0]["method"], "notifications/desk/bell");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Over HTTP it is sent on the stream on which a client with a session listens for changes.
    ///
    /// # Errors
    ///
    /// The method is one of MCP, or `params` is not a JSON object, or the session has ended, as it
    /// does over HTTP after each request that belongs to no session.
    ///
    /// [`ToolRegistry::notify`]: crate::ToolRegistry::notify
    pub fn notify_session(&self, method: &str, params: impl Serialize) -> Result<(), NotifyError> {
        let custom = CustomNotification::new(method, &params)?;
        if let Some(recorder) = &self.call.recorder {
            recorder.notification(&custom);
            return Ok(());
        }
        let link = self.link().ok_or(NotifyError::Closed)?;
        link.speak(Speech(Words::Custom(&custom)));
        Ok(())
    }

    /// Tells the client of this call that it has other tools now, as the
    /// [filter](crate::ToolRegistryBuilder::tool_filter) answers differently; also after the call.
    /// Over HTTP this reaches only clients with a session;
    /// [`ToolRegistry::tools_changed`](crate::ToolRegistry::tools_changed) tells others, too.
    #[inline]
    pub fn tools_changed(&self) {
        if let Some(link) = self.link() {
            link.speak(Speech(Words::Changed(&Topic::List(ListKind::Tools))));
        }
    }

    /// Waits until the call is cancelled. An `async` tool is dropped then, so this is for work that
    /// the tool has started elsewhere.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + '_ {
        self.call.cancel.cancelled()
    }

    /// True if the call was cancelled; a plain function checks this from time to time.
    pub fn is_cancelled(&self) -> bool {
        self.call.cancel.is_cancelled()
    }

    /// The token that [`Context::cancelled`] waits for.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.call.cancel
    }

    /// The id of the request; `None` without a client, and for a notification.
    pub fn request_id(&self) -> Option<&RequestId> {
        self.call.call.as_ref().map(|(call, _)| call.request_id())
    }

    /// `_meta` of the request. Claude Code says in it, as `claudecode/toolUseId`, which call of the
    /// model's it is: the id of the `tool_use` block, which hooks and permissions have as
    /// `tool_use_id`.
    pub fn meta(&self) -> &Map<String, Value> {
        self.call.meta.get_or_init(|| members(self.call.meta_text.as_deref()))
    }

    /// The client's description of itself; for display. `None` without a client. On HTTP clients of
    /// the revisions before 2026-07-28 describe themselves in the handshake only, so there it is
    /// `None` too, unless they have a session that began in this process.
    #[inline]
    pub fn client(&self) -> Option<&Implementation> {
        let text = self.told(&self.call.connection.client, |meta| meta.client_info);
        self.call.client.get_or_init(|| serde_json::from_str(text?).ok()).as_ref()
    }

    /// The capabilities that the client has declared: `sampling`, `elicitation`, `roots`, …; empty
    /// without a client, and on HTTP where [`Context::client`] says so, except that a session with
    /// a key knows on any replica which of these questions its client takes.
    #[inline]
    pub fn client_capabilities(&self) -> &Map<String, Value> {
        let text = self.told(&self.call.connection.capabilities, |meta| meta.client_capabilities);
        self.call.capabilities.get_or_init(|| members(text))
    }

    /// The revision of the protocol that the request is in, such as `2025-11-25`; empty without a
    /// client, and for a notification.
    pub fn protocol_version(&self) -> &'static str {
        self.call.call.as_ref().map_or("", |(_, revision)| revision.profile().version)
    }

    /// Where the session runs.
    pub fn host(&self) -> Host {
        self.call.connection.host
    }

    /// The number of the session in this program; 0 without a client.
    pub(crate) fn session_number(&self) -> u64 {
        self.call.connection.number
    }

    /// A value of this type from the call, else from its session, else from its server, where
    /// [`state`](crate::ToolRegistryBuilder::state) has put it, too.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.extensions().get()
    }

    /// Adds a value for this context and its clones from now on.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: T) {
        let of_call = || Arc::new(self.call.extensions.clone());
        Arc::make_mut(self.extensions.get_or_insert_with(of_call)).insert(value);
    }

    /// The end of a run that cannot continue in this round.
    pub(crate) fn end_of_round(&self, waker: &Waker) -> Option<RoundEnd> {
        let end = || self.call.talk.end(waker, self.call.request, &*self.call.connection.keeper);
        self.has_rounds().then(end)?
    }

    /// The questions of the call.
    #[cfg(feature = "host")]
    pub(crate) fn talk(&self) -> &Talk {
        &self.call.talk
    }

    /// The run of the call is over.
    pub(crate) fn end(&self) {
        self.call.talk.close(&*self.call.connection.keeper);
    }

    /// What the client would have to declare for the questions that have failed.
    pub(crate) fn lacking(&self) -> Vec<Capability> {
        match self.has_rounds() {
            true => self.call.talk.lacking(),
            false => Vec::new(),
        }
    }

    /// The call asks its client by results, and not by requests.
    pub(super) fn has_rounds(&self) -> bool {
        self.call.call.as_ref().is_some_and(|(_, revision)| revision.profile().has_rounds)
    }

    /// A member from the session's handshake, or from the request's `_meta`.
    pub(super) fn told<'a>(
        &'a self,
        by_handshake: &'a Option<Box<str>>,
        in_meta: impl Fn(Meta<'a>) -> Option<&'a str>,
    ) -> Option<&'a str> {
        match self.call.call.as_ref().is_none_or(|(_, revision)| revision.profile().has_handshake) {
            true => by_handshake.as_deref(),
            false => in_meta(Meta::leading(self.call.meta_text.as_deref()?).ok()?),
        }
    }

    /// Sends a notification unless the call has ended. The session checks that under its lock, so
    /// no notification follows the answer.
    #[inline]
    fn say(&self, method: &str, is_due: &dyn Fn() -> bool, params: Write<'_>) {
        if let (Some((call, _)), Some(link)) = (&self.call.call, self.link()) {
            link.speak(Speech(Words::Notify { call, method, is_due, params }));
        }
    }

    #[inline]
    pub(super) fn link(&self) -> Option<Arc<dyn Link>> {
        self.call.connection.link.as_ref()?.upgrade()
    }
}

impl Caller for Seed<'_> {
    fn context(&self) -> Context {
        let has_rounds = self.revision.profile().has_rounds;
        let call = Inner {
            connection: self.connection.clone(),
            call: Some((self.call.clone(), self.revision)),
            reach: self.asking.reach,
            request: if has_rounds { self.fingerprint() } else { 0 },
            talk: Talk::new(self.given.as_deref().cloned().unwrap_or_default()),
            log_level: self.log_level,
            progress: self
                .progress_token
                .map(|token| (token.into(), AtomicU64::new(f64::NEG_INFINITY.to_bits()))),
            cancel: CancelToken::default(),
            extensions: self.extensions.clone(),
            meta_text: self.meta.map(Into::into),
            meta: OnceLock::new(),
            client: OnceLock::new(),
            capabilities: OnceLock::new(),
            recorder: None,
        };
        Context { call: Arc::new(call), extensions: None }
    }

    fn extensions(&self) -> &Extensions {
        &self.extensions
    }
}

/// A call without a client.
impl Caller for Extensions {
    fn context(&self) -> Context {
        Context::within(self.clone())
    }

    fn extensions(&self) -> &Extensions {
        self
    }
}

/// A call whose context exists already.
impl Caller for Context {
    fn context(&self) -> Context {
        self.clone()
    }

    fn extensions(&self) -> &Extensions {
        self.extensions.as_deref().unwrap_or(&self.call.extensions)
    }
}

fn members(object: Option<&str>) -> Map<String, Value> {
    match object.map(str::parse) {
        Some(Ok(Value::Object(members))) => members,
        _ => Map::new(),
    }
}

impl fmt::Debug for Context {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.request_id()).finish()
    }
}
