//! The answer to a dialog.

use crate::agent::wire::{Object, RawJson};

/// The answer to a [`DialogRequest`](super::DialogRequest), which its methods make.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the CLI waits for an answer"]
pub struct DialogAnswer(pub(super) Outcome);

/// The user has closed the dialog.
pub(crate) const CANCELLED: DialogAnswer = DialogAnswer(Outcome::Cancelled);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// With the result, or what is wrong with it.
    Completed(Result<RawJson, String>),
    Cancelled,
}

impl DialogAnswer {
    /// The text of the response object.
    ///
    /// # Errors
    ///
    /// The result cannot be written as JSON.
    pub(crate) fn encode(&self) -> Result<RawJson, String> {
        match &self.0 {
            Outcome::Completed(Ok(result)) => {
                let answer = Object::default().member("behavior", "completed");
                Ok(answer.raw("result", result).finish())
            }
            Outcome::Completed(Err(why)) => Err(format!("the result of a dialog {why}")),
            Outcome::Cancelled => Ok(Object::default().member("behavior", "cancelled").finish()),
        }
    }
}
