use std::collections::BTreeMap;

use super::message::Message;
use super::result::{PermissionDenial, ResultMessage};
use super::usage::ModelUsage;

/// Totals of a run: turns, cost, tokens.
///
/// ```
/// use toolwright::agent::Message;
/// use toolwright::agent::message::RunSummary;
///
/// let line = r#"{"type":"result","session_id":"s","num_turns":2,"total_cost_usd":0.25}"#;
/// let mut summary = RunSummary::default();
/// summary.add(&Message::parse(line));
/// assert_eq!((summary.turns, summary.total_cost_usd()), (2, 0.25));
/// ```
///
/// The CLI counts cost, tokens and API time from the beginning of each session, and turns and
/// durations for each turn; the totals are sums over all sessions and turns. Of a session that is
/// resumed, what earlier runs have cost is left out if the CLI says
/// [`model_usage_since_last_result`](ResultMessage::model_usage_since_last_result); their API time
/// is not.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct RunSummary {
    /// Results.
    pub results: u64,
    /// Results of turns that failed.
    pub errors: u64,
    /// How often the model answered.
    pub turns: u64,
    /// How long the turns took together, in ms.
    pub duration_ms: u64,
    /// The tool calls that were not permitted.
    pub permission_denials: Vec<PermissionDenial>,
    sessions: BTreeMap<String, Session>,
}

/// What a session has used so far.
#[derive(Debug, Clone, PartialEq, Default)]
struct Session {
    duration_api_ms: u64,
    cost_usd: f64,
    models: BTreeMap<String, ModelUsage>,
    /// The same from result to result, if the CLI says that: without what earlier runs have used.
    here: Option<BTreeMap<String, ModelUsage>>,
}

impl RunSummary {
    /// Adds a message; only results count.
    pub fn add(&mut self, message: &Message) {
        if let Message::Result(result) = message {
            self.add_result(result);
        }
    }

    /// Adds a result.
    pub fn add_result(&mut self, result: &ResultMessage) {
        self.results += 1;
        self.errors += u64::from(!result.is_success());
        self.turns = self.turns.saturating_add(result.num_turns);
        self.duration_ms = self.duration_ms.saturating_add(result.duration_ms);
        self.permission_denials.extend_from_slice(&result.permission_denials);
        let session = self.sessions.entry(result.session_id.clone()).or_default();
        // A turn that failed before it began may count from zero.
        session.duration_api_ms = session.duration_api_ms.max(result.duration_api_ms);
        session.cost_usd = session.cost_usd.max(result.total_cost_usd);
        session.models.extend(result.model_usage.clone());
        if result.member("model_usage_since_last_result").is_some() {
            let here = session.here.get_or_insert_default();
            add(here, &result.model_usage_since_last_result);
        }
    }

    /// The time spent waiting for the API, in ms.
    pub fn duration_api_ms(&self) -> u64 {
        self.sessions.values().fold(0, |sum, session| sum.saturating_add(session.duration_api_ms))
    }

    /// The cost in USD.
    pub fn total_cost_usd(&self) -> f64 {
        // A `sum` of nothing is -0, which would be printed so.
        self.sessions.values().fold(0.0, |sum, session| sum + session.cost_usd())
    }

    /// Tokens and cost, by model.
    pub fn model_usage(&self) -> BTreeMap<String, ModelUsage> {
        let mut sum = BTreeMap::<String, ModelUsage>::new();
        for session in self.sessions.values() {
            add(&mut sum, session.here.as_ref().unwrap_or(&session.models));
        }
        sum
    }
}

impl Session {
    fn cost_usd(&self) -> f64 {
        match &self.here {
            Some(here) => here.values().fold(0.0, |sum, usage| sum + usage.cost_usd),
            None => self.cost_usd,
        }
    }
}

fn add(sum: &mut BTreeMap<String, ModelUsage>, used: &BTreeMap<String, ModelUsage>) {
    for (name, usage) in used {
        sum.entry(name.clone()).or_default().add(usage);
    }
}
