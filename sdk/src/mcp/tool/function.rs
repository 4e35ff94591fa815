//! A function under `#[tool]`, as the macro describes it.

use std::time::Duration;

use serde_json::Value;

use super::definition::Definition;
use crate::mcp::args::Parameter;
use crate::mcp::call::Kind;
use crate::mcp::protocol::{Icon, ToolAnnotations};

/// What `#[tool]` knows about a function. A constant describes it, so that a tool has no code for
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
    /// The hints `read_only`, `destructive`, `idempotent` and `open_world`.
    pub hints: [Option<bool>; 4],
    /// How long a call may take, in milliseconds; 0 means no limit.
    pub timeout_ms: u64,
    /// In their order.
    pub parameters: &'static [Parameter],
    /// The sources of the icons.
    pub icons: &'static [&'static str],
    /// The entries of `_meta`.
    pub meta: &'static [Entry],
    /// What a token must allow.
    pub scopes: &'static [&'static str],
}

/// A key and its value.
type Entry = (&'static str, fn() -> Value);

impl Function {
    /// The definition of the tool, still without schemas.
    pub(super) fn definition(&self) -> Definition {
        let mut tool = Definition::new(self.name.into(), self.description.trim().into());
        tool.title = (!self.title.is_empty()).then(|| self.title.into());
        tool.kind = self.kind;
        tool.timeout = (self.timeout_ms > 0).then(|| Duration::from_millis(self.timeout_ms));
        tool.parameters = self.parameters;
        let [read_only_hint, destructive_hint, idempotent_hint, open_world_hint] = self.hints;
        tool.annotations = ToolAnnotations {
            title: None,
            read_only_hint,
            destructive_hint,
            idempotent_hint,
            open_world_hint,
        };
        tool.icons = self.icons.iter().copied().map(Icon::new).collect();
        tool.meta = self.meta.iter().map(|(key, value)| ((*key).to_owned(), value())).collect();
        tool.scopes = self.scopes.iter().copied().map(Into::into).collect();
        tool
    }
}
