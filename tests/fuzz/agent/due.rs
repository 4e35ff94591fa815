//! What a request of the agent's must give, whatever the CLI answers.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use toolwright::agent::ControlError;

use super::plans::ID;
use super::requests::{Ours, Outcome};

/// What is said after each answer: it is no answer any more if the first was one.
pub(super) const LATE: &str = r#"{"type":"control_response","response":{"subtype":"error","request_id":"req_№","error":"late","error_code":"l"}}"#;

const ESCAPED: &str = r#"\u0074ype":"control_response""#;

/// It cannot be read from a line that says it twice.
#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type", default)]
    _kind: IgnoredAny,
}

/// What a request must give.
#[derive(Debug, PartialEq)]
pub(super) enum Due {
    /// What can be read of the answer.
    Answer,
    /// A refusal, with its code.
    Refusal(Option<String>, Option<String>),
    Malformed,
    /// The line is no answer, so what [`LATE`] says.
    Late,
    /// Any of these: the line is one that serde_json and the agent may understand differently.
    Any,
}

impl Due {
    /// What is due after this line and [`LATE`]. The last of several members of a name counts.
    pub(super) fn of(line: &str) -> Self {
        // Halves of a character are read as U+FFFD.
        let Ok(value) = serde_json::from_str::<Value>(&line.replace("\\ud800", "\u{fffd}")) else {
            return Self::Any;
        };
        // Of `type` the first counts, and only as it is usually written.
        if line.contains(ESCAPED) || serde_json::from_str::<Kind>(line).is_err_and(is_twice) {
            return Self::Any;
        }
        let response = &value["response"];
        match (&value["type"], &response["request_id"], &response["subtype"]) {
            (kind, id, _) if kind != "control_response" || id != ID => Self::Late,
            (.., subtype) if subtype == "success" => match &response["response"] {
                Value::Object(_) | Value::Null => Self::Answer,
                _ => Self::Malformed,
            },
            (.., subtype) if subtype == "error" => {
                let text = |name: &str| response[name].as_str().map(str::to_owned);
                Self::Refusal(text("error"), text("error_code"))
            }
            _ => Self::Malformed,
        }
    }

    /// What is wrong with an outcome.
    pub(super) fn fault(&self, ours: &Ours, outcome: &Outcome) -> Option<String> {
        // These answers can say themselves that the request has failed.
        let may_refuse = matches!(ours.subtype, "set_cwd" | "mcp_call");
        let is_right = match (self, outcome) {
            (Self::Answer, Ok(_)) => true,
            (Self::Answer, Err(ControlError::Refused { message, .. })) => {
                may_refuse && message != "late"
            }
            (Self::Refusal(said, why), Err(ControlError::Refused { message, code })) => {
                message == said.as_deref().unwrap_or("no reason was given") && code == why
            }
            (Self::Malformed, Ok(_)) => ours.drops_answer(),
            (Self::Malformed, Err(ControlError::Malformed { subtype, .. })) => {
                subtype == ours.subtype
            }
            (Self::Late, Err(ControlError::Refused { message, .. })) => message == "late",
            (Self::Any, Ok(_)) => true,
            (Self::Any, Err(error)) => {
                matches!(error, ControlError::Refused { .. } | ControlError::Malformed { .. })
            }
            _ => false,
        };
        (!is_right).then(|| format!("{}: {self:?} was due, not {outcome:?}", ours.subtype))
    }
}

fn is_twice(error: serde_json::Error) -> bool {
    error.to_string().starts_with("duplicate field")
}
