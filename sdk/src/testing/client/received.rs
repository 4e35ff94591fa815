//! What the server says besides its answers.

use std::io;

use serde::Deserialize;
use serde_json::Value;

use super::test_client::TestClient;
use crate::mcp::{Log, Progress};

impl TestClient {
    /// Takes the notifications that have arrived, in order, with the reports of progress and the
    /// logs that were not taken before. Does not wait: what a tool says during its call arrives
    /// before its result.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn old() {}
    ///
    /// let registry = ToolRegistry::builder("toys").tools(tools![old]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// registry.remove("old");
    /// let notifications = client.notifications()?;
    /// assert_eq!(notifications[0]["method"], "notifications/tools/list_changed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A line is not JSON.
    pub fn notifications(&mut self) -> io::Result<Vec<Value>> {
        self.keep_arrived()?;
        Ok(self.take(|message| message.get("method").is_some() && message.get("id").is_none()))
    }

    /// Takes the progress that calls have reported, in order. Does not wait.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Context, ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn copy(files: u32, cx: &Context) {
    ///     for file in 1..=files {
    ///         cx.progress_of(file.into(), files.into(), "");
    ///     }
    /// }
    ///
    /// let registry = ToolRegistry::builder("files").tools(tools![copy]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// client.call("copy", json!({"files": 2}))?;
    /// assert_eq!(client.progress()?, [(1.0, 2.0, ""), (2.0, 2.0, "")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A line is not JSON.
    pub fn progress(&mut self) -> io::Result<Vec<Progress>> {
        let params = self.params_of("notifications/progress")?;
        let read = |params: Value| Progress {
            done: params["progress"].as_f64().unwrap_or_default(),
            total: params["total"].as_f64().unwrap_or_default(),
            message: params["message"].as_str().unwrap_or_default().to_owned(),
        };
        Ok(params.into_iter().map(read).collect())
    }

    /// Takes the log messages that calls have sent, in order. Does not wait. A server program sends
    /// those of `info` and above to [`call`](Self::call), unless the client says otherwise with
    /// `logging/setLevel`; a modern one, and a registry in memory, those of every level.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Context, LoggingLevel, ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn clean(cx: &Context) {
    ///     cx.log(LoggingLevel::Debug, json!({"removed": 3}));
    /// }
    ///
    /// let registry = ToolRegistry::builder("files").tools(tools![clean]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// client.call("clean", json!({}))?;
    /// assert_eq!(client.logs()?, [(LoggingLevel::Debug, json!({"removed": 3}))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A line is not JSON, or a message has no level that MCP knows.
    pub fn logs(&mut self) -> io::Result<Vec<Log>> {
        let read = |mut params: Value| {
            let level = Deserialize::deserialize(&params["level"])?;
            let logger = params["logger"].as_str().map(Into::into);
            Ok(Log { level, value: params["data"].take(), logger })
        };
        self.params_of("notifications/message")?.into_iter().map(read).collect()
    }

    /// Takes the notifications of one method.
    fn params_of(&mut self, method: &str) -> io::Result<Vec<Value>> {
        self.keep_arrived()?;
        let notifications = self.take(|message| message["method"] == method);
        Ok(notifications.into_iter().map(|mut message| message["params"].take()).collect())
    }
}
