//! What happens once, although a function runs in rounds.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::mcp::context::Context;
use crate::mcp::link::AskError;

impl Context {
    /// Runs `work` once over all rounds of the call: a later round gets the result of the first one
    /// instead. For effects that stand before a question; see [`Context::elicit`].
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
    /// `key` distinguishes it from the other effects of the call. Of two rounds that run at the same
    /// time, as the client has repeated a request, one waits for the other. The result is kept as
    /// JSON; one that cannot be written so, or read back, is not kept. An error is not kept either,
    /// and work that is cancelled in the middle runs again.
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
        match serde_json::to_string(&value) {
            Ok(text) => *kept = Some(text.into()),
            Err(error) => tracing::error!(key, %error, "the result of an effect cannot be kept"),
        }
        Ok(value)
    }

    /// Ends this round without a question: the client sends its request again, Claude after 250 ms,
    /// and in that round this returns at once. For what happens outside of the client, such as on
    /// a page that the user has [opened](Context::elicit_url). Clients before 2026-07-28 have no
    /// rounds, so that it returns at once.
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
