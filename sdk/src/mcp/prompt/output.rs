//! From what a function returns to the messages of a prompt.

use std::borrow::Cow;
use std::fmt::Display;

use crate::mcp::output::{Sealed, kind};
use crate::mcp::protocol::{
    Audio, Content, EmbeddedResource, ErrorObject, Image, PromptMessage, ResourceLink,
};

/// The result of a prompt, described by itself: clients get its description in place of the
/// prompt's.
///
/// ```
/// use toolwright::mcp::PromptResult;
/// use toolwright::{PromptMessage, prompt};
///
/// /// Review a branch.
/// #[prompt]
/// fn review(branch: &str) -> PromptResult {
///     let messages = vec![PromptMessage::user(format!("Review the branch {branch}."))];
///     PromptResult::from(messages).with_description(format!("Review of {branch}"))
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PromptResult {
    /// The messages, in order.
    pub messages: Vec<PromptMessage>,
    /// What this result is; `None` means the description of the prompt.
    pub description: Option<Cow<'static, str>>,
}

/// What a prompt may return.
///
/// | type | messages |
/// |---|---|
/// | `String`, `&str`, `Box<str>`, `Cow<str>` | one of the user |
/// | [`Image`], [`Audio`], [`ResourceLink`], [`EmbeddedResource`], [`Content`] | one of the user |
/// | [`PromptMessage`], `Vec<PromptMessage>` | exactly these |
/// | [`PromptResult`] | its own, with a description of this result |
/// | `Result<T, E>` of these, `E: Display` | those of `T`, or an error of the protocol with `E` |
/// | `Result<T, ErrorObject>` of these | those of `T`, or the [`ErrorObject`] |
///
/// The trait is sealed. `Kind` distinguishes the implementations and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a prompt",
    label = "not a result of a prompt",
    note = "a prompt returns a `String`, a `PromptMessage`, a `Vec<PromptMessage>`, `Content`, or \
            a `Result` of these"
)]
pub trait IntoMessages<Kind> {
    #[doc(hidden)]
    const SEALED: Sealed;

    /// The messages, or the error that answers the request.
    ///
    /// # Errors
    ///
    /// The function has failed.
    fn into_messages(self) -> Result<PromptResult, ErrorObject>;

    /// The error that it has for the client itself.
    #[doc(hidden)]
    fn error_object(&self) -> Option<&ErrorObject>
    where
        Self: 'static,
    {
        None
    }
}

impl PromptResult {
    /// Describes this result.
    pub fn with_description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.description = Some(description.into());
        self
    }
}

impl From<Vec<PromptMessage>> for PromptResult {
    fn from(messages: Vec<PromptMessage>) -> Self {
        Self { messages, description: None }
    }
}

macro_rules! messages {
    ($value:pat => $result:expr; $($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoMessages<kind::Plain> for $type {
            const SEALED: Sealed = Sealed;

            #[inline]
            fn into_messages(self) -> Result<PromptResult, ErrorObject> {
                let $value = self;
                Ok($result)
            }
        }
    )*};
}

messages!(result => result; PromptResult);
messages!(messages => messages.into(); Vec<PromptMessage>);
messages!(message => vec![message].into(); PromptMessage);
messages!(content => vec![PromptMessage::user(content)].into();
    String, &str, Content, Image, Audio, ResourceLink, EmbeddedResource);
messages!(text => vec![PromptMessage::user(String::from(text))].into(); Box<str>, Cow<'_, str>);

impl<T: IntoMessages<K>, E: Display, K> IntoMessages<kind::Fallible<K>> for Result<T, E> {
    const SEALED: Sealed = Sealed;

    fn into_messages(self) -> Result<PromptResult, ErrorObject> {
        self.map_err(|error| ErrorObject::of_failure(&error))?.into_messages()
    }

    fn error_object(&self) -> Option<&ErrorObject>
    where
        Self: 'static,
    {
        self.as_ref().err().and_then(|error| ErrorObject::found_in(error))
    }
}
