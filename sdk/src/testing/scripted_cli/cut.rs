//! Answers whose rest is lost, as the connection to the model was cut.

use serde_json::json;

use super::answers::Played;
use super::api_message::ApiMessage;
use super::call::Call;
use super::cli::Cli;
use super::result::End;
use crate::testing::reply::{Block, Reply};

/// What the model is told once its answer was cut off.
const RESUME: &str = "Your response above was cut off mid-stream. Resume directly from where it \
    stops — no apology, no recap. If none of it survived, answer the request from the start.";

const LOST: &str = "API Error: Connection lost mid-response. The response above may be incomplete.";

/// How often the model is asked to resume in a turn.
const MAX_RESUMED: u64 = 3;

impl Cli {
    /// Goes on after an answer that was cut off: with the results of its calls, or else the model
    /// is asked to resume.
    pub(super) async fn play_cut(
        &self,
        reply: &Reply,
        message: ApiMessage,
        calls: Vec<Call>,
        is_last: bool,
    ) -> Played {
        self.abandon_message(message, reply.sent().iter().map(characters).sum());
        if !calls.is_empty() {
            let end = self.run_calls_of(None, calls).await;
            self.say_lost("tool_use");
            return end.map_or(Played::Whole, Played::End);
        }
        let resumed = self.with_turn(|turn| {
            turn.resumed += 1;
            turn.resumed
        });
        if is_last || resumed.is_none_or(|times| times > MAX_RESUMED) {
            self.say_lost("stop_sequence");
            return Played::End(End::Lost(LOST.to_owned()));
        }
        self.say_synthetic_user(RESUME);
        Played::Whole
    }

    fn say_lost(&self, stop_reason: &str) {
        let others = json!({"api_error": "connection_failed"});
        self.say_synthetic_for(stop_reason, LOST, "server_error", others);
    }
}

fn characters(block: &Block) -> usize {
    let count = |text: &String| text.chars().count();
    match block {
        Block::Text(pieces) => pieces.iter().map(count).sum(),
        Block::Thinking { text, .. } => count(text),
        Block::Call { name, input } => count(name) + count(&input.to_string()),
        Block::Gate(_) => 0,
    }
}
