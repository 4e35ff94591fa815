//! Prompts: [`Prompt`] and [`UserPrompt`].

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_core::Stream;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::setters::setters;
use super::uuid;

/// What [`query`](super::query()) runs on: one prompt, or a stream of them.
///
/// ```no_run
/// # async fn example() -> Result<(), toolwright::agent::Error> {
/// use toolwright::agent::{AgentOptions, UserPrompt, query};
///
/// let prompt = UserPrompt::text("What is in this picture?").and_image(b"...", "image/png");
/// let result = query(prompt, AgentOptions::builder().build()?).await?.finish().await?;
/// # Ok(())
/// # }
/// ```
pub struct Prompt(pub(crate) Prompts);

pub(crate) enum Prompts {
    One(UserPrompt),
    Many(Pin<Box<dyn Stream<Item = UserPrompt> + Send>>),
}

/// One user message: text, images, documents. A `&str` or `String` converts into one.
///
/// ```
/// use toolwright::agent::UserPrompt;
///
/// let prompt = UserPrompt::text("Compare these.")
///     .and_document(b"%PDF-1.7", "application/pdf")
///     .and_text("Be brief.");
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct UserPrompt {
    content: Vec<Value>,
    uuid: Option<String>,
    priority: Option<Priority>,
    extra: Map<String, Value>,
}

/// When the CLI takes up a prompt that it gets while a turn runs. Prompts of the same priority keep
/// their order, and one of a higher priority overtakes the others. As observed with the CLI
/// 2.1.328.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Priority {
    /// At once: the turn that runs is aborted, and this prompt begins the next. Calls of MCP tools
    /// are cancelled; a shell command runs on to its end first. The aborted turn has a result of
    /// its own, which [is interrupted](super::message::ResultMessage::is_interrupted) and no error.
    Now,
    /// With the next request to the model: the turn that runs takes the prompt up once its tools
    /// have ended, and answers both. If it calls no tool any more, the prompt begins a turn after
    /// it. This is the CLI's default.
    Next,
    /// After the turn that runs, in a turn of its own.
    Later,
}

impl Prompt {
    /// Prompts from a stream. The run ends after the turn of the last one.
    pub fn stream<P: Into<UserPrompt>>(prompts: impl Stream<Item = P> + Send + 'static) -> Self {
        Self(Prompts::Many(Box::pin(Mapped(Box::pin(prompts)))))
    }
}

impl UserPrompt {
    /// A prompt that begins with text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().and_text(text)
    }

    /// Adds text.
    pub fn and_text(self, text: impl Into<String>) -> Self {
        self.and(json!({"type": "text", "text": text.into()}))
    }

    /// Adds an image of the given media type, such as `image/png`.
    pub fn and_image(self, bytes: impl AsRef<[u8]>, media_type: &str) -> Self {
        self.and_media("image", bytes.as_ref(), media_type)
    }

    /// Adds a document of the given media type, such as `application/pdf`.
    pub fn and_document(self, bytes: impl AsRef<[u8]>, media_type: &str) -> Self {
        self.and_media("document", bytes.as_ref(), media_type)
    }

    fn and_media(self, kind: &str, bytes: &[u8], media_type: &str) -> Self {
        let data = STANDARD.encode(bytes);
        let source = json!({"type": "base64", "media_type": media_type, "data": data});
        self.and(json!({"type": kind, "source": source}))
    }

    /// Whether the CLI answers it.
    pub(crate) fn is_answered(&self) -> bool {
        self.extra.get("shouldQuery") != Some(&Value::Bool(false))
    }

    /// Writes the line for the CLI, and gives the uuid in it.
    pub(crate) fn write(self, is_verbatim: bool, out: &mut Vec<u8>) -> String {
        let uuid = self.extra.get("uuid").and_then(Value::as_str).map(str::to_owned);
        let uuid = uuid.or(self.uuid).unwrap_or_else(uuid::random);
        let text = match self.content.as_slice() {
            [only] => plain(only).map(Value::from),
            _ => None,
        };
        let content = text.unwrap_or_else(|| Value::Array(self.content));
        let mut message = json!({
            "type": "user",
            "session_id": "",
            "message": {"role": "user", "content": content},
            "parent_tool_use_id": null,
            "uuid": uuid,
        });
        if let Value::Object(members) = &mut message {
            if is_verbatim {
                members.insert("client_composed".into(), true.into());
            }
            if let Some(priority) = self.priority {
                members.insert("priority".into(), json!(priority));
            }
            members.extend(self.extra);
        }
        out.extend_from_slice(message.to_string().as_bytes());
        out.push(b'\n');
        uuid
    }
}

setters! {
    impl UserPrompt, prompt = self;

    /// Adds a content block of the Messages API.
    and(block: Value) { prompt.content.push(block) }
    /// Sets the UUID by which results and cancellations name the prompt; without it a random one is
    /// used. It must be new: the CLI ignores a prompt whose UUID it has seen before, and its turn
    /// has no end.
    uuid(uuid: impl Into<String>) { prompt.uuid = Some(uuid.into()) }
    /// Says when a turn that runs takes the prompt up. Default: [`Priority::Next`].
    priority(priority: Priority) { prompt.priority = Some(priority) }
    /// Sets a member of the user message that has no setter here. With `shouldQuery`: `false` the
    /// prompt becomes a part of the conversation without a turn of its own, so that there is none
    /// to be read, and [`ask`](super::AgentClient::ask) refuses it.
    extra(name: impl Into<String>, value: impl Into<Value>) {
        prompt.extra.insert(name.into(), value.into())
    }
}

impl<T: Into<String>> From<T> for UserPrompt {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

impl<T: Into<UserPrompt>> From<T> for Prompt {
    fn from(prompt: T) -> Self {
        Self(Prompts::One(prompt.into()))
    }
}

/// The text of a block that has nothing else, such as `cache_control`.
fn plain(block: &Value) -> Option<&str> {
    let members = block.as_object().filter(|members| members.len() == 2)?;
    (members.get("type")? == "text").then_some(members.get("text")?.as_str()?)
}

struct Mapped<S>(Pin<Box<S>>);

impl<P: Into<UserPrompt>, S: Stream<Item = P>> Stream for Mapped<S> {
    type Item = UserPrompt;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<UserPrompt>> {
        self.0.as_mut().poll_next(cx).map(|prompt| prompt.map(Into::into))
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Prompts::One(prompt) => f.debug_tuple("Prompt").field(prompt).finish(),
            Prompts::Many(_) => f.write_str("Prompt(..)"),
        }
    }
}

/// Prompts may be confidential, so only the number of their blocks is printed.
impl fmt::Debug for UserPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserPrompt")
            .field("blocks", &self.content.len())
            .field("uuid", &self.uuid)
            .field("priority", &self.priority)
            .field("extra", &self.extra.keys().collect::<Vec<_>>())
            .finish()
    }
}

#[cfg(test)]
mod tests;
