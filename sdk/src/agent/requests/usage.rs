//! What the session has used.

use serde_json::json;

use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::message::{ContextUsage, SessionUsage};
use crate::agent::wire::{Object, RawJson, kept, record};

kept! {
    /// What the session has used, and how much of the plan's limits. It is marked as experimental
    /// by the CLI.
    pub struct SessionReport {
        /** Cost and tokens since the session began. */ pub session: SessionUsage,
        /** The plan, such as `max`; none with an API key. */
        pub subscription_type: Option<String>,
        /** Whether there are limits that can be asked for. */ pub rate_limits_available: bool,
        /** How much of the limits is used. */ pub rate_limits: Option<RateWindows>,
        /** What most of the usage of the last days was for, in the CLI's form. */
        pub behaviors: Option<RawJson>,
    }

    /// How much of a plan's limits is used. [`member`](Self::member) gives windows that have no
    /// field here.
    pub struct RateWindows {
        /** Of five hours. */ pub five_hour: Option<RateWindow>,
        /** Of seven days. */ pub seven_day: Option<RateWindow>,
        /** Of seven days, for other applications. */
        pub seven_day_oauth_apps: Option<RateWindow>,
        /** Of seven days, for the larger models. */ pub seven_day_opus: Option<RateWindow>,
        /** Of seven days, for the middle models. */ pub seven_day_sonnet: Option<RateWindow>,
    }
}

record! {
    /// A window of time that a limit applies to.
    pub struct RateWindow {
        /** How much of it is used, in percent. */ pub utilization: Option<f64>,
        /** When it begins anew, in RFC 3339. */ pub resets_at: Option<String>,
    }
}

/// What the session has used.
impl Handle {
    /// Cost, tokens and limits. `behaviors` also asks what they were for, for which the CLI reads
    /// the transcripts of the last seven days.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_usage(&self, behaviors: bool) -> Result<SessionReport, ControlError> {
        let body = Object::default().flag("skip_behaviors", !behaviors).finish();
        self.typed("get_usage", &body).await
    }

    /// Cost and tokens as a text for people, some lines.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_session_cost(&self) -> Result<String, ControlError> {
        self.member("get_session_cost", &json!({}), "text").await
    }

    /// Like [`get_context_usage`](Self::get_context_usage), estimated without asking the API.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn estimate_context_usage(&self) -> Result<ContextUsage, ControlError> {
        self.typed("get_context_usage", &json!({"detail": "summary"})).await
    }
}
