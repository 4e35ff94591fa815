//! The client: requests, answers and other messages.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io::{self, ErrorKind};
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::answers::Answers;
use super::failure::{failed, late};
use super::memory::Memory;
use super::peer::{Line, Peer};
use super::process::Process;
use crate::ToolRegistry;

/// The default of [`TestClient::timeout`].
const TIMEOUT: Duration = Duration::from_secs(10);

/// Instead of a time that no clock can tell.
const NEVER: Duration = Duration::from_secs(30 * 365 * 86_400);

/// An MCP client for tests and demonstrations: of a registry in the same process, or of a server
/// program.
///
/// ```
/// use toolwright::testing::TestClient;
/// use toolwright::{Context, ToolRegistry, json, tool, tools};
///
/// #[tool]
/// async fn divide(a: f64, b: f64, cx: &Context) -> Result<f64, &'static str> {
///     cx.progress(0.5, "dividing");
///     if b == 0.0 { Err("division by zero") } else { Ok(a / b) }
/// }
///
/// let registry = ToolRegistry::builder("calc").tools(tools![divide]).build()?;
/// let mut client = TestClient::in_memory(&registry)?;
/// assert_eq!(client.call_as::<f64>("divide", json!({"a": 84, "b": 2}))?, 42.0);
/// assert_eq!(client.progress()?, [(0.5, 1.0, "dividing")]);
/// assert_eq!(client.expect_error("divide", json!({"a": 1, "b": 0}))?, "division by zero");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its methods block. They fail when the server has closed its end, when an answer is late, when a
/// line is not JSON, and, except for [`request`](Self::request) and [`answer`](Self::answer), when
/// the answer is an error. The error shows the request and what the server said to it.
pub struct TestClient {
    peer: Box<dyn Peer>,
    lines: Receiver<Line>,
    /// Messages that arrived while another one was awaited.
    others: VecDeque<Message>,
    /// The requests that are not answered, by id.
    open: BTreeMap<u64, String>,
    /// The last request of each call that took more than one, by the id of the first.
    pub(super) latest: BTreeMap<u64, u64>,
    next_id: u64,
    pub(super) modern: bool,
    pub(super) timeout: Duration,
    watch: Option<Watch>,
    pub(super) answers: Answers,
    /// The client has said what it supports, and cannot add to that without a second handshake.
    pub(super) is_connected: bool,
    /// In memory, for another session.
    pub(super) registry: Option<ToolRegistry>,
}

/// A message, after the id of the request that it answers.
type Message = (Option<u64>, Value);

type Watch = Box<dyn FnMut(Direction, &str) + Send>;

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
}

impl TestClient {
    /// A client of a registry in this process. What runs is what runs in every host: limits,
    /// time-outs, threads, cancellation. The client is connected, and gets logs of every level.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, tool, tools};
    ///
    /// #[tool]
    /// async fn add(a: f64, b: f64) -> f64 {
    ///     a + b
    /// }
    ///
    /// let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// assert_eq!(client.call("add", json!({"a": 2, "b": 40}))?.to_text(), "42");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Tools run on a runtime and threads of their own, so this works in a `#[tokio::test]` too.
    /// But the client blocks the test's thread: where a tool waits for a task of the test, such as
    /// a stub of an HTTP API, write `#[tokio::test(flavor = "multi_thread")]`, or use the client
    /// inside of `tokio::task::spawn_blocking`.
    ///
    /// The time-outs are on the thread of the `async` tools: one that blocks it, such as with
    /// `std::thread::sleep`, delays them. `toolwright-stdio` has a thread for them, so test that
    /// with a program.
    ///
    /// # Errors
    ///
    /// No runtime or thread can be started.
    pub fn in_memory(registry: &ToolRegistry) -> io::Result<Self> {
        let (peer, lines) = Memory::start(registry)?;
        let mut client = Self::of(Box::new(peer), lines);
        client.registry = Some(registry.clone());
        client.modern = !registry.server().eras.legacy();
        client.initialize()?;
        if !client.modern {
            client.result("logging/setLevel", json!({"level": "debug"}))?;
        }
        Ok(client)
    }

    /// Starts a server program. Standard error stays as `command` has it.
    ///
    /// ```no_run
    /// use std::process::Command;
    /// use toolwright::json;
    /// use toolwright::testing::TestClient;
    ///
    /// let mut client = TestClient::spawn(&mut Command::new("./calc"))?;
    /// client.initialize()?;
    /// assert_eq!(client.call("add", json!({"a": 2, "b": 40}))?.to_text(), "42");
    /// assert!(client.close()?.success());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The process cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let (peer, lines) = Process::start(command)?;
        Ok(Self::of(Box::new(peer), lines))
    }

    fn of(peer: Box<dyn Peer>, lines: Receiver<Line>) -> Self {
        Self {
            peer,
            lines,
            others: VecDeque::new(),
            open: BTreeMap::new(),
            latest: BTreeMap::new(),
            next_id: 0,
            modern: false,
            timeout: TIMEOUT,
            watch: None,
            answers: Answers::default(),
            is_connected: false,
            registry: None,
        }
    }

    /// Uses the stateless protocol 2026-07-28: every request carries its version, and there is no
    /// handshake. A client [in memory](Self::in_memory) that has had one begins anew.
    ///
    /// # Panics
    ///
    /// No runtime or thread can be started for another session in memory.
    pub fn modern(mut self) -> Self {
        self.modern = true;
        if let Some(registry) = self.registry.take_if(|_| self.is_connected) {
            let (peer, lines) = Memory::start(&registry).expect("a session in memory can start");
            (self.peer, self.lines) = (Box::new(peer), lines);
            self.is_connected = false;
            self.others.clear();
            self.open.clear();
        }
        self
    }

    /// Declares the extension `io.modelcontextprotocol/tasks`, which needs the
    /// [modern](Self::modern) protocol: calls of tools with `#[tool(task)]` may go on as tasks. The
    /// methods that wait for the result of a call wait for the end of its task too, and answer its
    /// questions; [`task`](Self::task) returns as soon as it has begun.
    pub fn tasks(mut self) -> Self {
        self.answers.tasks = true;
        self.modern()
    }

    /// The timeout of each answer, and of each change of a task. Default: 10 s.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Calls `watch` with every line in either direction, without its line feed.
    pub fn watch(mut self, watch: impl FnMut(Direction, &str) + Send + 'static) -> Self {
        self.watch = Some(Box::new(watch));
        self
    }

    /// Connects: `initialize` and `notifications/initialized`, or `server/discover`. Returns the
    /// result.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, or the timeout expired.
    pub fn initialize(&mut self) -> io::Result<Value> {
        if self.modern {
            return self.result("server/discover", json!({}));
        }
        let info = client_info();
        let capabilities = self.answers.capabilities();
        let version = "2025-11-25";
        let params =
            json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": info});
        let result = self.result("initialize", params)?;
        self.notify("notifications/initialized", json!({}))?;
        self.is_connected = true;
        Ok(result)
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
    /// Those of [`send_line`](Self::send_line).
    pub fn send(&mut self, method: &str, mut params: Value) -> io::Result<u64> {
        let id = self.next_id;
        self.next_id += 1;
        if self.modern && params.is_object() {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
            meta["io.modelcontextprotocol/clientCapabilities"] = self.answers.capabilities();
            meta["io.modelcontextprotocol/clientInfo"] = client_info();
        }
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let request = request.to_string();
        self.send_line(&request).map_err(|error| failed(error.kind(), error, &request))?;
        self.open.insert(id, request);
        Ok(id)
    }

    /// Sends a notification.
    ///
    /// # Errors
    ///
    /// Those of [`send_line`](Self::send_line).
    pub fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send_line(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
    }

    /// Sends a line unchanged, without waiting until the server reads it. So a program that has
    /// closed its input loses the lines that are sent until the first one of them has failed.
    ///
    /// # Errors
    ///
    /// The server is known to have closed its input, or [`TestClient::end_input`] was called.
    pub fn send_line(&mut self, line: &str) -> io::Result<()> {
        if let Some(watch) = &mut self.watch {
            watch(Direction::ToServer, line);
        }
        self.peer.send(line)
    }

    /// Waits for the response to an earlier request. It fails at once for a request of this client
    /// that was answered or cancelled before.
    ///
    /// # Errors
    ///
    /// There is no such request or its answer was taken already, the server closed its output, the
    /// timeout expired, or a line is not JSON.
    pub fn answer(&mut self, id: u64) -> io::Result<Value> {
        let kept = self.others.iter().position(|(answers, _)| *answers == Some(id));
        if let Some(message) = kept.and_then(|at| self.others.remove(at)) {
            return Ok(self.given(message));
        }
        if id < self.next_id && !self.is_open(id) {
            let why = "its answer was taken already, or it was cancelled";
            return Err(failed(ErrorKind::InvalidInput, why, &self.request_text(id)));
        }
        let end = self.end();
        let (kind, why) = loop {
            match self.read(end) {
                Ok(Some(message)) if message.0 == Some(id) => return Ok(self.given(message)),
                Ok(Some(message)) => {
                    self.keep(message)?;
                    // Others may come without end.
                    if Instant::now() >= end {
                        break self.late();
                    }
                }
                Ok(None) => {
                    let why = "the server closed its output before it answered";
                    break (ErrorKind::UnexpectedEof, why.to_owned());
                }
                Err(error) if error.kind() == ErrorKind::TimedOut => break self.late(),
                Err(error) => break (error.kind(), error.to_string()),
            }
        };
        Err(failed(kind, why, &self.request_text(id)))
    }

    /// Returns the next message of any kind, or `None` when the server has closed its output.
    ///
    /// # Errors
    ///
    /// The timeout expired, or a line is not JSON.
    pub fn receive(&mut self) -> io::Result<Option<Value>> {
        let message = match self.others.pop_front() {
            Some(message) => Some(message),
            None => self.read(self.end())?,
        };
        Ok(message.map(|message| self.given(message)))
    }

    /// Closes the server's input, which ends the session. In memory, calls that still run are
    /// stopped.
    pub fn end_input(&mut self) {
        self.peer.end_input();
    }

    /// Closes the server's input and waits for the program to exit; in memory, for the session to
    /// end, with a status of success.
    ///
    /// # Errors
    ///
    /// The timeout expired: the program was killed, or a plain function still runs.
    pub fn close(mut self) -> io::Result<ExitStatus> {
        self.end_input();
        self.wait()
    }

    /// Waits for the program to exit. The messages that come meanwhile are kept.
    ///
    /// # Errors
    ///
    /// As [`close`](Self::close).
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        let end = self.end();
        let read = loop {
            match self.read_until(end) {
                Ok(Some((_, line))) => {
                    // A line that is no message does not matter any more.
                    self.others.extend(message(&line));
                    if Instant::now() >= end {
                        break Err(ErrorKind::TimedOut.into());
                    }
                }
                Ok(None) => break Ok(()),
                Err(late) => break Err(late),
            }
        };
        // A program that is late is killed.
        let status = self.peer.wait(end);
        read.and(status)
    }

    /// The id of the server's process; in memory, that of this process.
    pub fn id(&self) -> u32 {
        self.peer.process()
    }

    /// Whether a message has arrived that `is_wanted` selects.
    pub(super) fn has(&self, is_wanted: impl Fn(&Value) -> bool) -> bool {
        self.others.iter().any(|(_, message)| is_wanted(message))
    }

    /// The messages that have arrived and that `is_wanted` selects, in order.
    pub(super) fn take(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let messages = self.others.drain(..);
        let (taken, kept): (Vec<_>, Vec<_>) = messages.partition(|(_, message)| is_wanted(message));
        self.others = kept.into();
        taken.into_iter().map(|(_, message)| message).collect()
    }

    /// Waits, at most until `end`, for a message of this kind, and takes it. Returns whether it has
    /// come.
    pub(super) fn comes(
        &mut self,
        end: Instant,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> io::Result<bool> {
        let kept = self.others.iter().position(|(_, message)| is_wanted(message));
        if let Some(at) = kept {
            self.others.remove(at);
            return Ok(true);
        }
        loop {
            match self.read_until(end) {
                Ok(Some((_, line))) => {
                    let message = message(&line)?;
                    if is_wanted(&message.1) {
                        return Ok(true);
                    }
                    self.keep(message)?;
                    if Instant::now() >= end {
                        return Ok(false);
                    }
                }
                Ok(None) => return Err(ErrorKind::UnexpectedEof.into()),
                Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(false),
                Err(error) => return Err(error),
            }
        }
    }

    /// Answers a question, if the client does that, and keeps any other message.
    fn keep(&mut self, message: Message) -> io::Result<()> {
        match self.answers.has(&message.1) {
            true => {
                let answer = self.answers.respond_to(&message.1);
                self.send_line(&answer.to_string())
            }
            false => {
                self.others.push_back(message);
                Ok(())
            }
        }
    }

    /// Keeps the messages that have come meanwhile, without waiting.
    pub(super) fn keep_arrived(&mut self) -> io::Result<()> {
        let now = Instant::now();
        loop {
            match self.read_until(now) {
                Ok(Some((arrived, line))) => {
                    self.keep(message(&line)?)?;
                    // Others may come without end.
                    if arrived > now {
                        return Ok(());
                    }
                }
                Ok(None) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::TimedOut => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the answer to a request is still to be taken.
    pub(super) fn is_open(&self, id: u64) -> bool {
        self.open.contains_key(&id)
    }

    /// The id of the last request of a call, given that of its first one.
    pub(super) fn latest(&self, id: u64) -> u64 {
        self.latest.get(&id).copied().unwrap_or(id)
    }

    /// An open request, for error messages.
    pub(super) fn request_text(&self, id: u64) -> String {
        self.open.get(&self.latest(id)).cloned().unwrap_or_else(|| format!("{id}"))
    }

    /// The id of the next request.
    pub(super) fn next_id(&self) -> u64 {
        self.next_id
    }

    /// Withdraws a request; it gets no answer.
    pub(super) fn forget(&mut self, id: u64) {
        self.open.remove(&id);
    }

    /// When what is awaited from now on is late.
    pub(super) fn end(&self) -> Instant {
        let now = Instant::now();
        now.checked_add(self.timeout).unwrap_or_else(|| now + NEVER)
    }

    /// Why there is no answer.
    fn late(&self) -> (ErrorKind, String) {
        (ErrorKind::TimedOut, late(self.timeout))
    }

    /// The message, whose request is no longer open if it is an answer.
    fn given(&mut self, (answers, message): Message) -> Value {
        if let Some(id) = answers {
            self.open.remove(&id);
        }
        message
    }

    fn read(&mut self, end: Instant) -> io::Result<Option<Message>> {
        self.read_until(end)?.map(|(_, line)| message(&line)).transpose()
    }

    fn read_until(&mut self, end: Instant) -> io::Result<Option<Line>> {
        match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok((arrived, line)) => {
                if let Some(watch) = &mut self.watch {
                    watch(Direction::ToClient, &String::from_utf8_lossy(&line));
                }
                Ok(Some((arrived, line)))
            }
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(ErrorKind::TimedOut.into()),
        }
    }
}

fn client_info() -> Value {
    json!({"name": "toolwright-test-client", "version": env!("CARGO_PKG_VERSION")})
}

fn message(line: &[u8]) -> io::Result<Message> {
    let message: Value = serde_json::from_slice(line).map_err(|error| {
        let line = String::from_utf8_lossy(line);
        io::Error::new(ErrorKind::InvalidData, format!("not a message: {error}: {line}"))
    })?;
    let answers = message["id"].as_u64().filter(|_| message.get("method").is_none());
    Ok((answers, message))
}

impl fmt::Debug for TestClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestClient")
            .field("process", &self.id())
            .field("modern", &self.modern)
            .finish_non_exhaustive()
    }
}
