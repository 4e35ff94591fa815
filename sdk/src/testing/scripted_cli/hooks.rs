//! The hooks that the `initialize` request registers.

use std::time::Duration;

use serde_json::Value;

use super::json::list;
use super::matcher::Matcher;

/// The timeout of a hook that sets none.
const TIMEOUT: Duration = Duration::from_secs(600);

/// The hooks of the `initialize` request.
#[derive(Default)]
pub(super) struct Hooks(Vec<Hook>);

pub(super) struct Hook {
    event: String,
    matcher: Matcher,
    pub(super) callback: String,
    pub(super) timeout: Duration,
    pub(super) blocks_on_failure: bool,
}

impl Hooks {
    /// # Errors
    ///
    /// A matcher is not supported.
    pub(super) fn read(initialize: &Value) -> Result<Self, String> {
        let mut hooks = Vec::new();
        for (event, entries) in initialize["hooks"].as_object().into_iter().flatten() {
            for entry in list(entries) {
                let seconds = entry["timeout"].as_f64();
                let timeout = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
                for callback in list(&entry["hookCallbackIds"]).filter_map(Value::as_str) {
                    hooks.push(Hook {
                        event: event.clone(),
                        matcher: Matcher::read(entry["matcher"].as_str())?,
                        callback: callback.to_owned(),
                        timeout: timeout.unwrap_or(TIMEOUT),
                        blocks_on_failure: entry["onFailure"] == "block",
                    });
                }
            }
        }
        Ok(Self(hooks))
    }

    /// The hooks of an event whose matcher fits one of the names of its subject.
    pub(super) fn of(&self, event: &str, names: [&str; 2]) -> impl Iterator<Item = &Hook> {
        let fits = move |hook: &Hook| names.iter().any(|name| hook.matcher.fits(name));
        self.0.iter().filter(move |hook| hook.event == event && fits(hook))
    }
}
