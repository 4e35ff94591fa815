//! A function as its macro describes it.

use std::time::Duration;

use serde_json::Value;

use super::Callee;
use crate::mcp::args::Parameter;
use crate::mcp::call::Kind;
use crate::mcp::protocol::{Icon, TaskSupport};

/// What a macro knows about a function. A constant describes it, so that there is no code for
/// this.
#[doc(hidden)]
#[derive(Debug)]
pub struct Function {
    /// The name that clients use.
    pub name: &'static str,
    /// The display name; empty if there is none.
    pub title: &'static str,
    /// White space around it is left out, which the text of a file often has.
    pub description: &'static str,
    /// Where its calls run.
    pub kind: Kind,
    /// The hints `read_only`, `destructive`, `idempotent` and `open_world` of a tool.
    pub hints: [Option<bool>; 4],
    /// How long a call may take, in milliseconds; 0 means no limit.
    pub timeout_ms: u64,
    /// In their order.
    pub parameters: &'static [Parameter],
    /// The sources of the icons.
    pub icons: &'static [&'static str],
    /// The entries of `_meta`.
    pub meta: &'static [Entry],
    /// What a token must allow for a tool.
    pub scopes: &'static [&'static str],
    /// Whether the calls of a tool may become tasks.
    pub task: Option<TaskSupport>,
}

/// A key and its value.
type Entry = (&'static str, fn() -> Value);

impl Function {
    /// What clients call, still without a schema.
    pub(crate) fn callee(&self) -> Callee {
        let mut callee = Callee::new(self.name.into(), self.description.trim_ascii().into());
        callee.title = (!self.title.is_empty()).then(|| self.title.into());
        callee.kind = self.kind;
        callee.timeout = (self.timeout_ms > 0).then(|| Duration::from_millis(self.timeout_ms));
        callee.parameters = self.parameters;
        for icon in self.icons {
            callee.icons.push(Icon::new(*icon));
        }
        for (key, value) in self.meta {
            callee.meta.insert((*key).to_owned(), value());
        }
        callee
    }
}
