//! Prompts as entries of `prompts/list`, and their messages.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Content, Icon, Profile, Role};

/// One message of a prompt: one content block, of the user or of the assistant.
///
/// ```
/// use toolwright::{PromptMessage, prompt};
///
/// /// Practise small talk.
/// #[prompt]
/// fn practise(language: &str) -> Vec<PromptMessage> {
///     vec![
///         PromptMessage::user(format!("Let us talk in {language}.")),
///         PromptMessage::assistant("How are you today?"),
///     ]
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What it says.
    pub content: Content,
}

/// An argument of a prompt as clients see it. Its value is always text.
///
/// ```
/// use toolwright::PromptArgument;
///
/// let branch = PromptArgument::required("branch", "What to review").title("Branch");
/// assert_eq!(branch.title.as_deref(), Some("Branch"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PromptArgument {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'static, str>>,
    /// What it is; empty if there is no description.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub description: Cow<'static, str>,
    /// False if it may be omitted.
    pub required: bool,
}

/// One entry of `prompts/list`.
#[derive(Serialize)]
pub(crate) struct PromptInfo<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) description: &'a str,
    #[serde(skip_serializing_if = "<[PromptArgument]>::is_empty")]
    pub(crate) arguments: Cow<'a, [PromptArgument]>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Map<String, Value>>,
}

impl PromptMessage {
    /// A message of the user.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message of the assistant, which the model takes for its own.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

impl PromptArgument {
    /// An argument that must be given.
    pub fn required(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { name: name.into(), title: None, description: description.into(), required: true }
    }

    /// An argument that may be omitted.
    pub fn optional(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { required: false, ..Self::required(name, description) }
    }

    /// Sets its display name.
    pub fn title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// What a revision has of it.
    pub(crate) fn within(&self, profile: &Profile) -> Self {
        let title = self.title.clone().filter(|_| profile.has_titles);
        Self { title, ..self.clone() }
    }
}
