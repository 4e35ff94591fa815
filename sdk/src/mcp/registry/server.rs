//! A server's description, without its lists.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use super::listeners::Listeners;
use super::session_states::SessionStates;
use super::tool_filter::ToolFilter;
use crate::mcp::call::Subject as _;
use crate::mcp::custom::CustomRequest;
use crate::mcp::extensions::Extensions;
use crate::mcp::protocol::{Caching, Eras, Implementation, ListKind, Offers};
use crate::mcp::rounds::InMemory;
use crate::mcp::span::Parent;
use crate::mcp::tasks::{TaskBounds, Tasks};
use crate::mcp::tool::Layer;

/// What a registry tells clients about itself.
#[derive(Default)]
pub(crate) struct Server {
    pub(crate) info: Implementation,
    /// `info` as JSON text, which is part of every result of the modern era.
    pub(crate) info_json: Vec<u8>,
    pub(crate) instructions: Option<String>,
    pub(crate) eras: Eras,
    pub(crate) page_size: usize,
    /// Capabilities outside of the protocol, with their settings.
    pub(crate) experimental: Map<String, Value>,
    /// Extensions of the protocol that the library does not know, with their settings.
    pub(crate) declared: Map<String, Value>,
    /// What it offered when it was built.
    pub(crate) offers: Offers,
    /// What has come since.
    pub(super) late: Late,
    /// Of `server/discover`, and of the lists that have none of their own.
    pub(crate) caching: Caching,
    /// Of the lists, by [`ListKind`].
    pub(crate) list_caching: [Option<Caching>; ListKind::ALL.len()],
    pub(crate) extensions: Arc<Extensions>,
    pub(super) session_states: SessionStates,
    pub(super) layers: Vec<Layer>,
    /// Which tools are there for whom; all if there is none.
    pub(crate) tool_filter: Option<ToolFilter>,
    /// What takes notifications outside of the protocol.
    pub(crate) listeners: Listeners,
    /// What answers requests outside of the protocol.
    pub(super) custom_requests: Vec<CustomRequest>,
    pub(crate) parent: Option<Parent>,
    /// What the calls of its sessions have asked, between their rounds.
    pub(crate) rounds: Arc<InMemory>,
    pub(crate) task_bounds: TaskBounds,
    /// The tasks of its sessions, from the first host of one, if a tool supports tasks.
    pub(crate) tasks: OnceLock<Arc<dyn Tasks>>,
}

/// Clients that connect later are told of it.
#[derive(Default)]
pub(super) struct Late {
    completions: AtomicBool,
    views: AtomicBool,
}

impl Server {
    /// What answers the requests by a method outside of the protocol.
    pub(crate) fn custom_request(&self, method: &str) -> Option<&CustomRequest> {
        self.custom_requests.iter().rfind(|custom| custom.method.name() == method)
    }

    /// The values that a new session finds: its own, and those of the server.
    pub(crate) fn values(&self) -> Extensions {
        self.session_states.begin(&self.extensions)
    }

    /// What clients that connect now are offered.
    pub(crate) fn offers(&self) -> Offers {
        let Offers { completions, views, .. } = self.offers;
        Offers {
            completions: completions || self.late.completions.load(Ordering::Relaxed),
            views: views || self.late.views.load(Ordering::Relaxed),
            ..self.offers
        }
    }

    /// Something was added that completes, or a view.
    pub(super) fn add_offers(&self, completions: bool, views: bool) {
        self.late.completions.fetch_or(completions, Ordering::Relaxed);
        self.late.views.fetch_or(views, Ordering::Relaxed);
    }

    /// For how long clients may use a list of this kind.
    pub(crate) fn caching_of(&self, list: ListKind) -> Caching {
        self.list_caching[list as usize].unwrap_or(self.caching)
    }
}
