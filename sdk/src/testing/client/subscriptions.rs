//! Subscriptions of a client.

use std::io;

use serde_json::json;

use super::test_client::TestClient;

impl TestClient {
    /// Subscribes to changes of a resource, which [`notifications`](Self::notifications) returns. A
    /// modern client opens a subscription of its own for each.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, or the timeout expired.
    pub fn subscribe(&mut self, uri: &str) -> io::Result<()> {
        if !self.modern {
            return self.result("resources/subscribe", json!({"uri": uri})).map(drop);
        }
        let wanted = json!({"resourceSubscriptions": [uri]});
        self.send("subscriptions/listen", json!({"notifications": wanted}))?;
        // Messages are taken in their order, so the subscription is open by then.
        self.result("server/discover", json!({})).map(drop)
    }
}
