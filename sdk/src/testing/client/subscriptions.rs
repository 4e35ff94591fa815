//! Subscriptions of a client.

use std::io::{self, ErrorKind};

use serde_json::{Value, json};

use super::failure::failed;
use super::test_client::TestClient;
use crate::mcp::protocol::SUBSCRIPTION_ID;

impl TestClient {
    /// Subscribes to changes of a resource, which [`notifications`](Self::notifications) returns. A
    /// modern client opens a subscription of its own for each.
    ///
    /// # Errors
    ///
    /// The server refuses the request, does not grant it or has closed its output, or the timeout
    /// expired.
    pub fn subscribe(&mut self, uri: &str) -> io::Result<()> {
        if !self.modern {
            return self.result("resources/subscribe", json!({"uri": uri})).map(drop);
        }
        self.listen("resourceSubscriptions", uri)
    }

    /// Opens a modern subscription to one resource or task.
    pub(super) fn listen(&mut self, kind: &str, name: &str) -> io::Result<()> {
        let id = self.send_listen(kind, name)?;
        let request = self.request_text(id);
        // Messages are taken in their order, so it has been opened or refused by then.
        self.result("server/discover", json!({}))?;
        let grants = |message: &Value| {
            let granted = message["params"]["notifications"][kind].as_array();
            granted.is_some_and(|names| names.iter().any(|granted| granted == name))
        };
        if self.has(|message| is_of(message, id) && grants(message)) {
            return Ok(());
        }
        self.take(|message| is_of(message, id));
        let is_answer = |message: &Value| message["id"] == id && message.get("method").is_none();
        let what = match self.take(is_answer).pop() {
            Some(answer) => format!("the server answered with an error: {}", answer["error"]),
            None => "the server has not granted the subscription".to_owned(),
        };
        self.forget(id);
        Err(failed(ErrorKind::Other, what, &request))
    }

    /// Asks for a modern subscription. Returns its id.
    pub(super) fn send_listen(&mut self, kind: &str, name: &str) -> io::Result<u64> {
        self.send("subscriptions/listen", json!({"notifications": {kind: [name]}}))
    }

    /// Closes a modern subscription, of which nothing stays.
    pub(super) fn close_listen(&mut self, id: u64) -> io::Result<()> {
        self.notify("notifications/cancelled", json!({"requestId": id}))?;
        self.forget(id);
        // Messages are taken in their order, so nothing more of it comes after this.
        let discovered = self.result("server/discover", json!({}));
        self.take(|message| is_of(message, id));
        discovered.map(drop)
    }
}

/// Whether a message belongs to a subscription.
pub(super) fn is_of(message: &Value, subscription: u64) -> bool {
    message["params"]["_meta"][SUBSCRIPTION_ID] == subscription
}
