//! The matcher of a hook.

use regex_lite::Regex;

use crate::agent::hook::names_in;

/// Which subjects a hook is called for.
#[derive(Debug, Clone)]
pub(super) enum Matcher {
    Any,
    /// Names that are matched as a whole.
    Names(Vec<String>),
    /// A regular expression that matches any part of the subject.
    Pattern(Regex),
}

impl Matcher {
    /// Reads a matcher as the real CLI does: none, `*` and the empty text match everything, names
    /// with `|` or `,` between them match exactly, anything else is a regular expression.
    ///
    /// # Errors
    ///
    /// JavaScript's lookaround and backreferences are not supported. A matcher with them is an
    /// error of `initialize`, so that a test does not pass because its hook was never called.
    pub(super) fn read(matcher: Option<&str>) -> Result<Self, String> {
        let text = match matcher {
            None | Some("" | "*") => return Ok(Self::Any),
            Some(text) => text,
        };
        if let Some(names) = names_in(text) {
            return Ok(Self::Names(names.map(str::to_owned).collect()));
        }
        Regex::new(text)
            .map(Self::Pattern)
            .map_err(|error| format!("ScriptedCli cannot play the matcher {text:?}: {error}"))
    }

    pub(super) fn fits(&self, subject: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Names(names) => names.iter().any(|name| name == subject),
            Self::Pattern(pattern) => pattern.is_match(subject),
        }
    }
}
