//! Calls of tools.

use std::io::{self, ErrorKind};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::failure::failed;
use super::result;
use super::test_client::TestClient;
use super::test_task::TestTask;
use crate::ToolResult;
use crate::mcp::schema::is_object;

impl TestClient {
    /// Calls a tool and returns its result, which is what the tool has returned in whatever form
    /// the protocol sends it. The client asks for [progress](Self::progress).
    ///
    /// In the legacy era a value that is no object comes as `{"result": …}`, and a program does not
    /// say that it has added that. The client removes it where the text of the result is a copy of
    /// the value without it; [`call_as`](Self::call_as) takes the value either way.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn repeat(text: &str, times: usize) -> String {
    ///     text.repeat(times)
    /// }
    ///
    /// let registry = ToolRegistry::builder("texts").tools(tools![repeat]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let result = client.call("repeat", json!({"text": "ab", "times": 2}))?;
    /// assert_eq!(result.to_text(), "abab");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The tool has answered with an error, of which the error shows the text. Or there was no
    /// answer, as [`TestClient`] says.
    pub fn call(&mut self, name: &str, arguments: impl Serialize) -> io::Result<ToolResult> {
        let id = self.start_call(name, arguments)?;
        self.finish_call(id)
    }

    /// Calls a tool and returns its result as it is on the wire. A result with `isError` is
    /// returned like any other. [`call`](Self::call) reads the result.
    ///
    /// # Errors
    ///
    /// The server answers with an error, as there is no such tool, or has closed its output, or the
    /// timeout expired.
    pub fn call_tool(&mut self, name: &str, arguments: Value) -> io::Result<Value> {
        self.result("tools/call", named(name, arguments))
    }

    /// Calls a tool and reads its result: the structured content, if it has any, otherwise the
    /// text, as a string or else as JSON. A result without content is read as null.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Json, ToolRegistry, data, json, tool, tools};
    ///
    /// #[data]
    /// #[derive(Debug, PartialEq)]
    /// struct Point {
    ///     x: f64,
    ///     y: f64,
    /// }
    ///
    /// #[tool]
    /// async fn mirror(point: Point) -> Json<Point> {
    ///     Json(Point { x: point.y, y: point.x })
    /// }
    ///
    /// let registry = ToolRegistry::builder("geometry").tools(tools![mirror]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let point: Point = client.call_as("mirror", json!({"point": {"x": 1, "y": 2}}))?;
    /// assert_eq!(point, Point { x: 2.0, y: 1.0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call); or the result is no `T`.
    pub fn call_as<T: DeserializeOwned>(
        &mut self,
        name: &str,
        arguments: impl Serialize,
    ) -> io::Result<T> {
        let id = self.start_call(name, arguments)?;
        let request = self.request_text(id);
        let result = self.finish_call(id)?;
        result::decode(&result, self.wraps(&request)).map_err(|error| {
            let (wanted, got) = (std::any::type_name::<T>(), result::shown(&result));
            let what = format!("the result is no {wanted}: {error}\n  result: {got}");
            failed(ErrorKind::InvalidData, what, &request)
        })
    }

    /// Calls a tool that must fail, and returns what the model reads: the text of an error result,
    /// or the message if the server refuses the request.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// fn read(path: &str) -> std::io::Result<String> {
    ///     std::fs::read_to_string(path)
    /// }
    ///
    /// let registry = ToolRegistry::builder("files").tools(tools![read]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let missing = client.expect_error("read", json!({"path": "/no/file"}))?;
    /// assert!(missing.contains("No such file"));
    /// let refused = client.expect_error("read", json!({"path": 5}))?;
    /// assert!(refused.contains("/path: expected string"));
    /// let unknown = client.expect_error("write", json!({}))?;
    /// assert!(unknown.starts_with("Unknown tool: write"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The call has succeeded. Or there was no answer, as [`TestClient`] says.
    pub fn expect_error(&mut self, name: &str, arguments: impl Serialize) -> io::Result<String> {
        let id = self.start_call(name, arguments)?;
        let request = self.request_text(id);
        match self.outcome(id)? {
            Err(text) => Ok(text),
            Ok(result) => {
                let what = format!("the call has succeeded\n  result: {}", result::shown(&result));
                Err(failed(ErrorKind::Other, what, &request))
            }
        }
    }

    /// Calls a tool, and returns once the call goes on as a task, which it does if it takes longer
    /// than a second; in memory as soon as an `async` tool waits, or while a plain function runs.
    /// The client has to [declare](Self::tasks) that it asks for the results of tasks.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool(task)]
    /// async fn convert(pages: u32) -> u32 {
    ///     for _ in 0..pages {
    ///         tokio::task::yield_now().await;
    ///     }
    ///     pages
    /// }
    ///
    /// let registry = ToolRegistry::builder("files").tools(tools![convert]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?.tasks();
    /// let (one, two) = (
    ///     client.task("convert", json!({"pages": 7}))?,
    ///     client.task("convert", json!({"pages": 9}))?,
    /// );
    /// assert_eq!(two.result(&mut client)?.to_text(), "9");
    /// assert_eq!(one.result(&mut client)?.to_text(), "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The call was answered with its result or an error, and not with a task. Or there was no
    /// answer, as [`TestClient`] says.
    pub fn task(&mut self, name: &str, arguments: impl Serialize) -> io::Result<TestTask> {
        let id = self.start_call(name, arguments)?;
        let request = self.request_text(id);
        let answer = self.last_answer(id)?;
        TestTask::announced(&answer, &request).ok_or_else(|| {
            let what = format!("the call was answered before it went on as a task: {answer}");
            failed(ErrorKind::Other, what, &request)
        })
    }

    /// Starts a call and returns its id, for [`finish_call`](Self::finish_call) or
    /// [`cancel`](Self::cancel). In memory an `async` tool runs until it waits for something,
    /// before the server takes the next message.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn double(n: u64) -> u64 {
    ///     2 * n
    /// }
    ///
    /// let registry = ToolRegistry::builder("calc").tools(tools![double]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let one = client.start_call("double", json!({"n": 1}))?;
    /// let two = client.start_call("double", json!({"n": 2}))?;
    /// assert_eq!(client.finish_call(two)?.to_text(), "4");
    /// assert_eq!(client.finish_call(one)?.to_text(), "2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The arguments cannot be written as JSON; or those of [`send`](Self::send).
    pub fn start_call(&mut self, name: &str, arguments: impl Serialize) -> io::Result<u64> {
        let mut call = named(name, serde_json::to_value(arguments)?);
        call["_meta"] = json!({"progressToken": self.next_id()});
        if self.modern {
            call["_meta"]["io.modelcontextprotocol/logLevel"] = "debug".into();
        }
        self.send("tools/call", call)
    }

    /// Waits for the result of a call that was [started](Self::start_call).
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call). A call that was cancelled has no result.
    pub fn finish_call(&mut self, id: u64) -> io::Result<ToolResult> {
        let request = self.request_text(id);
        self.outcome(id)?.map_err(|text| result::error(&text, &request))
    }

    /// Cancels a call that was [started](Self::start_call), and returns once the server has done
    /// it. In memory an `async` tool is dropped by then.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// static CLEAN: AtomicBool = AtomicBool::new(true);
    ///
    /// struct TempFile;
    ///
    /// impl Drop for TempFile {
    ///     fn drop(&mut self) {
    ///         CLEAN.store(true, Ordering::SeqCst);
    ///     }
    /// }
    ///
    /// #[tool]
    /// async fn convert() {
    ///     CLEAN.store(false, Ordering::SeqCst);
    ///     let _file = TempFile;
    ///     std::future::pending::<()>().await;
    /// }
    ///
    /// let registry = ToolRegistry::builder("files").tools(tools![convert]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let id = client.start_call("convert", json!({}))?;
    /// client.cancel(id)?;
    /// assert!(CLEAN.load(Ordering::SeqCst));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The call was answered before it was cancelled, it was cancelled already, or there is none.
    /// Or the server has not answered, as [`TestClient`] says.
    pub fn cancel(&mut self, id: u64) -> io::Result<()> {
        let id = self.latest(id);
        if !self.is_open(id) {
            let what = "there is no such call, its answer was taken already, or it was cancelled";
            return Err(failed(ErrorKind::InvalidInput, what, &self.request_text(id)));
        }
        self.notify("notifications/cancelled", json!({"requestId": id}))?;
        // Messages are taken in their order, so its answer comes after the cancellation.
        let method = if self.modern { "server/discover" } else { "ping" };
        self.request(method, json!({}))?;
        let request = self.request_text(id);
        self.forget(id);
        match self.answer(id) {
            Err(_) => Ok(()),
            Ok(answer) => {
                let what = format!("the call was answered before it was cancelled: {answer}");
                Err(failed(ErrorKind::Other, what, &request))
            }
        }
    }

    /// The result of a call, or the text of the error. If it goes on as a task, those of the task.
    fn outcome(&mut self, id: u64) -> io::Result<Result<ToolResult, String>> {
        let request = self.request_text(id);
        let answer = self.last_answer(id)?;
        match TestTask::announced(&answer, &request) {
            Some(task) => result::outcome(&task.end(self)?, Some(false), &request),
            None => result::outcome(&answer, self.wraps(&request), &request),
        }
    }

    /// Whether the value of a called tool comes as `{"result": …}`, as it does in the legacy era
    /// unless the output schema is one of objects. `None` if the client does not know the schema.
    fn wraps(&self, request: &str) -> Option<bool> {
        if self.modern {
            return Some(false);
        }
        let request: Value = request.parse().ok()?;
        let tool = self.registry.as_ref()?.get(request["params"]["name"].as_str()?)?;
        let schema: Value = tool.output_schema()?.get().parse().ok()?;
        Some(!is_object(&schema))
    }
}

/// The parameters of a request for a tool or prompt. Without arguments there are none: the schema
/// of MCP has no null there.
pub(super) fn named(name: &str, arguments: Value) -> Value {
    let mut params = json!({"name": name});
    if !arguments.is_null() {
        params["arguments"] = arguments;
    }
    params
}
