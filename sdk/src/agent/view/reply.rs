//! What somebody answers to a question: [`Reply`].

use serde_json::{Map, Value};

use super::user_question::{answered, questions};
use crate::agent::permission::{Permission, PermissionRequest};

/// What the model is told when somebody says no.
const NO: &str = "the user does not want this";

/// The answer to a question.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    Allow,
    /// Also to what the CLI proposes for the rest of the session.
    Always,
    /// With what somebody says to it, or nothing.
    Deny(String),
    /// To the model's questions for the user, by the whole question.
    Answers(Map<String, Value>),
    /// There is nobody.
    Nobody,
}

impl Reply {
    /// The answer that a line is.
    pub(super) fn of_line(line: &str) -> Self {
        let line = line.trim();
        match line.to_lowercase().as_str() {
            "y" | "yes" => Self::Allow,
            "a" | "always" => Self::Always,
            "n" | "no" => Self::Deny(String::new()),
            _ => Self::Deny(line.to_owned()),
        }
    }

    /// The answer to this request. What was not offered is a no.
    pub(super) fn permission(self, request: &PermissionRequest) -> Permission {
        let asked = questions(request);
        match (self, asked) {
            (Self::Nobody, _) => Permission::deny("nobody is at the terminal"),
            (Self::Deny(text), _) if !text.trim().is_empty() => {
                Permission::deny(format!("{NO}, but says: {}", text.trim()))
            }
            (_, Some(asked)) if asked.is_empty() => {
                Permission::deny("the questions cannot be shown: ask them as text")
            }
            (Self::Answers(answers), Some(_)) if !answers.is_empty() => answered(request, answers),
            (Self::Allow, None) => Permission::allow(),
            (Self::Always, None) if request.can_allow_for_session() => request.allow_for_session(),
            (_, Some(_)) => Permission::deny("the user does not answer"),
            (_, None) => Permission::deny(NO),
        }
    }
}

/// What a question for permission ends with.
pub(super) fn choices(request: &PermissionRequest) -> &'static str {
    match request.can_allow_for_session() {
        false => "[y]es, [N]o, or what to do instead: ",
        true => "[y]es, [a]lways in this session, [N]o, or what to do instead: ",
    }
}

#[cfg(test)]
mod tests;
