//! A client for server programs on standard input and output.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The default of [`TestClient::timeout`].
const TIMEOUT: Duration = Duration::from_secs(10);

/// Starts a server program and speaks MCP to it. Its methods block; it is meant for tests and
/// demonstrations. They fail when the server has closed its end, when an answer is late, when a
/// line is not JSON, and, except for [`request`](Self::request) and [`answer`](Self::answer), when
/// the answer is an error.
///
/// ```no_run
/// use std::process::Command;
/// use toolwright::json;
/// use toolwright::testing::TestClient;
///
/// let mut client = TestClient::spawn(&mut Command::new("./calc"))?;
/// client.initialize()?;
/// let result = client.call_tool("add", json!({"a": 2, "b": 40}))?;
/// assert_eq!(result["content"][0]["text"], "42");
/// assert!(client.close()?.success());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TestClient {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Messages that arrived while another one was awaited.
    others: VecDeque<Value>,
    next_id: u64,
    modern: bool,
    timeout: Duration,
    watch: Option<Watch>,
}

type Watch = Box<dyn FnMut(Direction, &str)>;

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
}

impl TestClient {
    /// Starts the program. Standard error stays as `command` has it.
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) =
            (child.stdin.take(), child.stdout.take().ok_or(ErrorKind::BrokenPipe)?);
        let (sender, lines) = channel();
        thread::Builder::new().name("test-client".into()).spawn(move || {
            let mut lines = BufReader::new(output).lines().map_while(Result::ok);
            while lines.next().is_some_and(|line| sender.send(line).is_ok()) {}
        })?;
        Ok(Self {
            child,
            input,
            lines,
            others: VecDeque::new(),
            next_id: 0,
            modern: false,
            timeout: TIMEOUT,
            watch: None,
        })
    }

    /// Uses the stateless protocol 2026-07-28: every request carries its version, and there is no
    /// handshake.
    pub fn modern(mut self) -> Self {
        self.modern = true;
        self
    }

    /// The timeout of each answer. Default: 10 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Calls `watch` with every line in either direction, without its line feed.
    pub fn watch(mut self, watch: impl FnMut(Direction, &str) + 'static) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// Connects: `initialize` and `notifications/initialized`, or `server/discover`. Returns the
    /// result.
    pub fn initialize(&mut self) -> io::Result<Value> {
        if self.modern {
            return self.result("server/discover", json!({}));
        }
        let info = client_info();
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
        let result = self.result("initialize", params)?;
        self.notify("notifications/initialized", json!({}))?;
        Ok(result)
    }

    /// Lists the tools.
    pub fn list_tools(&mut self) -> io::Result<Vec<Value>> {
        match self.result("tools/list", json!({}))?.get_mut("tools").map(Value::take) {
            Some(Value::Array(tools)) => Ok(tools),
            _ => Err(io::Error::new(ErrorKind::InvalidData, "the result has no tools")),
        }
    }

    /// Calls a tool. A result with `isError` is returned like any other.
    pub fn call_tool(&mut self, name: &str, arguments: Value) -> io::Result<Value> {
        self.result("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Sends a request and returns the whole response. Other messages are kept for
    /// [`TestClient::receive`].
    ///
    /// # Errors
    ///
    /// The server closed its output, the timeout expired, or a line is not JSON.
    pub fn request(&mut self, method: &str, params: Value) -> io::Result<Value> {
        let id = self.send(method, params)?;
        self.answer(id)
    }

    /// Sends a request and returns its id.
    ///
    /// # Errors
    ///
    /// The server closed its input.
    pub fn send(&mut self, method: &str, mut params: Value) -> io::Result<u64> {
        let id = self.next_id;
        self.next_id += 1;
        if self.modern && params.is_object() {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
            meta["io.modelcontextprotocol/clientInfo"] = client_info();
        }
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send_line(&request.to_string())?;
        Ok(id)
    }

    /// Sends a notification.
    ///
    /// # Errors
    ///
    /// The server closed its input.
    pub fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send_line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
    }

    /// Sends a line unchanged.
    ///
    /// # Errors
    ///
    /// The server closed its input, or [`TestClient::end_input`] was called.
    pub fn send_line(&mut self, line: &str) -> io::Result<()> {
        if let Some(watch) = &mut self.watch {
            watch(Direction::ToServer, line);
        }
        let input = self.input.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())
    }

    /// Waits for the response to an earlier request.
    pub fn answer(&mut self, id: u64) -> io::Result<Value> {
        let is_answer = |message: &Value| message["id"] == id && message.get("method").is_none();
        if let Some(at) = self.others.iter().position(is_answer) {
            return self.others.remove(at).ok_or_else(|| ErrorKind::UnexpectedEof.into());
        }
        loop {
            let message = self.read()?.ok_or(ErrorKind::UnexpectedEof)?;
            if is_answer(&message) {
                return Ok(message);
            }
            self.others.push_back(message);
        }
    }

    /// Returns the next message of any kind, or `None` when the server has closed its output.
    ///
    /// # Errors
    ///
    /// The timeout expired, or a line is not JSON.
    pub fn receive(&mut self) -> io::Result<Option<Value>> {
        match self.others.pop_front() {
            Some(message) => Ok(Some(message)),
            None => self.read(),
        }
    }

    /// Closes the server's standard input, which ends the session.
    pub fn end_input(&mut self) {
        self.input = None;
    }

    /// Closes the server's input and waits for the program to exit.
    ///
    /// # Errors
    ///
    /// The timeout expired, and the program was killed.
    pub fn close(mut self) -> io::Result<ExitStatus> {
        self.end_input();
        self.wait()
    }

    /// Waits for the program to exit.
    ///
    /// # Errors
    ///
    /// The timeout expired, and the program was killed.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        let end = Instant::now() + self.timeout;
        while self.read_until(end)?.is_some() {}
        // The output is closed, so the program is about to exit. std offers no other way to wait
        // with a timeout than to ask again.
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > end {
                self.child.kill()?;
                return Err(ErrorKind::TimedOut.into());
            }
            thread::park_timeout(Duration::from_millis(1));
        }
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn result(&mut self, method: &str, params: Value) -> io::Result<Value> {
        let mut answer = self.request(method, params)?;
        match answer.get_mut("result") {
            Some(result) => Ok(result.take()),
            None => Err(io::Error::other(answer["error"].to_string())),
        }
    }

    fn read(&mut self) -> io::Result<Option<Value>> {
        match self.read_until(Instant::now() + self.timeout)? {
            None => Ok(None),
            Some(line) => serde_json::from_str(&line).map(Some).map_err(|error| {
                let error = format!("not a message: {error}: {line}");
                io::Error::new(ErrorKind::InvalidData, error)
            }),
        }
    }

    fn read_until(&mut self, end: Instant) -> io::Result<Option<String>> {
        match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                if let Some(watch) = &mut self.watch {
                    watch(Direction::ToClient, &line);
                }
                Ok(Some(line))
            }
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(ErrorKind::TimedOut.into()),
        }
    }
}

fn client_info() -> Value {
    json!({"name": "toolwright-test-client", "version": env!("CARGO_PKG_VERSION")})
}

impl Drop for TestClient {
    fn drop(&mut self) {
        // A failed test must not leave its server behind. An error means that it has exited
        // already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl fmt::Debug for TestClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestClient")
            .field("process", &self.child.id())
            .field("modern", &self.modern)
            .finish_non_exhaustive()
    }
}
