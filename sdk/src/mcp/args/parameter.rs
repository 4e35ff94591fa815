//! A parameter as the macro describes it.

use serde_json::Value;

/// What `#[tool]` knows about a parameter.
#[doc(hidden)]
#[derive(Debug)]
pub struct Parameter {
    /// As clients see it; empty where the parameter is a pattern.
    pub name: &'static str,
    /// Empty if there is none.
    pub description: &'static str,
    /// What `#[arg]` adds to its schema.
    pub rules: &'static [Rule],
    /// True if no message may contain its value.
    pub is_secret: bool,
    /// True if a string with JSON in it is taken where its type wants something else.
    pub is_lenient: bool,
}

/// A keyword of JSON Schema and its value.
#[doc(hidden)]
#[derive(Debug)]
pub struct Rule {
    /// The keyword; those of lengths are the ones of strings, whatever the type is.
    pub keyword: &'static str,
    /// Its value.
    pub value: fn() -> Value,
}

impl Parameter {
    /// The only one of a function that takes [`Args`](super::Args), which have no name.
    pub(crate) const WHOLE: &[Self] =
        &[Self { name: "", description: "", rules: &[], is_secret: false, is_lenient: false }];
}
