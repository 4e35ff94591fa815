//! A client of the server in the same process. It sends the lines that any other client sends, so
//! that calls run as they do when they are served.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::time::Instant;
use toolwright::__private::{MISSING_CLIENT_CAPABILITY, limits_without_tasks, member};
use toolwright::ToolRegistry;
use toolwright::host::{Received, Runner, Shell};
use toolwright::mcp::{Host, Outbox};

/// How many bytes of messages may wait to be read, before progress is dropped.
const UNREAD: usize = 1024 * 1024;

/// What each request says of the client: members of its `_meta`. Some tools can be called only by
/// clients with tasks, although no call becomes one here.
const META: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":"#,
    r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}},"#,
    r#""io.modelcontextprotocol/clientInfo":{"title":"command line","name":""#,
    env!("CARGO_PKG_NAME"),
    r#"","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""},"io.modelcontextprotocol/logLevel":"info""#,
);

/// One session.
pub(super) struct Client {
    runner: Arc<Runner>,
    inbox: Arc<Inbox>,
    sent: u64,
    /// The call, for its further rounds: members of its parameters, and whether it asks for
    /// progress.
    call: (String, bool),
}

/// A message of the server.
pub(super) enum Message {
    /// The result of the last request, as JSON text.
    Result(String),
    /// The last request was refused.
    Refused(String),
    /// The parameters of a notification.
    Progress(Value),
    Log(Value),
}

/// Messages that have not been read.
#[derive(Default)]
struct Inbox {
    bytes: Mutex<Vec<u8>>,
    /// Their number, for those who must not wait for the lock.
    unread: AtomicUsize,
    has_more: Notify,
}

struct ToInbox(Arc<Inbox>);

impl Client {
    /// A client of a server whose tools run on `tools`. Their time-outs are on the current runtime.
    pub(super) fn of(registry: &ToolRegistry, tools: Handle) -> Self {
        let inbox = Arc::<Inbox>::default();
        let (shell, limits) = (ToInbox(inbox.clone()), limits_without_tasks());
        let runner = Runner::on(tools, registry, Host::Stdio, Outbox::new(), shell, limits);
        Self { runner, inbox, sent: 0, call: Default::default() }
    }

    /// Sends a request and waits for the answer. `members` are JSON members of its parameters, each
    /// with a comma after it.
    pub(super) async fn request(&mut self, method: &str, members: &str) -> Result<String, String> {
        self.send(method, members, false);
        loop {
            for message in self.messages().await {
                match message {
                    Message::Result(result) => return Ok(result),
                    Message::Refused(error) => return Err(error),
                    Message::Progress(_) | Message::Log(_) => {}
                }
            }
        }
    }

    /// The name and the version of the server, as one line.
    pub(super) async fn version(&mut self) -> Result<String, String> {
        let handshake = r#""protocolVersion":"2025-11-25","#;
        let result = match self.request("server/discover", "").await {
            Ok(result) => result,
            Err(_) => self.request("initialize", handshake).await?,
        };
        let result: Value = result.parse().unwrap_or_default();
        let modern = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        let info = if modern.is_object() { modern } else { &result["serverInfo"] };
        let text = |name: &str| info[name].as_str().unwrap_or_default().to_owned();
        Ok(format!("{} {}\n", text("name"), text("version")))
    }

    /// Begins to call a tool. `arguments` is JSON text. The answer is one of the
    /// [messages](Client::messages).
    pub(super) fn call(&mut self, tool: &str, arguments: &str, wants_progress: bool) {
        let members = format!(r#""name":{},"arguments":{arguments},"#, Value::from(tool));
        self.send("tools/call", &members, wants_progress);
        self.call = (members, wants_progress);
    }

    /// The next messages.
    pub(super) async fn messages(&mut self) -> Vec<Message> {
        loop {
            let mut messages = self.inbox.take();
            if messages.is_empty() {
                self.inbox.has_more.notified().await;
                continue;
            }
            self.runner.resume();
            if let Some(Message::Result(result)) = messages.last()
                && member(result, "resultType") == Some("\"input_required\"")
            {
                // This client answers no questions, so the call just wants another round.
                let state = member(result, "requestState").unwrap_or_default();
                let (members, wants_progress) = self.call.clone();
                self.send(
                    "tools/call",
                    &format!("{members}\"requestState\":{state},"),
                    wants_progress,
                );
                messages.pop();
            }
            if !messages.is_empty() {
                return messages;
            }
        }
    }

    /// Cancels the last request, as a client does that no longer waits for the answer.
    pub(super) fn cancel(&self) {
        let params = format!(r#"{{"requestId":{}}}"#, self.sent);
        let line = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":"#;
        // The line is no call.
        let _ = self.runner.receive(format!("{line}{params}}}").as_bytes());
    }

    /// Ends the session, and waits for what its calls still do, at most for the time of grace.
    pub(super) async fn ended(self, grace: Duration) {
        const PAUSE: Duration = Duration::from_millis(5);
        self.runner.close();
        let runner = Arc::downgrade(&self.runner);
        drop(self);
        // Whoever works for a runner owns it. It does not say when the last one has let go.
        let closed = Instant::now();
        while runner.strong_count() > 0 && closed.elapsed() < grace {
            tokio::time::sleep(PAUSE).await;
        }
    }

    fn send(&mut self, method: &str, members: &str, wants_progress: bool) {
        self.sent += 1;
        let id = self.sent;
        let token = match wants_progress {
            true => format!(r#","progressToken":{id}"#),
            false => String::new(),
        };
        let params = format!(r#"{{{members}"_meta":{{{META}{token}}}}}"#);
        let method = Value::from(method);
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#);
        let mut line = line.into_bytes();
        // A message is one line. JSON strings have no raw line ends, so these are white space.
        for byte in &mut line {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        if let Received::Call(call) = self.runner.receive(&line) {
            self.runner.run(call);
        }
        self.runner.flush();
    }
}

impl Inbox {
    fn take(&self) -> Vec<Message> {
        let bytes = {
            let mut bytes = self.lock();
            self.unread.store(0, Ordering::SeqCst);
            std::mem::take(&mut *bytes)
        };
        let mut messages = Vec::new();
        for line in String::from_utf8_lossy(&bytes).lines() {
            messages.extend(Message::read(line));
        }
        messages
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Message {
    fn read(line: &str) -> Option<Self> {
        if let Some(result) = member(line, "result") {
            return Some(Self::Result(result.to_owned()));
        }
        let value = |text: &str| text.parse::<Value>().unwrap_or_default();
        if let Some(error) = member(line, "error") {
            let error = value(error);
            let message = error["message"].as_str().unwrap_or("no reason is given");
            // The tool wants to ask its client, and this one can answer nothing.
            let why = match error["code"].as_i64() {
                Some(MISSING_CLIENT_CAPABILITY) => {
                    "it asks its client, which a command cannot answer: "
                }
                _ => "",
            };
            return Some(Self::Refused(format!("{why}{message}")));
        }
        let params = member(line, "params").map(value).unwrap_or_default();
        match member(line, "method")? {
            r#""notifications/progress""# => Some(Self::Progress(params)),
            r#""notifications/message""# => Some(Self::Log(params)),
            _ => None,
        }
    }
}

impl Shell for ToInbox {
    /// `flush` sends all of it.
    fn said(&self, _: &mut Outbox) {}

    fn flush(&self, take: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        let has_more = {
            // Batches keep their order, as each is taken under the lock.
            let mut bytes = self.0.lock();
            let more = take(Vec::new());
            bytes.extend_from_slice(&more);
            self.0.unread.store(bytes.len(), Ordering::SeqCst);
            !more.is_empty()
        };
        if has_more {
            self.0.has_more.notify_one();
        }
    }

    fn is_behind(&self) -> bool {
        self.0.unread.load(Ordering::SeqCst) > UNREAD
    }
}

#[cfg(test)]
mod tests {
    use toolwright::{AskError, Context, tool, tools};

    use super::*;

    #[tool]
    async fn chatter(times: u32, cx: &Context) -> &'static str {
        let words = "x".repeat(1024);
        (0..times).for_each(|done| cx.progress_of(done.into(), times.into(), &words));
        "all is said"
    }

    #[tokio::test]
    async fn progress_that_is_not_read_is_dropped_and_the_result_is_not() {
        let registry = ToolRegistry::builder("toy").tools(tools![chatter]).build().unwrap();
        let mut client = Client::of(&registry, Handle::current());
        client.call("chatter", r#"{"times":4096}"#, true);
        let mut messages = client.messages().await;
        assert!(matches!(messages.pop(), Some(Message::Result(_))));
        assert!((512..1024).contains(&messages.len()), "{} of 4096", messages.len());
    }

    #[tool]
    async fn pay(cx: &Context) -> Result<bool, AskError> {
        cx.confirm("Pay?").await
    }

    #[tokio::test]
    async fn a_tool_that_asks_is_refused_in_words_for_the_command_line() {
        let messages = answers("pay").await;
        let [Message::Refused(why)] = &messages[..] else { panic!("{}", messages.len()) };
        assert!(why.starts_with("it asks its client, which a command cannot answer"), "{why}");
    }

    #[tool]
    async fn persist(cx: &Context) -> Result<&'static str, AskError> {
        cx.next_round().await?;
        cx.next_round().await?;
        Ok("at last")
    }

    async fn answers(tool: &str) -> Vec<Message> {
        let registry = ToolRegistry::builder("toy").tools(tools![pay, persist]).build().unwrap();
        let mut client = Client::of(&registry, Handle::current());
        client.call(tool, "{}", false);
        client.messages().await
    }

    #[tokio::test]
    async fn a_call_that_wants_another_round_gets_it() {
        let messages = answers("persist").await;
        let [Message::Result(result)] = &messages[..] else { panic!("{}", messages.len()) };
        assert!(result.contains("at last"), "{result}");
    }
}
