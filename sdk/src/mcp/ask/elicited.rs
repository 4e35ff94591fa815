//! What a user does with a question.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::mcp::asking::Misread;
use crate::mcp::link::AskError;

/// What a user does with a question. To decline it and to close it are answers, and no errors.
///
/// ```
/// use toolwright::{AskError, Context, Elicited, data, tool};
///
/// #[data]
/// struct Seat {
///     row: u32,
/// }
///
/// /// Book a seat.
/// #[tool]
/// async fn book(train: &str, cx: &Context) -> Result<String, AskError> {
///     Ok(match cx.elicit::<Seat>("Which seat?").await? {
///         Elicited::Accepted(seat) => format!("Row {} in {train}.", seat.row),
///         Elicited::Declined => "The user wants none.".to_owned(),
///         Elicited::Cancelled => "The user has not decided.".to_owned(),
///     })
/// }
/// ```
#[must_use = "to decline is no error, which `?` would return: match it, or call `accepted`"]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elicited<T> {
    /// The user has answered.
    Accepted(T),
    /// The user has declined.
    Declined,
    /// The user has closed the question, or there is nobody to answer it.
    Cancelled,
}

impl<T> Elicited<T> {
    /// The answer, for a tool that cannot do without.
    ///
    /// # Errors
    ///
    /// [`AskError::Declined`] or [`AskError::Cancelled`].
    pub fn accepted(self) -> Result<T, AskError> {
        match self {
            Self::Accepted(answer) => Ok(answer),
            Self::Declined => Err(AskError::Declined),
            Self::Cancelled => Err(AskError::Cancelled),
        }
    }

    /// The same with another answer.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Elicited<U> {
        match self {
            Self::Accepted(answer) => Elicited::Accepted(f(answer)),
            Self::Declined => Elicited::Declined,
            Self::Cancelled => Elicited::Cancelled,
        }
    }

    /// Reads the result of an elicitation. `read` gets the JSON text of `content`.
    pub(super) fn read(
        result: &str,
        read: impl FnOnce(Option<&str>) -> Result<T, Misread>,
    ) -> Result<Self, Misread> {
        #[derive(Deserialize)]
        struct Answer<'a> {
            #[serde(borrow)]
            action: Cow<'a, str>,
            // A null is as good as nothing: some clients write it.
            #[serde(borrow, default)]
            content: Option<&'a RawValue>,
        }
        let answer: Answer<'_> = serde_json::from_str(result)?;
        match &*answer.action {
            "accept" => read(answer.content.map(RawValue::get)).map(Self::Accepted),
            "decline" => Ok(Self::Declined),
            "cancel" => Ok(Self::Cancelled),
            _ => Err(Misread::IllTyped("`action` must be accept, decline or cancel".to_owned())),
        }
    }
}
