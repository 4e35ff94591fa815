//! The answer to a question of a server.

use crate::agent::wire::{Object, RawJson};

/// The text of the answer to a question that nobody answers.
pub(crate) const CANCELLED: &str = r#"{"action":"cancel"}"#;

/// The answer to an [`ElicitationRequest`](super::ElicitationRequest), which its methods make.
///
/// ```
/// use toolwright::agent::{ElicitationAnswer, ElicitationRequest};
/// use toolwright::json;
///
/// async fn answer(question: ElicitationRequest) -> ElicitationAnswer {
///     match question.mcp_server_name.as_str() {
///         "shop" => question.accept(json!({"address": "1 Main Street"})),
///         _ => question.decline(),
///     }
/// }
/// # let _ = toolwright::agent::AgentOptions::builder().on_elicitation(answer);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the server waits for an answer"]
pub struct ElicitationAnswer(pub(super) Action);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    /// With what was entered into a form, or what is wrong with that.
    Accept(Option<Result<RawJson, String>>),
    Decline,
    Cancel,
}

impl ElicitationAnswer {
    /// MCP's `ElicitResult`.
    ///
    /// # Errors
    ///
    /// The content is no JSON object.
    pub(crate) fn encode(&self) -> Result<RawJson, String> {
        let action = |action: &str| Object::default().member("action", action);
        Ok(match &self.0 {
            Action::Accept(None) => action("accept"),
            Action::Accept(Some(Ok(content))) => action("accept").raw("content", content),
            Action::Accept(Some(Err(why))) => {
                return Err(format!("the content of the answer {why}"));
            }
            Action::Decline => action("decline"),
            Action::Cancel => action("cancel"),
        }
        .finish())
    }
}
