//! The tools that are linked into a program.

use super::Tool;

/// A function under `#[tool]`, and where it stands. The macro submits one for each.
#[doc(hidden)]
#[derive(Debug)]
pub struct Collected {
    /// As `module_path!` has it.
    pub module: &'static str,
    /// As `file!` has it.
    pub file: &'static str,
    /// As `line!` has it.
    pub line: u32,
    /// As `column!` has it.
    pub column: u32,
    /// The tool.
    pub tool: fn() -> Tool,
}

inventory::collect!(Collected);

impl Tool {
    /// All of them, in source order. The linker has them in any order.
    pub(crate) fn collected() -> Vec<Self> {
        let mut found: Vec<_> =
            inventory::iter::<Collected>.into_iter().map(|it| (it.place(), (it.tool)())).collect();
        // What one call of a user's macro wrote stands at one place.
        found.sort_by(|(a, tool), (b, other)| (a, tool.name()).cmp(&(b, other.name())));
        found.into_iter().map(|(_, tool)| tool).collect()
    }
}

impl Collected {
    fn place(&self) -> (&'static str, &'static str, u32, u32) {
        let krate = self.module.split("::").next().unwrap_or_default();
        (krate, self.file, self.line, self.column)
    }
}
