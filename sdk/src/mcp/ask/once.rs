//! What happens once, although a function runs in rounds.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mcp::context::Context;
use crate::mcp::link::AskError;

impl Context {
    /// Runs `work` once over all rounds of the call: a later round gets the result of the first one
    /// instead. For effects of a function that asks; see [`Context::elicit`].
    ///
    /// ```
    /// use toolwright::{AskError, Context, tool};
    ///
    /// async fn reserve(item: &str) -> Result<u32, AskError> {
    ///     // …
    /// #   let _ = item; Ok(7)
    /// }
    ///
    /// #[tool]
    /// async fn buy(item: String, cx: &Context) -> Result<String, AskError> {
    ///     let number = cx.once("reservation", reserve(&item)).await?;
    ///     match cx.confirm(format!("Buy {item}, reservation {number}?")).await? {
    ///         true => Ok(format!("bought, reservation {number}")),
    ///         false => Ok("not bought".to_owned()),
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached().answering(|asked| asked.agree());
    /// assert_eq!(buy("tea".to_owned(), &cx).await.unwrap(), "bought, reservation 7");
    /// # }
    /// ```
    ///
    /// `key` distinguishes it from the other effects of the call; within its own work it must not
    /// be used again. Of two rounds that run at the same time, as the client has repeated a
    /// request, one waits for the other. The result is kept as JSON; one that cannot be written so,
    /// and read back, is not kept, and an error in the log says so. An error of `work` is not kept
    /// either.
    ///
    /// Work that is cancelled in the middle runs again. So do not await it beside a question, as in
    /// `join!`: the end of a round cancels what runs.
    ///
    /// # Errors
    ///
    /// Those of `work`.
    pub async fn once<T, E>(
        &self,
        key: &str,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned,
    {
        let effect = self.log_of_rounds().effect(key);
        let mut kept = effect.lock().await;
        let value = kept.as_deref().and_then(|text| serde_json::from_str(text).ok());
        if let Some(value) = value {
            return Ok(value);
        }
        let value = work.await?;
        // A later round has to read it.
        let text = serde_json::to_string(&value);
        match text.and_then(|text| serde_json::from_str::<T>(&text).map(|_| text)) {
            Ok(text) => *kept = Some(text.into()),
            Err(error) => tracing::error!(key, %error, "the result of an effect cannot be kept"),
        }
        Ok(value)
    }

    /// Ends this round without a question: the client sends its request again, Claude after 250 ms,
    /// and in that round this returns at once. So a client need not wait long for one answer; what
    /// the function waits for, such as a page that the user has [opened](Context::elicit_url), it
    /// must ask for itself. Clients before 2026-07-28 have no rounds, and neither has a task: there
    /// it only lets others run.
    ///
    /// A call has 8 rounds.
    ///
    /// # Errors
    ///
    /// The function is no `async` function.
    pub async fn next_round(&self) -> Result<(), AskError> {
        self.come_back().await
    }
}
