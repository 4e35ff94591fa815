//! The hooks of a run, by the ids that the CLI calls them by.

use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::context::HookContext;
use super::matcher::OnFailure;
use super::registration::{Hook, HookFuture};
use crate::agent::wire::{self, RawJson};

/// The hooks of a run. The id of one is its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hooks(pub(crate) Vec<Hook>);

/// One entry of `initialize.hooks`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    /// The CLI takes none, null and `*` alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    hook_callback_ids: [String; 1],
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "seconds")]
    timeout: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<OnFailure>,
}

impl Hooks {
    /// Whether a hook blocks when it fails, so that the run must not start with a CLI that ignores
    /// this (`hook_on_failure_supported`).
    pub(crate) fn blocks_on_failure(&self) -> bool {
        self.0.iter().any(|hook| hook.on_failure == Some(OnFailure::Block))
    }

    /// The member `hooks` of `initialize`; `None` without hooks.
    pub(crate) fn initialize(&self) -> Option<Value> {
        let mut events = Map::new();
        for (at, hook) in self.0.iter().enumerate() {
            let entry = Entry {
                matcher: hook.matcher.as_deref(),
                hook_callback_ids: [format!("hook_{at}")],
                timeout: hook.timeout,
                on_failure: hook.on_failure,
            };
            if let Value::Array(entries) =
                events.entry(hook.event.clone()).or_insert_with(|| json!([]))
            {
                entries.push(json!(entry));
            }
        }
        (!self.0.is_empty()).then_some(Value::Object(events))
    }

    /// Answers a `hook_callback`; `cx` lacks the event. The hook is called in the first poll.
    /// `None` if there is no such hook. An input that fails [`wire::check`] is an error of the
    /// future, as if the hook had failed.
    pub(crate) fn call(
        &self,
        callback_id: &str,
        input: &str,
        cx: HookContext,
    ) -> Option<HookFuture> {
        let hook = self.find(callback_id)?;
        Some(match wire::check(input) {
            Ok(()) => (hook.callback)(
                RawJson::of_text(input),
                HookContext { event: hook.event.clone(), ..cx },
            ),
            Err(error) => {
                Box::pin(std::future::ready(Err(format!("the input cannot be read: {error}"))))
            }
        })
    }

    fn find(&self, callback_id: &str) -> Option<&Hook> {
        let at = callback_id.strip_prefix("hook_")?;
        // Only the form that was sent: no sign and no leading zeros.
        let at: usize = at.parse().ok().filter(|number: &usize| number.to_string() == at)?;
        self.0.get(at)
    }
}

/// Whole seconds are written without a fraction.
fn seconds<S: Serializer>(timeout: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    match timeout {
        Some(timeout) if timeout.subsec_nanos() == 0 => serializer.serialize_u64(timeout.as_secs()),
        Some(timeout) => serializer.serialize_f64(timeout.as_secs_f64()),
        None => serializer.serialize_none(),
    }
}
