//! Turns and what waits for them.

use serde_json::json;

use crate::agent::control;
use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::status::Interrupted;
use crate::agent::wire::kept;

kept! {
    /// The answer to a side question.
    pub struct SideAnswer {
        /** The answer; none if there is no conversation to ask about. */
        pub response: Option<String>,
        /** The text is not the model's: it says why the model gave no answer. */
        pub synthetic: bool,
    }
}

/// Turns and what waits for them.
impl Handle {
    /// Stops the current turn and takes all prompts out of the queue. Their uuids are in
    /// [`cancelled`](Interrupted::cancelled); a CLI without the capability
    /// `interrupt_cancel_queued_v1` leaves them in the queue.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn interrupt_all(&self) -> Result<Interrupted, ControlError> {
        let answer = self.request("interrupt", json!({"cancel_queued": true})).await?;
        control::decode("interrupt", answer.get())
    }

    /// Takes a prompt out of the queue, by the uuid that was sent with it. False if it was not in
    /// there: its turn has begun, or is over.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn cancel_async_message(&self, message_uuid: &str) -> Result<bool, ControlError> {
        let body = json!({"message_uuid": message_uuid});
        self.member("cancel_async_message", &body, "cancelled").await
    }

    /// Asks the model a question about the conversation, beside it: neither question nor answer
    /// becomes a part of it, a turn that runs goes on, and no tool is called.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn ask_side_question(&self, question: &str) -> Result<SideAnswer, ControlError> {
        self.typed("side_question", &json!({"question": question})).await
    }
}
