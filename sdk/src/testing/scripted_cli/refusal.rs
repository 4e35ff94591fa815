//! Answers that the model breaks off: it refuses, or has no tokens left.

use serde_json::json;

use super::cli::Cli;
use super::hook_calls::informational;

/// What the model is told once its answer has reached the limit of tokens.
const RESUME: &str = "Output token limit hit. Resume directly — no apology, no recap of what you \
    were doing. Pick up mid-thought if that is where the cut happened. Break remaining work into \
    smaller pieces.";

/// What the model is told once it has refused.
const STOPPED: &str = "Your response above was stopped by a safety classifier — this is not a tool \
    or API error. The rest of it was withheld, and tool calls in it that had not finished did not \
    run. Do not produce that content again, even reworded.";

impl Cli {
    /// The model is asked to go on where it was cut off.
    pub(super) fn say_resume(&self) {
        self.say_synthetic_user(RESUME);
    }

    /// The model has refused, and is asked once more.
    pub(super) fn say_refused(&self, id: &str) {
        let name = self.model_name();
        let notice = "safeguards stopped the response above · continuing once with that noted";
        self.say_message(informational(format!("{name}'s {notice}").into(), "notice"));
        let others = json!({"isSynthetic": true, "refused_message_id": id});
        self.say_user(json!([{"type": "text", "text": STOPPED}]), others);
    }

    /// The model has refused again. Returns the text of the result.
    pub(super) fn say_refused_again(&self, id: &str) -> String {
        let name = self.model_name();
        let model = self.asked_model();
        let prompt = self.with_turn(|turn| turn.prompt().cloned()).flatten();
        self.say_message(json!({
            "type": "system", "subtype": "model_refusal_no_fallback", "original_model": model,
            "request_id": null, "api_refusal_category": null, "api_refusal_explanation": null,
            "refused_user_message_uuid": prompt, "content": "",
        }));
        let text = format!(
            "API Error: {name}'s safeguards flagged this message \
             (https://www.anthropic.com/legal/aup). This sometimes happens with safe, normal \
             conversations. Claude Code can't respond to this message with {name}.\n\nTry \
             rephrasing the request in a new session or change your model.\n\nLearn more: \
             https://support.claude.com/en/articles/8106465\n\nMessage ID: {id}"
        );
        let others = json!({"refused_message_id": id});
        self.say_synthetic_for("refusal", &text, "invalid_request", others);
        text
    }

    /// The model's name for people: `claude-sonnet-5-5` is `Sonnet 5.5`.
    fn model_name(&self) -> String {
        let model = self.asked_model();
        let mut words = model.strip_prefix("claude-").unwrap_or(&model).split('-');
        let family = super::permissions::display_name(words.next().unwrap_or_default());
        let version: Vec<_> = words.filter(|word| word.len() < 8).collect();
        format!("{family} {}", version.join(".")).trim_end().to_owned()
    }
}
