//! A server's description, without its lists.

use std::sync::{Arc, OnceLock};

use crate::mcp::extensions::Extensions;
use crate::mcp::protocol::{Caching, Eras, Implementation, ListKind, Offers};
use crate::mcp::rounds::InMemory;
use crate::mcp::span::Parent;
use crate::mcp::tasks::Tasks;
use crate::mcp::tool::Layer;

/// What a registry tells clients about itself.
#[derive(Debug, Default)]
pub(crate) struct Server {
    pub(crate) info: Implementation,
    /// `info` as JSON text, which is part of every result of the modern era.
    pub(crate) info_json: Vec<u8>,
    pub(crate) instructions: Option<String>,
    pub(crate) eras: Eras,
    pub(crate) page_size: usize,
    pub(crate) offers: Offers,
    /// Of `server/discover`, and of the lists that have none of their own.
    pub(crate) caching: Caching,
    /// Of the lists, by [`ListKind`].
    pub(crate) list_caching: [Option<Caching>; ListKind::ALL.len()],
    pub(crate) extensions: Arc<Extensions>,
    pub(crate) layers: Vec<Layer>,
    pub(crate) parent: Option<Parent>,
    /// What the calls of its sessions have asked, between their rounds.
    pub(crate) rounds: Arc<InMemory>,
    /// The tasks of its sessions, from the first host of one, if a tool supports tasks.
    pub(crate) tasks: OnceLock<Arc<dyn Tasks>>,
}

impl Server {
    /// For how long clients may use a list of this kind.
    pub(crate) fn caching_of(&self, list: ListKind) -> Caching {
        self.list_caching[list as usize].unwrap_or(self.caching)
    }
}
