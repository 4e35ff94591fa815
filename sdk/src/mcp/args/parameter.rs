//! A parameter as the macro describes it.

/// What `#[tool]` knows about a parameter.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parameter {
    /// As clients see it; empty where the parameter is a pattern.
    pub name: &'static str,
    /// Empty if there is none.
    pub description: &'static str,
}
