//! A dialog of the CLI.

use std::sync::Arc;

use serde::Serialize;

use super::answer::{CANCELLED, DialogAnswer, Outcome};
use crate::CancelToken;
use crate::agent::wire::{self, Cursor, RawJson, Text, kept, members, object};

/// A dialog that the CLI asks this program to show to the user.
///
/// ```
/// use toolwright::agent::{DialogAnswer, DialogRequest};
/// use toolwright::json;
///
/// async fn show(dialog: DialogRequest) -> DialogAnswer {
///     match dialog.payload.to_value()["message"].as_str() {
///         Some(message) if message.len() < 80 => dialog.complete(json!({"choice": "retry"})),
///         _ => dialog.cancel(),
///     }
/// }
/// # let _ = show;
/// ```
///
/// Each kind has its own payload and its own result, which only the CLI's documentation describes.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct DialogRequest {
    /// What is to be shown, such as `refusal_fallback_prompt`.
    pub dialog_kind: String,
    /// The data of the dialog, an object.
    pub payload: RawJson,
    /// The tool call that it is about.
    pub tool_use_id: Option<String>,
    /// Cancelled when nobody wants an answer any more.
    pub withdrawn: CancelToken,
    raw: Text,
}

kept! { DialogRequest }

members! {
    DialogRequest { dialog_kind, payload => object, tool_use_id, ; raw }
}

impl DialogRequest {
    /// The user has answered. A result that cannot be written as JSON
    /// [cancels](Self::cancel) the dialog, and an error in the log says so.
    pub fn complete(&self, result: impl Serialize) -> DialogAnswer {
        let result = RawJson::of(result).map_err(|error| format!("cannot be JSON: {error}"));
        DialogAnswer(Outcome::Completed(result))
    }

    /// The user has closed the dialog: the CLI goes on as it does by default.
    pub fn cancel(&self) -> DialogAnswer {
        CANCELLED
    }

    /// Reads the `request` of a control request.
    ///
    /// # Errors
    ///
    /// It is no JSON that Rust's types can hold.
    pub(super) fn read(text: &Arc<str>, withdrawn: CancelToken) -> Result<Self, String> {
        wire::check(text).map_err(|error| error.to_string())?;
        let request = wire::read::<Self>(Cursor::of(text)).unwrap_or_default();
        Ok(Self { withdrawn, ..*request })
    }
}
