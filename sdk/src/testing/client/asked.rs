//! What a client answers when tools ask.

use std::io;

use super::test_client::TestClient;
use crate::mcp::{Answer, Asked};

impl TestClient {
    /// Answers the forms and URLs of tools, in whatever way the protocol asks. Without it the
    /// client declares that it shows none.
    ///
    /// A [modern](Self::modern) client cannot tell a tool that it [refuses](Asked::refuse) to
    /// answer, so the call fails; it also fails at the ninth time that it asks, or, on a server of
    /// others that allows more, at the eleventh.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{AskError, Context, ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn delete(path: String, cx: &Context) -> Result<String, AskError> {
    ///     match cx.confirm(format!("Delete {path}?")).await? {
    ///         true => Ok(format!("deleted {path}")),
    ///         false => Ok("nothing was deleted".to_owned()),
    ///     }
    /// }
    ///
    /// let registry = ToolRegistry::builder("files").tools(tools![delete]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// client.on_elicit(|asked| match asked.message() {
    ///     "Delete a.txt?" => asked.agree(),
    ///     _ => asked.decline(),
    /// })?;
    /// assert_eq!(client.call("delete", json!({"path": "a.txt"}))?.to_text(), "deleted a.txt");
    /// assert_eq!(client.call("delete", json!({"path": "b"}))?.to_text(), "nothing was deleted");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A client that is connected already says anew what it supports; that has failed.
    pub fn on_elicit(
        &mut self,
        respond: impl FnMut(Asked) -> Answer + Send + 'static,
    ) -> io::Result<&mut Self> {
        self.answers.elicit = Some(Box::new(respond));
        self.declare()
    }

    /// Answers for the model that tools ask. Without it the client declares that it has none.
    ///
    /// # Errors
    ///
    /// Those of [`on_elicit`](Self::on_elicit).
    pub fn on_sample(
        &mut self,
        respond: impl FnMut(Asked) -> Answer + Send + 'static,
    ) -> io::Result<&mut Self> {
        self.answers.sample = Some(Box::new(respond));
        self.declare()
    }

    /// The URIs of the folders that the client works in. Without it the client declares that it
    /// tells none.
    ///
    /// # Errors
    ///
    /// Those of [`on_elicit`](Self::on_elicit).
    pub fn roots<U: Into<String>>(
        &mut self,
        uris: impl IntoIterator<Item = U>,
    ) -> io::Result<&mut Self> {
        self.answers.roots = Some(uris.into_iter().map(Into::into).collect());
        self.declare()
    }

    /// Says what the client supports, if that was said before in a handshake.
    fn declare(&mut self) -> io::Result<&mut Self> {
        if self.is_connected {
            self.initialize()?;
        }
        Ok(self)
    }
}
