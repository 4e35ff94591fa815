//! The answer to the question whether a tool may be called.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::update::PermissionUpdate;
use super::word::words;

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
    /// With the input, if it is changed, or why that is none.
    Allow {
        input: Option<Result<Value, String>>,
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
        /// Allowed this once.
        UserTemporary = "user_temporary",
        /// Allowed always.
        UserPermanent = "user_permanent",
        /// Refused.
        UserReject = "user_reject",
    }
}

impl Permission {
    /// The tool is called.
    pub fn allow() -> Self {
        Self { decision: Decision::Allow { input: None, updates: None }, classification: None }
    }

    /// The tool is not called; the model is told why.
    pub fn deny(message: impl Into<String>) -> Self {
        Self {
            decision: Decision::Deny { message: message.into(), interrupt: false },
            classification: None,
        }
    }

    /// Calls the tool with other arguments, which must make a JSON object; what does not is a
    /// denial that says so. Means nothing when denied.
    pub fn with_input(mut self, changed: impl Serialize) -> Self {
        if let Decision::Allow { input, .. } = &mut self.decision {
            *input = Some(object(changed));
        }
        self
    }

    /// Changes the rules besides, so that the same is not asked again. Means nothing when denied.
    pub fn with_updates(mut self, changes: impl IntoIterator<Item = PermissionUpdate>) -> Self {
        if let Decision::Allow { updates, .. } = &mut self.decision {
            *updates = Some(changes.into_iter().collect());
        }
        self
    }

    /// Ends the turn besides. Means nothing when allowed.
    pub fn and_interrupt(mut self) -> Self {
        if let Decision::Deny { interrupt, .. } = &mut self.decision {
            *interrupt = true;
        }
        self
    }

    /// Says how long a person meant the decision to last.
    pub fn decision_classification(
        mut self,
        classification: PermissionDecisionClassification,
    ) -> Self {
        self.classification = Some(classification);
        self
    }

    /// Whether the tool is called.
    pub fn is_allowed(&self) -> bool {
        matches!(self.decision, Decision::Allow { input: None | Some(Ok(_)), .. })
    }

    /// The response object; `original` are the arguments as they came, which the CLI expects back.
    pub(super) fn encode(&self, tool_name: &str, original: &RawValue) -> Box<RawValue> {
        let classification = self.classification.as_ref();
        match &self.decision {
            Decision::Allow { input: Some(Err(why)), .. } => raw(
                &json!({"behavior": "deny", "message": format!("the changed input of {tool_name} {why}, so it was not called")}),
            ),
            Decision::Allow { input, updates } => {
                let changed = input.as_ref().and_then(|input| input.as_ref().ok()).map(raw);
                raw(&Allow {
                    behavior: "allow",
                    updated_input: changed.as_deref().unwrap_or(original),
                    updated_permissions: updates.as_deref(),
                    decision_classification: classification,
                })
            }
            Decision::Deny { message, interrupt } => raw(&Deny {
                behavior: "deny",
                message,
                interrupt: *interrupt,
                decision_classification: classification,
            }),
        }
    }

    /// The `decision` of a `PermissionRequest` hook, which keeps the input by leaving it out.
    pub(in crate::agent) fn to_hook_decision(&self) -> Result<Value, String> {
        let mut decision = match &self.decision {
            Decision::Allow { .. } => json!({"behavior": "allow"}),
            Decision::Deny { message, .. } => json!({"behavior": "deny", "message": message}),
        };
        match &self.decision {
            Decision::Allow { input, updates } => {
                if let Some(input) = input {
                    decision["updatedInput"] = input.clone()?;
                }
                if let Some(updates) = updates {
                    decision["updatedPermissions"] = json!(updates);
                }
            }
            Decision::Deny { interrupt: true, .. } => decision["interrupt"] = true.into(),
            Decision::Deny { .. } => {}
        }
        Ok(decision)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Allow<'a> {
    behavior: &'a str,
    updated_input: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_permissions: Option<&'a [PermissionUpdate]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_classification: Option<&'a PermissionDecisionClassification>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Deny<'a> {
    behavior: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupt: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    decision_classification: Option<&'a PermissionDecisionClassification>,
}

/// A value that the CLI takes only as an object, or what is wrong with it.
pub(in crate::agent) fn object(value: impl Serialize) -> Result<Value, String> {
    match serde_json::to_value(value) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err("is not a JSON object".into()),
        Err(error) => Err(format!("cannot be written as JSON ({error})")),
    }
}

/// JSON text of a value that always has one.
pub(in crate::agent) fn raw<T: Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
