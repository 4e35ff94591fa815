//! What a tool expects of its arguments.

use serde_json::Value;

use crate::mcp::schema::check::{self, Null, Problem};

/// The name of a tool and the schema that was derived for its arguments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'a> {
    pub(crate) name: &'a str,
    /// `None` where the schema was given by hand.
    pub(crate) schema: Option<&'a Value>,
    /// True if the schema demands more than the types of the parameters enforce.
    pub(crate) constrained: bool,
}

impl Expected<'_> {
    /// The problems of the arguments by the schema.
    pub(super) fn problems(&self, arguments: &Value, null: Null) -> Vec<Problem> {
        self.schema.map(|schema| check::problems(schema, arguments, null)).unwrap_or_default()
    }

    /// True if arguments of the right types break the rest of the schema.
    pub(super) fn breaks_constraints(&self, arguments: &str) -> bool {
        self.constrained
            && serde_json::from_str(arguments)
                .is_ok_and(|value| !self.problems(&value, Null::Absence).is_empty())
    }
}
