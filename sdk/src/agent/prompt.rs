//! What is said to the model.

use std::fmt;
use std::pin::Pin;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_core::Stream;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// One prompt, or a stream of them.
pub struct Prompt(pub(crate) Prompts);

pub(crate) enum Prompts {
    One(UserPrompt),
    Many(Pin<Box<dyn Stream<Item = UserPrompt> + Send>>),
}

/// One user message: text, images, documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserPrompt {
    content: Vec<Value>,
    uuid: Option<String>,
    priority: Option<Priority>,
    extra: Map<String, Value>,
}

/// Where a prompt goes in the CLI's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Priority {
    /// Into the turn that runs.
    Now,
    /// Next.
    Next,
    /// Behind all others.
    Later,
}

impl Prompt {
    /// Prompts as they come; the run ends after the last one's turn.
    pub fn stream<P: Into<UserPrompt>>(prompts: impl Stream<Item = P> + Send + 'static) -> Self {
        Self(Prompts::Many(Box::pin(Mapped(Box::pin(prompts)))))
    }
}

impl UserPrompt {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().and_text(text)
    }

    /// And more text.
    pub fn and_text(self, text: impl Into<String>) -> Self {
        self.and(json!({"type": "text", "text": text.into()}))
    }

    /// And a picture of the given media type, such as `image/png`.
    pub fn and_image(self, bytes: impl AsRef<[u8]>, media_type: &str) -> Self {
        self.and(json!({"type": "image", "source": {"type": "base64", "media_type": media_type, "data": STANDARD.encode(bytes)}}))
    }

    /// And a document of the given media type, such as `application/pdf`.
    pub fn and_document(self, bytes: impl AsRef<[u8]>, media_type: &str) -> Self {
        self.and(json!({"type": "document", "source": {"type": "base64", "media_type": media_type, "data": STANDARD.encode(bytes)}}))
    }

    /// And a content block of the Messages API.
    pub fn and(mut self, block: Value) -> Self {
        self.content.push(block);
        self
    }

    /// With an id of your own, by which results and cancellations name the prompt; otherwise it
    /// gets a random one. It must be a UUID.
    pub fn uuid(mut self, uuid: impl Into<String>) -> Self {
        self.uuid = Some(uuid.into());
        self
    }

    /// With a place in the CLI's queue.
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// With a member of the user message that has no setter here.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }

    /// Writes the line for the CLI, and gives the uuid in it.
    pub(crate) fn write(self, is_verbatim: bool, out: &mut Vec<u8>) -> String {
        let uuid = self.uuid.unwrap_or_else(|| Uuid::new_v4().to_string());
        let content = match self.content.as_slice() {
            [only] if only["type"] == "text" => only["text"].clone(),
            _ => Value::Array(self.content),
        };
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

struct Mapped<S>(Pin<Box<S>>);

impl<P: Into<UserPrompt>, S: Stream<Item = P>> Stream for Mapped<S> {
    type Item = UserPrompt;

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<UserPrompt>> {
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
