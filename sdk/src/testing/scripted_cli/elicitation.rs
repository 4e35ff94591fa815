//! Asks the SDK in the place of MCP servers, which are not played. Like the real CLI this one
//! passes the answer on unchecked, and takes an error for `cancel`.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::cli::Cli;
use super::question::Question;

impl Cli {
    /// Asks the SDK. Returns what the server gets, MCP's `ElicitResult`.
    pub(super) async fn elicit(&self, question: &Question) -> Value {
        self.report_state("requires_action");
        let asked = self.ask("elicitation", question.request());
        let answer = match question.limit {
            Some(limit) => timeout(limit, asked).await.unwrap_or_else(|_| Err("withdrawn".into())),
            None => asked.await,
        };
        self.report_state("running");
        answer.unwrap_or_else(|_| json!({"action": "cancel"}))
    }
}
