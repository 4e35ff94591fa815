//! When a hook is called.

use std::marker::PhantomData;
use std::time::Duration;

use serde::Serialize;

use super::event::{self, Matched, Raw, events, name};

/// When a hook is called: at the event `E`, for all tools or some. There is a constructor for each
/// event.
///
/// ```
/// use std::time::Duration;
/// use toolwright::agent::hook::{HookMatcher, OnFailure};
///
/// let calls = HookMatcher::pre_tool_use("mcp__calc__.*")
///     .timeout(Duration::from_secs(5))
///     .on_failure(OnFailure::Block);
/// let compacted = HookMatcher::session_start().matching("compact");
/// let newer = HookMatcher::raw("MoonPhase", Some("full"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookMatcher<E> {
    pub(super) event: String,
    pub(super) matcher: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) on_failure: Option<OnFailure>,
    marker: PhantomData<E>,
}

/// What happens when a hook panics, returns an error,
/// [`HookOutput::failed`](super::HookOutput::failed) or an output that the CLI does not accept.
///
/// It is not about a hook that takes longer than [its time](HookMatcher::timeout). The CLI
/// (2.1.328) then makes no call after `PreToolUse` and blocks the prompt after `UserPromptSubmit`,
/// also with `Continue`; after `PostToolUse` it goes on, also with `Block`. `PostToolUse` comes too
/// late to keep a result from the model for sure: a tool or a layer can do that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "lowercase")]
pub enum OnFailure {
    /// The run goes on as if there were no hook. This is the CLI's default.
    Continue,
    /// The event is blocked, as if by the hook; but `Stop`, `SubagentStop`, `TaskCompleted` and
    /// `TeammateIdle` never are. Older CLIs cannot do this; connecting to one fails.
    Block,
}

impl<E> HookMatcher<E> {
    fn of(event: impl Into<String>) -> Self {
        let event = event.into();
        Self { event, matcher: None, timeout: None, on_failure: None, marker: PhantomData }
    }

    fn with_matcher(mut self, matcher: String) -> Self {
        self.matcher = Some(matcher);
        self
    }

    /// How long the CLI waits for the hook; 600 s by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// What happens when the hook fails.
    pub fn on_failure(mut self, on_failure: OnFailure) -> Self {
        self.on_failure = Some(on_failure);
        self
    }
}

impl<E: Matched> HookMatcher<E> {
    /// Calls the hook only if the event's field matches: a word, several (`startup|resume`) or,
    /// with other characters than letters, digits, `_`, `-`, `,` and spaces, a regular expression
    /// of JavaScript, which may match any part of the field.
    pub fn matching(self, matcher: impl Into<String>) -> Self {
        self.with_matcher(matcher.into())
    }
}

impl HookMatcher<Raw> {
    /// An event that this version has no constructor for.
    pub fn raw(event: impl Into<String>, matcher: Option<&str>) -> Self {
        let matcher = matcher.map(str::to_owned);
        Self { matcher, ..Self::of(event) }
    }
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $event:ident($input:ty) $(= $name:literal)?
        => $constructor:ident by $field:ident, [$($can:ident),*];)*) => {
        $(impl HookMatcher<event::$event> {
            constructor!($field, $(#[$doc])* $constructor, name!($event $($name)?));
        })*
    };
}

macro_rules! constructor {
    (tool_name, $(#[$doc:meta])* $constructor:ident, $name:expr) => {
        $(#[$doc])*
        ///
        /// `tools` is a name, several (`Edit|Write`), a regular expression (`mcp__calc__.*`) or
        /// `*`. The tool `add` of the registry `calc` has the name `mcp__calc__add`; neither `add`
        /// nor `mcp__calc` matches it.
        pub fn $constructor(tools: impl Into<String>) -> Self {
            Self::of($name).with_matcher(tools.into())
        }
    };
    (nothing, $(#[$doc:meta])* $constructor:ident, $name:expr) => {
        $(#[$doc])*
        pub fn $constructor() -> Self {
            Self::of($name)
        }
    };
    ($field:ident, $(#[$doc:meta])* $constructor:ident, $name:expr) => {
        $(#[$doc])*
        ///
        /// [`matching`](HookMatcher::matching) narrows it down by
        #[doc = concat!("`", stringify!($field), "`.")]
        pub fn $constructor() -> Self {
            Self::of($name)
        }
    };
}

events!(constructors);

/// The names that a matcher lists, which the CLI compares as a whole; `None` if it reads the
/// matcher as a regular expression.
pub(crate) fn names_in(matcher: &str) -> Option<impl Iterator<Item = &str>> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-|, ".contains(&byte);
    matcher.bytes().all(is_of_name).then(|| matcher.split(['|', ',']).map(str::trim))
}
