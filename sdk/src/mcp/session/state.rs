//! The state that a session keeps between lines.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use super::in_flight::InFlight;
use super::questions::Questions;
use super::subscriptions::Subscriptions;
use crate::mcp::context::{Connection, Host};
use crate::mcp::extensions::Extensions;
use crate::mcp::link::{CallId, Link};
use crate::mcp::prompt::Prompt;
use crate::mcp::protocol::{LoggingLevel, Revision};
use crate::mcp::registry::{ToolRegistry, View};
use crate::mcp::resource::Resource;
#[cfg(feature = "http")]
use crate::mcp::rounds::Keeper;
use crate::mcp::tool::Tool;

/// How many sessions the program has had.
static SESSIONS: AtomicU64 = AtomicU64::new(1);

/// One connection's side of the protocol: takes lines, returns messages and calls. It does no I/O,
/// uses no clock and runs nothing.
///
/// ```
/// use std::sync::Weak;
/// use toolwright::ToolRegistry;
/// use toolwright::mcp::{Host, Link, Outbox, Session, Speech, Step};
///
/// struct Nobody;
/// impl Link for Nobody {
///     fn speak(&self, _: Speech<'_>) {}
/// }
///
/// let registry = ToolRegistry::builder("calc").build()?;
/// let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
/// let mut outbox = Outbox::new();
/// let step = session.receive(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, &mut outbox);
/// assert!(matches!(step, Step::Idle));
/// assert_eq!(outbox.take(Vec::new()), b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
/// # Ok::<(), toolwright::BuildError>(())
/// ```
///
/// The host passes every line to [`Session::receive`], runs the calls that this returns, passes
/// their results to [`Session::finish`] and sends the messages in the [`Outbox`]. A host with
/// threads keeps both behind one lock and runs [`After`] once it has released the lock.
///
/// [`Outbox`]: super::super::Outbox
/// [`After`]: super::super::After
pub struct Session {
    pub(super) registry: ToolRegistry,
    pub(super) tools: View<Tool>,
    pub(super) prompts: View<Prompt>,
    /// Those that are no templates.
    pub(super) resources: View<Resource>,
    pub(super) templates: View<Resource>,
    pub(super) in_flight: InFlight,
    pub(super) questions: Questions,
    pub(super) subscriptions: Subscriptions,
    pub(super) connection: Arc<Connection>,
    /// The capabilities of the client are known by other means than the handshake.
    pub(super) assumes_client: bool,
    /// The revision that `initialize` settled, for requests of the legacy era only.
    pub(super) legacy: Revision,
    pub(super) is_initialized: bool,
    /// The registry notifies `link` of changes.
    pub(super) hears_changes: bool,
    /// The client cannot be notified of changes.
    pub(super) is_brief: bool,
    /// The calls of the next message can ask the client.
    pub(super) can_ask: bool,
    /// The session is for one message.
    pub(super) is_alone: bool,
}

impl Session {
    /// A session of `registry`. Running tools and the registry send messages through `link`; if it
    /// is dead, they send none.
    pub fn new(registry: &ToolRegistry, host: Host, link: Weak<dyn Link>) -> Self {
        let connection = Connection {
            number: SESSIONS.fetch_add(1, Ordering::Relaxed),
            host,
            link: Some(link),
            client: None,
            capabilities: None,
            log_level: LoggingLevel::Info,
            extensions: Arc::new(registry.server().values()),
            keeper: registry.server().rounds.clone(),
        };
        Self {
            registry: registry.clone(),
            tools: registry.tool_list().view(),
            prompts: registry.prompt_list().view(),
            resources: registry.resource_list().view(),
            templates: registry.template_list().view(),
            in_flight: InFlight::default(),
            questions: Questions::default(),
            subscriptions: Subscriptions::default(),
            connection: Arc::new(connection),
            assumes_client: false,
            legacy: Revision::LATEST_LEGACY,
            is_initialized: false,
            hears_changes: false,
            is_brief: false,
            can_ask: true,
            is_alone: false,
        }
    }

    /// Values that the tools of this session find through their contexts, from the next call on.
    #[inline]
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        Arc::make_mut(&mut Arc::make_mut(&mut self.connection).extensions)
    }

    /// Settles the revision of requests that do not name theirs, as `initialize` does, for a host
    /// that knows it by other means: over HTTP each request has it in a header. Returns false, and
    /// changes nothing, if `version` is not one of the served revisions with a handshake.
    ///
    /// ```
    /// # use std::sync::Weak;
    /// # use toolwright::ToolRegistry;
    /// # use toolwright::mcp::{Host, Link, Session, Speech};
    /// # struct Nobody;
    /// # impl Link for Nobody {
    /// #     fn speak(&self, _: Speech<'_>) {}
    /// # }
    /// # let registry = ToolRegistry::builder("calc").build()?;
    /// let mut session = Session::new(&registry, Host::InProcess, Weak::<Nobody>::new());
    /// assert!(session.assume("2025-03-26"));
    /// assert!(!session.assume("2026-07-28"));
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn assume(&mut self, version: &str) -> bool {
        let found = Revision::of_session(version);
        let found = found.filter(|_| self.registry.server().eras.legacy());
        self.legacy = found.unwrap_or(self.legacy);
        found.is_some()
    }

    /// Settles the capabilities of the client, whatever it declares in `initialize`: for a host
    /// that answers requests in its place, or knows what it has declared elsewhere. `capabilities`
    /// is a JSON object.
    #[cfg(any(feature = "agent", feature = "http"))]
    pub(crate) fn assume_client(&mut self, capabilities: &str) {
        self.assumes_client = true;
        Arc::make_mut(&mut self.connection).capabilities = Some(capabilities.into());
    }

    /// Numbers the questions after this one, for a session that may have asked elsewhere: an answer
    /// to a question there is none to one here.
    #[cfg(feature = "http")]
    pub(crate) fn ask_after(&mut self, number: u64) {
        self.questions.last = number;
    }

    /// The session promises no notifications of changes: its client has no stream for them.
    #[cfg(feature = "http")]
    pub(crate) fn be_brief(&mut self) {
        self.is_brief = true;
    }

    /// Sets whether the calls of the next messages can ask the client: over HTTP only those can
    /// whose response is a stream, and whose client can answer on another request.
    #[cfg(feature = "http")]
    pub(crate) fn let_ask(&mut self, can_ask: bool) {
        self.can_ask = can_ask;
    }

    /// The session is for one message of a client that has no other session here: calls cannot ask
    /// it, as the answers would come with other messages, and notifications of its own are not
    /// heard.
    #[cfg(feature = "http")]
    pub(crate) fn be_alone(&mut self) {
        self.is_alone = true;
        self.can_ask = false;
    }

    /// Keeps what calls have asked here, and not in the registry.
    #[cfg(feature = "http")]
    pub(crate) fn keep_rounds_in(&mut self, keeper: &Arc<dyn Keeper>) {
        Arc::make_mut(&mut self.connection).keeper = keeper.clone();
    }

    /// True if this call is not answered yet.
    pub fn is_running(&self, call: &CallId) -> bool {
        self.in_flight.is_running(call)
    }

    /// The number of calls that are not answered yet.
    pub fn running(&self) -> usize {
        self.in_flight.len()
    }

    /// The registry that the session serves.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }
}

impl fmt::Debug for Session {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("registry", &self.registry).finish_non_exhaustive()
    }
}
