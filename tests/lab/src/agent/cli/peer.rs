use std::io;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::inbox::Inbox;
use crate::stdio::{Input, write_all};

/// The client at the other end of the pipes.
pub struct Peer {
    inbox: Inbox,
    prompts: usize,
    requests: u64,
}

impl Peer {
    pub fn new() -> Self {
        Self { inbox: Inbox::new(), prompts: 0, requests: 0 }
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        write_all(bytes).context("writing to the client")
    }

    /// The next line as it came, for who answers many. `None` when there is none yet.
    pub fn line(&mut self) -> Option<&[u8]> {
        self.inbox.line()
    }

    /// Waits for bytes; false at the end of the input.
    pub fn fill(&mut self) -> Result<bool> {
        match self.inbox.fill(&mut Input) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error).context("reading from the client"),
        }
    }

    /// The first message.
    pub fn initialize(&mut self) -> Result<Value> {
        loop {
            let message =
                self.next()?.context("the client closed the input before it initialised")?;
            if message["type"] == "control_request" && message["request"]["subtype"] == "initialize"
            {
                return Ok(message);
            }
            self.other(&message)?;
        }
    }

    /// Waits for a prompt; false when the client wants no more of us.
    pub fn wait_for_prompt(&mut self) -> Result<bool> {
        while self.prompts == 0 {
            let Some(message) = self.next()? else { return Ok(false) };
            self.other(&message)?;
        }
        self.prompts -= 1;
        Ok(true)
    }

    /// Sends a message to an in-process server and gives what it answers.
    pub fn ask(&mut self, server: &str, message: &Value) -> Result<Value> {
        let id = self.begin(server, message)?;
        loop {
            let mut answer =
                self.next()?.context("the client closed the input while it was asked")?;
            if answer["type"] == "control_response"
                && answer["response"]["request_id"] == id.as_str()
            {
                ensure!(answer["response"]["subtype"] == "success", "the client refused: {answer}");
                return Ok(answer["response"]["response"]["mcp_response"].take());
            }
            self.other(&answer)?;
        }
    }

    /// The same with a notification, which is only acknowledged.
    pub fn notify(&mut self, server: &str, message: &Value) -> Result<()> {
        self.ask(server, message).map(drop)
    }

    /// Sends a message to an in-process server and gives the id of the control request.
    pub fn begin(&mut self, server: &str, message: &Value) -> Result<String> {
        self.requests += 1;
        let id = format!("lab-{}", self.requests);
        let request = json!({"subtype": "mcp_message", "server_name": server, "message": message});
        self.send(&json!({"type": "control_request", "request_id": id, "request": request}))?;
        Ok(id)
    }

    pub fn answer(&mut self, id: &str, answer: &Value) -> Result<()> {
        self.send(&json!({"type": "control_response", "response": {"subtype": "success", "request_id": id, "response": answer}}))
    }

    /// A message that nobody waits for here.
    pub fn other(&mut self, message: &Value) -> Result<()> {
        match message["type"].as_str() {
            Some("user") => self.prompts += 1,
            Some("control_request") => {
                let id = message["request_id"].as_str().context("a request without an id")?;
                self.answer(id, &json!({}))?;
            }
            Some("control_cancel_request" | "keep_alive") => {}
            _ => bail!("an unexpected message: {message}"),
        }
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        self.write((message.to_string() + "\n").as_bytes())
    }

    fn next(&mut self) -> Result<Option<Value>> {
        loop {
            if let Some(line) = self.inbox.line() {
                return serde_json::from_slice(line).map(Some).context("the client sent no JSON");
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
    }
}
