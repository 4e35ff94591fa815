use serde_json::{Value, json};

use super::*;
use crate::CancelToken;

mod answer;
mod request;

/// Reads a question as the CLI sends it.
fn question(value: Value) -> Result<ElicitationRequest, String> {
    ElicitationRequest::read(value.to_string().into(), None, CancelToken::default())
}

fn form() -> ElicitationRequest {
    question(json!({"message": "Who?", "requested_schema": {"properties": {}}})).unwrap()
}

fn page() -> ElicitationRequest {
    question(json!({"message": "Go.", "mode": "url", "url": "https://a.example/"})).unwrap()
}
