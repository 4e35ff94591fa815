use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Ask;
use super::case::{Case, How};
use super::lines::{call, hello};
use super::server::{Process, Server};
use super::verdict::{Verdict, words};

const PATIENCE: Duration = Duration::from_secs(1);
const START: Duration = Duration::from_secs(20);

/// A server on loopback. Its process is kept while it is well.
pub struct Asked<'a> {
    server: &'a Server,
    running: Option<Running>,
}

struct Running {
    process: Process,
    address: String,
    session: Option<String>,
}

struct Answer {
    head: String,
    body: String,
}

impl<'a> Asked<'a> {
    pub fn new(server: &'a Server) -> Self {
        Self { server, running: None }
    }
}

impl Ask for Asked<'_> {
    fn ask(&mut self, case: &Case) -> Result<Verdict> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(self.server)?,
        };
        let How::Request { method, headers } = case.how else { return Ok(Verdict::Silent) };
        let patience = self.server.patience(PATIENCE);
        let before = running.process.memory();
        let answer = running.send(method, headers, &case.input, patience);
        let said = match answer {
            Ok(answer) => answer.words(),
            Err(_) => "nothing".to_owned(),
        };
        if running.process.has_ended() {
            return Ok(Verdict::Died);
        }
        let plain =
            running.send("POST", &[], call("add", r#"{"a":20,"b":22}"#).as_bytes(), patience);
        if !plain.is_ok_and(|answer| answer.body.contains("42")) {
            return Ok(Verdict::Stuck);
        }
        let growth = running.process.growth(before, case.input.len());
        self.running = Some(running);
        Ok(match (growth, &*said) {
            (Some(more), _) => Verdict::Grew(more),
            (None, "closes") if !case.right.contains(&"closes") => Verdict::Closed,
            (None, _) => Verdict::of(said, case.right),
        })
    }
}

impl Running {
    fn start(server: &Server) -> Result<Self> {
        let (process, address) = server.start_http()?;
        let patience = server.patience(START);
        let mut running = Self { process, address, session: None };
        let headers = &["mcp-protocol-version:"];
        let answer = running.send("POST", headers, hello("2025-11-25").as_bytes(), patience)?;
        running.session = answer.header("mcp-session-id");
        let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        running.send("POST", &[], ready, patience)?;
        Ok(running)
    }

    fn send(
        &self,
        method: &str,
        headers: &[&str],
        body: &[u8],
        patience: Duration,
    ) -> Result<Answer> {
        let mut lines = vec![
            format!("host: {}", self.address),
            "content-type: application/json".to_owned(),
            "accept: application/json, text/event-stream".to_owned(),
            "mcp-protocol-version: 2025-11-25".to_owned(),
        ];
        lines.extend(self.session.iter().map(|id| format!("mcp-session-id: {id}")));
        let name = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        lines.retain(|line| !headers.iter().any(|other| name(other) == name(line)));
        let given = headers.iter().filter(|line| !line.ends_with(':'));
        lines.extend(given.map(|line| (*line).to_owned()));
        let head = format!(
            "{method} /mcp HTTP/1.1\r\n{}\r\ncontent-length: {}\r\n\r\n",
            lines.join("\r\n"),
            body.len()
        );
        let mut stream = TcpStream::connect(&self.address).context("connecting")?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        // A server that refuses it may close before it has read everything.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
        let (mut bytes, mut part) = (Vec::new(), [0; 16 * 1024]);
        loop {
            let answer = Answer::of(&bytes);
            match stream.read(&mut part) {
                _ if answer.is_whole(method) => return Ok(answer),
                Ok(0) => return Ok(answer),
                Ok(length) => bytes.extend_from_slice(&part[..length]),
                Err(error) if bytes.is_empty() => return Err(error).context("no answer"),
                Err(_) => return Ok(answer),
            }
            if Answer::of(&bytes).is_whole(method) {
                return Ok(Answer::of(&bytes));
            }
        }
    }
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        Self { head: head.to_owned(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> Option<String> {
        let named = |line: &str| {
            let (of, value) = line.split_once(':')?;
            of.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        self.head.lines().find_map(named)
    }

    /// Nothing more is needed of it.
    fn is_whole(&self, method: &str) -> bool {
        if self.head.is_empty() || method == "HEAD" {
            return !self.head.is_empty();
        }
        if let Some(length) = self.header("content-length") {
            return length.parse().is_ok_and(|length: usize| self.body.len() >= length);
        }
        let is_stream = self.header("content-type").is_some_and(|it| it.contains("event-stream"));
        let is_open = is_stream && method == "GET";
        is_open || self.message().is_some() || self.body.ends_with("0\r\n\r\n")
    }

    /// The message, or the first one of a stream.
    fn message(&self) -> Option<Value> {
        let text = |line: &str| {
            serde_json::from_str(line.strip_prefix("data:").unwrap_or(line).trim()).ok()
        };
        let is_message = |value: &Value| value.is_object() || value.is_array();
        self.body.lines().filter_map(text).find(is_message)
    }

    fn words(&self) -> String {
        let Some(status) = self.head.split(' ').nth(1) else { return "closes".to_owned() };
        let is_stream = self.header("content-type").is_some_and(|it| it.contains("event-stream"));
        match self.message() {
            Some(message) => format!("{status} {}", words(&message)),
            None if is_stream => format!("{status} stream"),
            None if self.body.trim_matches(['0', '\r', '\n']).is_empty() => status.to_owned(),
            None => format!("{status} text"),
        }
    }
}
