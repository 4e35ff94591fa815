//! Requests that are sent once more with the answers to what their results ask.

use std::io::{self, ErrorKind};

use serde_json::Value;

use super::answers::{ROUNDS, asks};
use super::failure::failed;
use super::result::unanswered;
use super::test_client::TestClient;

impl TestClient {
    /// The last answer to a request: if a result asks, the client answers with the request once
    /// more.
    pub(super) fn last_answer(&mut self, first: u64) -> io::Result<Value> {
        let mut id = self.latest(first);
        for _ in 0..ROUNDS {
            let request = self.request_text(id);
            let answer = self.answer(id)?;
            let Some(params) = self.answers.retry_of(&answer, &request) else {
                return Ok(answer);
            };
            let request: Value = serde_json::from_str(&request)?;
            id = self.send(request["method"].as_str().unwrap_or_default(), params)?;
            self.latest.insert(first, id);
        }
        self.answer(id)
    }

    /// The result of a request. One that still asks is none, except of a tool, whose result is
    /// given as it is on the wire.
    pub(super) fn result(&mut self, method: &str, params: Value) -> io::Result<Value> {
        let id = self.send(method, params)?;
        let request = self.request_text(id);
        let mut answer = self.last_answer(id)?;
        match answer.get_mut("result") {
            Some(result) if asks(result) && method != "tools/call" => {
                Err(unanswered(result, &request))
            }
            Some(result) => Ok(result.take()),
            None => {
                let what = format!("the server answered with an error: {}", answer["error"]);
                Err(failed(ErrorKind::Other, what, &request))
            }
        }
    }
}
