//! The answer by a schema.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::result::{ResultMessage, has_failed, kind_of_error};

/// Why a result has no [`output`](ResultMessage::output).
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The turn failed; also when the model has not kept to the schema however often it was told.
    #[error("the turn failed{}: {text}", kind_of_error(subtype))]
    Failed {
        /// The result's subtype, such as `error_max_structured_output_retries`.
        subtype: String,
        /// The result's text.
        text: String,
    },
    /// The model has answered with text only, or no schema was set.
    #[error("the model gave no output by the schema, only text: {text}")]
    Missing {
        /// The result's text.
        text: String,
    },
    /// The output is by the schema and does not fit the type.
    #[error("the output does not fit the type: {source}")]
    Mismatch {
        /// The decoder's error.
        source: Arc<serde_json::Error>,
    },
}

impl ResultMessage {
    /// Whether the turn succeeded.
    pub fn is_success(&self) -> bool {
        !has_failed(self.is_error, &self.subtype)
    }

    /// The answer by the schema of
    /// [`output_type`](crate::agent::AgentOptionsBuilder::output_type).
    ///
    /// ```
    /// use toolwright::agent::Message;
    ///
    /// #[toolwright::data]
    /// struct Verdict {
    ///     approve: bool,
    /// }
    ///
    /// let line = r#"{"type":"result","subtype":"success","structured_output":{"approve":true}}"#;
    /// let Message::Result(result) = Message::parse(line) else { unreachable!() };
    /// assert!(result.output::<Verdict>()?.approve);
    /// # Ok::<(), toolwright::agent::message::OutputError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The turn failed, the model has not given one, or it does not fit `T`.
    pub fn output<T: DeserializeOwned>(&self) -> Result<T, OutputError> {
        let text = || self.text().into_owned();
        match &self.structured_output {
            _ if !self.is_success() => {
                Err(OutputError::Failed { subtype: self.subtype.clone(), text: text() })
            }
            None => Err(OutputError::Missing { text: text() }),
            Some(output) => {
                output.decode().map_err(|source| OutputError::Mismatch { source: Arc::new(source) })
            }
        }
    }
}
