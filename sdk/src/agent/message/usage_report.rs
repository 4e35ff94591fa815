use std::collections::BTreeMap;

use super::usage::ModelUsage;
use crate::agent::wire::record;

record! {
    /// What the session has used so far, and how much is left.
    pub struct UsageReport {
        /** What the session has used. */ pub session: SessionUsage,
        /** How much is left, for accounts with limits. */ pub rate_limits: Option<UsageLimits>,
    }

    /// What a session has used.
    pub struct SessionUsage {
        /** Its cost in USD. */ pub total_cost_usd: f64,
        /** The time spent waiting for the API, in ms. */ pub total_api_duration_ms: u64,
        /** The time since it began, in ms. */ pub total_duration_ms: u64,
        /** Lines of code added. */ pub total_lines_added: u64,
        /** Lines of code removed. */ pub total_lines_removed: u64,
        /** Tokens and cost, by model. */ pub model_usage: BTreeMap<String, ModelUsage>,
    }

    /// The limits of an account.
    pub struct UsageLimits {
        /** The limits, where they are known. */ pub limits: Option<Vec<UsageLimit>>,
        /** What may be used beyond them. */ pub extra_usage: Option<ExtraUsage>,
    }

    /// One limit.
    pub struct UsageLimit {
        /** What it limits. */ pub kind: String,
        /** The limits that it belongs with. */ pub group: String,
        /** How much of it is used, in percent. */ pub percent: f64,
        /** When it begins anew, in RFC 3339. */ pub resets_at: Option<String>,
        /** To what it applies; to everything without it. */ pub scope: Option<LimitScope>,
        /** How near it is. */ pub severity: String,
        /** It holds now. */ pub is_active: bool,
    }

    /// To what a limit applies.
    pub struct LimitScope {
        /** The model. */ pub model: Option<DisplayName>,
        /** The product. */ pub surface: Option<DisplayName>,
    }

    /// The name of something, for people.
    pub struct DisplayName {
        /** The name. */ pub display_name: String,
    }

    /// What may be used beyond the limits.
    pub struct ExtraUsage {
        /** It is switched on. */ pub is_enabled: bool,
        /// How much a month, in the currency's smallest unit or in credits, as the account has it.
        pub monthly_limit: Option<f64>,
        /** How much of that is used, in the same unit. */ pub used_credits: Option<f64>,
        /** How much of it is used, in percent. */ pub utilization: Option<f64>,
        /** The currency, such as `USD`. */ pub currency: Option<String>,
    }
}
