//! What a tool, a prompt and a resource have in common: a function that clients call.

mod function;
mod handler;

use std::borrow::Cow;
use std::time::Duration;

use serde_json::{Map, Value};

use super::args::{Expected, Parameter};
use super::call::{CallResult, Failure, Kind};
use super::extensions::{Extensions, Need};
use super::protocol::{ErrorObject, Icon, Profile};

pub use function::Function;
pub(crate) use handler::{Handler, Start, StartFn};

/// A function that clients call, without its code: what they read about it, and what it needs. It
/// holds no user code.
#[derive(Debug, Clone)]
pub(crate) struct Callee {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) kind: Kind,
    pub(crate) timeout: Option<Duration>,
    /// Empty if the schema was given by hand.
    pub(crate) parameters: &'static [Parameter],
    /// The schema of the arguments if it was derived, to describe problems by.
    pub(crate) schema: Option<Value>,
    /// False if the schema has no bounds that are enforced.
    pub(crate) may_have_bounds: bool,
    pub(crate) icons: Vec<Icon>,
    pub(crate) meta: Map<String, Value>,
    /// The values that it takes from its server.
    pub(crate) needs: Vec<Need>,
    /// The mistakes that were found when it was made.
    pub(crate) defects: Vec<String>,
}

/// What clients of one revision read about a callee.
pub(crate) struct Shown<'a> {
    pub(crate) name: &'a str,
    pub(crate) title: Option<&'a str>,
    pub(crate) description: &'a str,
    pub(crate) icons: &'a [Icon],
    pub(crate) meta: Option<&'a Map<String, Value>>,
}

impl Callee {
    pub(crate) fn new(name: Cow<'static, str>, description: Cow<'static, str>) -> Self {
        Self {
            name,
            title: None,
            description,
            kind: Kind::Async,
            timeout: None,
            parameters: &[],
            schema: None,
            may_have_bounds: false,
            icons: Vec::new(),
            meta: Map::new(),
            needs: Vec::new(),
            defects: Vec::new(),
        }
    }

    /// What the clients of a revision read.
    pub(crate) fn within(&self, profile: &Profile) -> Shown<'_> {
        let Self { name, title, description, icons, meta, .. } = self;
        Shown {
            name,
            title: title.as_deref().filter(|_| profile.has_titles),
            description,
            icons: if profile.has_icons { icons } else { &[] },
            meta: Some(meta).filter(|meta| profile.has_meta && !meta.is_empty()),
        }
    }

    /// What is expected of the arguments, without their bounds.
    pub(crate) fn expected(&self) -> Expected<'_> {
        Expected {
            name: &self.name,
            parameters: self.parameters,
            schema: self.schema.as_ref(),
            bounds: None,
        }
    }

    /// The mistakes that keep it out of a registry whose server has these values.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        let mut defects = self.defects.clone();
        for need in &self.needs {
            if !values.meet(need) {
                defects.push(missing(need));
            }
        }
        defects
    }

    /// Why a call has no result of its own; `noun` is what it calls.
    pub(crate) fn failure(&self, noun: &str, failure: Failure<'_>) -> String {
        let limit = self.timeout.unwrap_or_default();
        let what = match failure {
            Failure::BadArguments(bad) => return bad.to_string(),
            Failure::Panicked => "failed: an internal error stopped it",
            Failure::TimedOut => &format!("was stopped: it did not finish within {limit:?}"),
            Failure::Overloaded => "was not called: too many calls wait already",
            Failure::TooManyRounds => "was stopped: it has asked the client too often",
            Failure::ShutDown => "was stopped: the server is shutting down",
            Failure::SessionEnded => "was stopped: its session has ended",
        };
        format!("The {noun} `{}` {what}.", self.name)
    }

    /// The same as an error of the protocol.
    pub(crate) fn refusal(&self, noun: &str, failure: Failure<'_>) -> CallResult {
        let code = match failure {
            Failure::BadArguments(_) => ErrorObject::INVALID_PARAMS,
            _ => ErrorObject::INTERNAL_ERROR,
        };
        Err(ErrorObject::new(code, self.failure(noun, failure)).into())
    }
}

fn missing(Need { name, .. }: &Need) -> String {
    let missing = format!("it takes `State<{name}>`, and the server has no such state");
    // As other frameworks have it, where a state is in an `Arc` for its clones.
    match name.strip_prefix("alloc::sync::Arc<").and_then(|name| name.strip_suffix('>')) {
        Some(inner) => format!("{missing}; write `State<{inner}>`, which needs no `Arc`"),
        None => format!("{missing}; give its builder one: `.state(…)`"),
    }
}
