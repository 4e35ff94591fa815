//! What a tool expects of its arguments.

use serde_json::Value;

use crate::mcp::schema::Bounds;

/// The name of a tool and the schema that was derived for its arguments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) name: &'a str,
    /// `None` where the schema was given by hand.
    pub(crate) schema: Option<&'a Value>,
    /// What the arguments must keep besides their types, if anything.
    pub(crate) bounds: Option<&'a Bounds>,
}
