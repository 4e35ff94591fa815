//! What a tool expects of its arguments.

use serde_json::Value;

use super::parameter::Parameter;
use crate::mcp::schema::Bounds;

/// The name of a tool, its parameters, and the schema that was derived for its arguments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) name: &'a str,
    /// Empty where the schema was given by hand.
    pub(crate) parameters: &'static [Parameter],
    /// `None` where the schema was given by hand.
    pub(crate) schema: Option<&'a Value>,
    /// What the arguments must keep besides their types, if anything.
    pub(crate) bounds: Option<&'a Bounds>,
}
