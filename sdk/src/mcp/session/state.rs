//! What a session knows from one line to the next.

use std::fmt;
use std::sync::{Arc, Weak};

use super::in_flight::InFlight;
use super::questions::Questions;
use super::subscriptions::Subscriptions;
use crate::mcp::context::{Connection, Host};
use crate::mcp::extensions::Extensions;
use crate::mcp::link::{CallId, Link};
use crate::mcp::protocol::{LoggingLevel, Revision};
use crate::mcp::registry::{ToolRegistry, View};
use crate::mcp::tool::Tool;

/// One connection's side of the protocol: a line in, messages and calls out. It does no I/O, knows
/// no clock and runs nothing.
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
/// The host of a session gives it every line ([`Session::receive`]), runs the calls that come of
/// it, gives back their results ([`Session::finish`]) and sends what is in the [`Outbox`]. A host
/// with threads keeps both behind one lock and runs [`After`] once it has released that.
///
/// [`Outbox`]: super::super::Outbox
/// [`After`]: super::super::After
pub struct Session {
    pub(super) registry: ToolRegistry,
    pub(super) tools: View<Tool>,
    pub(super) in_flight: InFlight,
    pub(super) questions: Questions,
    pub(super) subscriptions: Subscriptions,
    pub(super) connection: Arc<Connection>,
    /// What `initialize` has settled; only requests of the legacy era see it.
    pub(super) legacy: Revision,
    pub(super) is_initialized: bool,
    /// The registry tells `link` of changes.
    pub(super) hears_changes: bool,
}

impl Session {
    /// A session of `registry`. Through `link` running tools and the registry reach it; a dead one
    /// keeps them silent.
    pub fn new(registry: &ToolRegistry, host: Host, link: Weak<dyn Link>) -> Self {
        let connection = Connection {
            host,
            link: Some(link),
            client: None,
            capabilities: None,
            log_level: LoggingLevel::Info,
            extensions: Arc::new(Extensions::within(&registry.server().extensions)),
        };
        Self {
            registry: registry.clone(),
            tools: registry.tool_list().view(),
            in_flight: InFlight::default(),
            questions: Questions::default(),
            subscriptions: Subscriptions::default(),
            connection: Arc::new(connection),
            legacy: Revision::LATEST_LEGACY,
            is_initialized: false,
            hears_changes: false,
        }
    }

    /// Values that the tools of this session find through their contexts, from the next call on.
    pub fn extensions_mut(&mut self) -> &mut Extensions {
        Arc::make_mut(&mut Arc::make_mut(&mut self.connection).extensions)
    }

    /// Whether the client still waits for this call's answer.
    pub fn is_running(&self, call: &CallId) -> bool {
        self.in_flight.is_running(call)
    }

    /// How many calls are not answered yet.
    pub fn running(&self) -> usize {
        self.in_flight.len()
    }

    /// The registry that is served.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Session");
        debug.field("registry", &self.registry).field("running", &self.running());
        debug.finish_non_exhaustive()
    }
}
