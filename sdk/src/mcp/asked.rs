//! Questions of tools, and their answers in tests.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::link::AskError;
use super::protocol::{ErrorObject, shown};

/// A question of a tool, for the test that answers it.
///
/// ```
/// use toolwright::{Context, tool};
///
/// #[tool]
/// async fn delete(path: &str, cx: &Context) -> Result<String, toolwright::AskError> {
///     match cx.confirm(format!("Delete {path}?")).await? {
///         true => Ok(format!("deleted {path}")),
///         false => Ok("nothing was deleted".to_owned()),
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let cx = Context::detached().answering(|asked| {
///     assert_eq!(asked.message(), "Delete a.txt?");
///     asked.decline()
/// });
/// assert_eq!(delete("a.txt", &cx).await.unwrap(), "nothing was deleted");
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Asked {
    method: String,
    params: Map<String, Value>,
}

/// The answer to a question of a tool, in a test.
#[derive(Debug, Clone)]
#[must_use = "return it from the closure that answers"]
pub struct Answer(Result<Value, ErrorObject>);

impl Asked {
    #[inline]
    pub(crate) fn new(method: &str, params: Map<String, Value>) -> Self {
        Self { method: method.to_owned(), params }
    }

    /// The method: `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The parameters of the question.
    pub fn params(&self) -> &Map<String, Value> {
        &self.params
    }

    /// What the user reads, if it is an elicitation; else empty.
    #[inline]
    pub fn message(&self) -> &str {
        self.params.get("message").and_then(Value::as_str).unwrap_or_default()
    }

    /// The user fills in the form of an elicitation.
    pub fn accept(&self, content: impl Serialize) -> Answer {
        self.result(json!({"action": "accept", "content": to_value(content)}))
    }

    /// The user agrees, with a form without fields or by opening a URL.
    #[inline]
    pub fn agree(&self) -> Answer {
        self.result(json!({"action": "accept"}))
    }

    /// The user declines.
    #[inline]
    pub fn decline(&self) -> Answer {
        self.result(json!({"action": "decline"}))
    }

    /// The user closes the question without an answer.
    #[inline]
    pub fn cancel(&self) -> Answer {
        self.result(json!({"action": "cancel"}))
    }

    /// The model answers with a text.
    pub fn say(&self, text: impl Into<String>) -> Answer {
        let content = json!({"type": "text", "text": text.into()});
        self.result(json!({"role": "assistant", "content": content, "model": "test", "stopReason": "endTurn"}))
    }

    /// The model calls a tool.
    pub fn call(&self, id: &str, name: &str, input: impl Serialize) -> Answer {
        let call = json!({"type": "tool_use", "id": id, "name": name, "input": to_value(input)});
        self.result(json!({"role": "assistant", "content": [call], "model": "test", "stopReason": "toolUse"}))
    }

    /// The client works in these folders, which are named by URIs.
    pub fn roots<U: Into<String>>(&self, uris: impl IntoIterator<Item = U>) -> Answer {
        let roots = uris.into_iter().map(|uri| json!({"uri": uri.into()}));
        self.result(json!({"roots": roots.collect::<Vec<_>>()}))
    }

    /// Any result.
    pub fn result(&self, result: Value) -> Answer {
        Answer(Ok(result))
    }

    /// The client answers with an error.
    pub fn refuse(&self, code: i64, message: impl Into<String>) -> Answer {
        Answer(Err(ErrorObject::new(code, message.into())))
    }
}

impl Answer {
    /// The result, or the error.
    #[cfg(feature = "testing")]
    pub(crate) fn into_result(self) -> Result<Value, ErrorObject> {
        self.0
    }

    /// The JSON text of the result.
    #[inline]
    pub(crate) fn into_text(self) -> Result<String, AskError> {
        match self.0 {
            Ok(result) => Ok(result.to_string()),
            Err(error) => Err(AskError::Refused(error)),
        }
    }
}

fn to_value(content: impl Serialize) -> Value {
    shown(&content).unwrap_or_default()
}

/// Answers the questions of a test.
#[derive(Clone)]
pub(crate) struct Answering(pub(crate) Arc<dyn Fn(Asked) -> Answer + Send + Sync>);

impl fmt::Debug for Answering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Answering")
    }
}
