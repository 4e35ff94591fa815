//! A question of an MCP server that the CLI itself would talk to.

use std::time::Duration;

use serde_json::{Value, json};

use super::json::merge;

/// A question of a server.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) server: String,
    /// The `params` of `elicitation/create`.
    pub(super) params: Value,
    /// After this time the question is withdrawn.
    pub(super) limit: Option<Duration>,
}

impl Question {
    /// The members of the control request.
    pub(super) fn request(&self) -> Value {
        let params = &self.params;
        let mode = params["mode"].as_str().unwrap_or("form");
        let mut request = json!({
            "mcp_server_name": self.server, "message": params["message"], "mode": mode,
        });
        let mut put = |name: &str, value: &Value| {
            if !value.is_null() {
                merge(&mut request, json!({name: value}));
            }
        };
        put("url", &params["url"]);
        put("elicitation_id", &params["elicitationId"]);
        let schema = &params["requestedSchema"];
        put("requested_schema", schema);
        if let Some(properties) = schema["properties"].as_object() {
            put("property_order", &properties.keys().cloned().collect());
        }
        let display = &params["_meta"]["anthropic/permissionDisplay"];
        put("title", &display["title"]);
        put("display_name", &display["displayName"]);
        put("description", &display["description"]);
        request
    }
}
