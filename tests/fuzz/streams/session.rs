//! One client of the service.

use http::{Request, Response};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use toolwright::http::{Body, Service};
use tower_service::Service as _;

use super::events::{read, words};
use super::post::Post;

pub(super) struct Session {
    pub(super) id: String,
    pub(super) version: &'static str,
    pub(super) posts: Vec<Post>,
    /// Open streams for what belongs to no request, the newest last.
    pub(super) listeners: Vec<Body>,
}

impl Session {
    pub(super) async fn begin(service: &Service, version: &'static str) -> Result<Self, String> {
        let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "c", "version": "1"}}});
        let response = send(service, "POST", "", None, &initialize).await;
        let id = response.headers().get("mcp-session-id").ok_or("no id of a session")?;
        let id = id.to_str().unwrap().to_owned();
        let session = Self { id, version, posts: Vec::new(), listeners: Vec::new() };
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        session.expect(service, &ready, 202).await?;
        Ok(session)
    }

    pub(super) async fn post(&self, service: &Service, message: &Value) -> Response<Body> {
        send(service, "POST", &self.id, None, message).await
    }

    pub(super) async fn get(&self, service: &Service, after: Option<&str>) -> Response<Body> {
        send(service, "GET", &self.id, after, &Value::Null).await
    }

    /// Sends a message whose response has this status.
    pub(super) async fn expect(
        &self,
        service: &Service,
        message: &Value,
        status: u16,
    ) -> Result<(), String> {
        let response = self.post(service, message).await;
        let is = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        if is == status {
            return Ok(());
        }
        Err(format!("{is}, not {status}, to {message}: {}", String::from_utf8_lossy(&body)))
    }

    /// The newest listener heard of so many changes, and the others of none.
    pub(super) fn hear_changes(&mut self, changes: usize) -> Result<(), String> {
        let count = self.listeners.len();
        for (at, listener) in self.listeners.iter_mut().enumerate() {
            let (events, has_ended) = read(listener);
            let said: Vec<_> = events.iter().filter_map(|event| event.message.as_ref()).collect();
            let wanted = if at + 1 == count { changes } else { 0 };
            let is_change = |said: &&Value| words(said) == "notifications/tools/list_changed";
            if has_ended || said.len() != wanted || !said.iter().all(is_change) {
                return Err(format!("listener {at} of {count} heard {said:?}: {has_ended}"));
            }
        }
        Ok(())
    }
}

/// Sends a request; `""` names no session.
pub(super) async fn send(
    service: &Service,
    method: &str,
    session: &str,
    after: Option<&str>,
    message: &Value,
) -> Response<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri("/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream");
    if !session.is_empty() {
        request = request.header("mcp-session-id", session);
    }
    if let Some(after) = after {
        request = request.header("last-event-id", after);
    }
    service.clone().call(request.body(message.to_string()).unwrap()).await.unwrap()
}
