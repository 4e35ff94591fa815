use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use super::case::{Case, How};
use super::lines::hello;
use super::words::{Said, words};

/// A client of a server on loopback, with a connection for every request.
pub(crate) struct Client {
    address: String,
    session: Option<String>,
    /// For every read and write; without an end if it is `None`.
    pub(crate) patience: Option<Duration>,
}

pub(crate) struct Answer {
    head: String,
    body: String,
}

impl Client {
    /// Begins a session of 2025-11-25, if the server has sessions.
    pub(crate) fn begin(address: String, patience: Option<Duration>) -> io::Result<Self> {
        let mut client = Self { address, session: None, patience };
        let headers = &["mcp-protocol-version:"];
        let answer =
            client.send("POST /mcp", headers, hello("\"hello\"", "2025-11-25").as_bytes())?;
        client.session = answer.header("mcp-session-id");
        let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        client.send("POST /mcp", &[], ready)?;
        Ok(client)
    }

    /// What is said to a case, in a few words.
    pub(crate) fn ask(&self, case: &Case) -> String {
        let (How::Request { target, headers } | How::Guarded { target, headers }) = case.how else {
            return "no request".to_owned();
        };
        // Not the session that the next cases need.
        let other = target.starts_with("DELETE");
        let other = other.then(|| Self::begin(self.address.clone(), self.patience)).transpose();
        match other
            .and_then(|other| other.as_ref().unwrap_or(self).send(target, headers, &case.bytes))
        {
            Ok(answer) => answer.words(&case.ids),
            Err(_) => "nothing".to_owned(),
        }
    }

    pub(crate) fn send(&self, target: &str, headers: &[&str], body: &[u8]) -> io::Result<Answer> {
        let mut lines = vec![
            format!("host: {}", self.address),
            "content-type: application/json".to_owned(),
            "accept: application/json, text/event-stream".to_owned(),
            "mcp-protocol-version: 2025-11-25".to_owned(),
            // A server that wants none does not read it.
            "authorization: Bearer good".to_owned(),
        ];
        lines.extend(self.session.iter().map(|id| format!("mcp-session-id: {id}")));
        let name = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        lines.retain(|line| !headers.iter().any(|other| name(other) == name(line)));
        let given = headers.iter().filter(|line| !line.ends_with(':'));
        lines.extend(given.map(|line| (*line).to_owned()));
        let is_chunked = lines.iter().any(|line| line == "transfer-encoding: chunked");
        let body = match is_chunked {
            true => chunks(body),
            false => {
                lines.push(format!("content-length: {}", body.len()));
                body.to_vec()
            }
        };
        let head = format!("{target} HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"));
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(self.patience)?;
        stream.set_write_timeout(self.patience)?;
        // A server that refuses it may close before it has read everything.
        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        let (mut bytes, mut part) = (Vec::new(), [0; 16 * 1024]);
        loop {
            match stream.read(&mut part) {
                Ok(0) => break,
                Ok(length) => bytes.extend_from_slice(&part[..length]),
                Err(error) if bytes.is_empty() => return Err(error),
                Err(_) => break,
            }
            if Answer::of(&bytes).is_whole(target) {
                break;
            }
        }
        Ok(Answer::of(&bytes))
    }
}

/// A body in chunks of at most a KiB.
fn chunks(body: &[u8]) -> Vec<u8> {
    let chunk = |part: &[u8]| [format!("{:x}\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
    let all: Vec<_> = body.chunks(1024).map(chunk).collect();
    [all.concat(), b"0\r\n\r\n".to_vec()].concat()
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_default();
        Self { head: head.to_owned(), body: body.to_owned() }
    }

    fn header(&self, name: &str) -> Option<String> {
        let named = |line: &str| {
            let (of, value) = line.split_once(':')?;
            of.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        };
        self.head.lines().find_map(named)
    }

    fn is_stream(&self) -> bool {
        self.header("content-type").is_some_and(|it| it.contains("event-stream"))
    }

    /// Nothing more is needed of it.
    fn is_whole(&self, target: &str) -> bool {
        // A stream without a request is open for long, and the answer to HEAD has no body.
        let is_head_enough =
            target.starts_with("HEAD") || (target.starts_with("GET") && self.is_stream());
        if self.head.is_empty() || is_head_enough {
            return !self.head.is_empty();
        }
        if let Some(length) = self.header("content-length") {
            return length.parse().is_ok_and(|length: usize| self.body.len() >= length);
        }
        self.message().is_some() || self.body.ends_with("0\r\n\r\n")
    }

    /// The message, or the first answer of a stream.
    pub(crate) fn message(&self) -> Option<Said> {
        let text = |line| str::strip_prefix(line, "data:").unwrap_or(line).trim();
        let mut lines = self.body.lines().map(text).filter(|line| line.starts_with(['{', '[']));
        lines.find_map(|line| {
            let said = Said::of(line.as_bytes());
            (!said.is_unasked() && !matches!(said, Said::Unreadable)).then_some(said)
        })
    }

    fn words(&self, ids: &[String]) -> String {
        let Some(status) = self.head.split(' ').nth(1) else { return "closes".to_owned() };
        let is_challenge = self.header("www-authenticate").is_some();
        let status = if is_challenge { &format!("{status} challenge") } else { status };
        match self.message() {
            Some(message) => format!("{status} {}", words(&[message], ids)),
            None if self.is_stream() => format!("{status} stream"),
            None if self.body.trim_matches(['0', '\r', '\n']).is_empty() => status.to_string(),
            None => format!("{status} text"),
        }
    }
}
