//! The answers of a client to questions of tools.

use serde_json::{Map, Value, json};

use crate::mcp::protocol::ErrorObject;
use crate::mcp::protocol::task::EXTENSION;
use crate::mcp::{Answer, Asked};

/// What a client answers, by kind. What it does not answer it does not declare.
#[derive(Default)]
pub(super) struct Answers {
    pub(super) elicit: Option<Respond>,
    pub(super) sample: Option<Respond>,
    pub(super) roots: Option<Vec<String>>,
    /// The client asks for the results of tasks.
    pub(super) tasks: bool,
}

pub(super) type Respond = Box<dyn FnMut(Asked) -> Answer + Send>;

/// Claude gives up after so many rounds.
pub(super) const ROUNDS: u32 = 10;

impl Answers {
    pub(super) fn capabilities(&self) -> Value {
        let mut capabilities = Map::new();
        if self.elicit.is_some() {
            capabilities.insert("elicitation".into(), json!({"form": {}, "url": {}}));
        }
        if self.sample.is_some() {
            capabilities.insert("sampling".into(), json!({"tools": {}}));
        }
        if self.roots.is_some() {
            capabilities.insert("roots".into(), json!({}));
        }
        if self.tasks {
            capabilities.insert("extensions".into(), json!({EXTENSION: {}}));
        }
        capabilities.into()
    }

    /// True if a message is a request of the server that the client answers.
    pub(super) fn has(&self, message: &Value) -> bool {
        message.get("id").is_some()
            && match message["method"].as_str() {
                Some("ping") => true,
                Some("elicitation/create") => self.elicit.is_some(),
                Some("sampling/createMessage") => self.sample.is_some(),
                Some("roots/list") => self.roots.is_some(),
                _ => false,
            }
    }

    /// The response to a request of the server.
    pub(super) fn respond_to(&mut self, request: &Value) -> Value {
        let id = &request["id"];
        match self.answer(request) {
            Some(Ok(result)) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Some(Err(error)) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
            None => Value::Null,
        }
    }

    /// The parameters that answer a result which asks; `None` if it does not, or if the client
    /// does not answer all of it.
    pub(super) fn retry_of(&mut self, answer: &Value, request: &str) -> Option<Value> {
        let result = &answer["result"];
        if !asks(result) {
            return None;
        }
        let responses = self.responses_to(&result["inputRequests"], |_| true)?;
        let mut request: Value = serde_json::from_str(request).ok()?;
        let mut params = request["params"].take();
        params["inputResponses"] = responses.into();
        match result.get("requestState") {
            Some(state) => params["requestState"] = state.clone(),
            // That of the round before is not for this one.
            None => drop(params.as_object_mut()?.shift_remove("requestState")),
        }
        Some(params)
    }

    /// The responses to those questions whose keys are wanted; `None` if the client does not answer
    /// all of them.
    pub(super) fn responses_to(
        &mut self,
        questions: &Value,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Option<Map<String, Value>> {
        let mut responses = Map::new();
        for (key, question) in questions.as_object().into_iter().flatten() {
            if is_wanted(key) {
                responses.insert(key.clone(), self.answer(question)?.ok()?);
            }
        }
        Some(responses)
    }

    fn answer(&mut self, question: &Value) -> Option<Result<Value, ErrorObject>> {
        let method = question["method"].as_str()?;
        let params = question["params"].as_object().cloned().unwrap_or_default();
        let asked = Asked::new(method, params);
        let answer = match method {
            "ping" => return Some(Ok(json!({}))),
            "elicitation/create" => self.elicit.as_mut()?(asked),
            "sampling/createMessage" => self.sample.as_mut()?(asked),
            "roots/list" => asked.roots(self.roots.clone()?),
            _ => return None,
        };
        Some(answer.into_result())
    }
}

/// Whether a result is that of a call which goes on once its questions are answered.
pub(super) fn asks(result: &Value) -> bool {
    result["resultType"] == "input_required"
}
