//! Who a server is, apart from what it holds.

use std::sync::Arc;

use crate::mcp::extensions::Extensions;
use crate::mcp::protocol::{Eras, Implementation};

/// What a registry says of itself.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) info: Implementation,
    /// `info` as JSON text, which goes with every result of the modern era.
    pub(crate) info_json: Vec<u8>,
    pub(crate) instructions: Option<String>,
    pub(crate) eras: Eras,
    pub(crate) page_size: usize,
    pub(crate) extensions: Arc<Extensions>,
}
