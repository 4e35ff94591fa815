//! The answer to the question whether a tool may be called.

use serde::Serialize;

use super::update::PermissionUpdate;
use crate::agent::setters::setters;
use crate::agent::wire::{Object, RawJson, words};

/// The answer to a [`PermissionRequest`](super::PermissionRequest).
///
/// ```
/// use toolwright::agent::permission::Permission;
/// use toolwright::json;
///
/// let safer = Permission::allow().with_input(json!({"command": "ls"}));
/// let enough = Permission::deny("not on this machine").and_interrupt();
/// # let _ = (safer, enough);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the CLI waits for an answer"]
pub struct Permission {
    decision: Decision,
    classification: Option<PermissionDecisionClassification>,
}

#[derive(Debug, Clone, PartialEq)]
enum Decision {
    /// `input` is the changed input, or what is wrong with it.
    Allow {
        input: Option<Result<RawJson, String>>,
        updates: Option<Vec<PermissionUpdate>>,
    },
    Deny {
        message: String,
        interrupt: bool,
    },
}

words! {
    /// How long a decision of a person's is meant to last, for the CLI's statistics.
    PermissionDecisionClassification {
        /** Allowed this once. */ UserTemporary = "user_temporary",
        /** Allowed always. */ UserPermanent = "user_permanent",
        /** Refused. */ UserReject = "user_reject",
    }
}

impl Permission {
    /// The tool is called.
    pub fn allow() -> Self {
        Self { decision: Decision::Allow { input: None, updates: None }, classification: None }
    }

    /// The tool is not called; the model gets the message.
    pub fn deny(message: impl Into<String>) -> Self {
        Self {
            decision: Decision::Deny { message: message.into(), interrupt: false },
            classification: None,
        }
    }

    /// Whether the tool is called.
    pub fn is_allowed(&self) -> bool {
        matches!(self.decision, Decision::Allow { input: None | Some(Ok(_)), .. })
    }

    /// The response object. The CLI expects the arguments back, as they came if they are not
    /// changed.
    pub(super) fn encode(&self, tool_name: &str, original: &RawJson) -> RawJson {
        match self.decision(Some(original)) {
            Ok(decision) => {
                decision.optional("decisionClassification", self.classification.as_ref()).finish()
            }
            Err(why) => Object::default()
                .member("behavior", "deny")
                .member(
                    "message",
                    format!("the changed input of {tool_name} {why}, so it was not called"),
                )
                .finish(),
        }
    }

    /// The `decision` of a `PermissionRequest` hook, which keeps the input by leaving it out.
    pub(in crate::agent) fn to_hook_decision(&self) -> Result<RawJson, String> {
        self.decision(None).map(Object::finish)
    }

    /// `original` are the arguments, where those that are not changed are written too.
    fn decision(&self, original: Option<&RawJson>) -> Result<Object, String> {
        Ok(match &self.decision {
            Decision::Allow { input, updates } => {
                let mut object = Object::default().member("behavior", "allow");
                if let Some(input) = input.as_ref().map(Result::as_ref).or(original.map(Ok)) {
                    object = object.raw("updatedInput", input.map_err(String::clone)?);
                }
                object.optional("updatedPermissions", updates.as_ref())
            }
            Decision::Deny { message, interrupt } => Object::default()
                .member("behavior", "deny")
                .member("message", message)
                .flag("interrupt", *interrupt),
        })
    }
}

setters! {
    impl Permission, permission = self;

    /// Calls the tool with other arguments, which must be a JSON object; otherwise the call is
    /// denied. No effect on a denial.
    with_input(changed: impl Serialize) {
        if let Decision::Allow { input, .. } = &mut permission.decision {
            *input = Some(object(changed));
        }
    }
    /// Also changes the rules, so that the same is not asked again: for the session, or for good if
    /// their [`destination`](PermissionUpdate::destination) is a settings file, which the CLI then
    /// writes. No effect on a denial.
    with_updates(changes: impl IntoIterator<Item = PermissionUpdate>) {
        if let Decision::Allow { updates, .. } = &mut permission.decision {
            *updates = Some(changes.into_iter().collect());
        }
    }
    /// Also ends the turn; of a subagent it ends the subagent, and the main conversation goes on.
    /// Only for a denial.
    and_interrupt() {
        if let Decision::Deny { interrupt, .. } = &mut permission.decision {
            *interrupt = true;
        }
    }
    /// Says how long a person meant the decision to last.
    decision_classification(classification: PermissionDecisionClassification) {
        permission.classification = Some(classification)
    }
}

/// A value that the CLI takes only as an object, or what is wrong with it.
pub(in crate::agent) fn object(value: impl Serialize) -> Result<RawJson, String> {
    match RawJson::of(value) {
        Ok(value) if value.get().starts_with('{') => Ok(value),
        Ok(_) => Err("is not a JSON object".into()),
        Err(error) => Err(format!("cannot be written as JSON ({error})")),
    }
}
