use serde_json::Value;

/// Messages that the program wrote to stdout.
#[derive(Debug)]
pub(super) struct Run {
    messages: Vec<Value>,
}

impl Run {
    pub(super) fn new(messages: Vec<Value>) -> Self {
        Self { messages }
    }

    /// The status of a server as the last `system/init` tells it.
    pub(super) fn server_status(&self, name: &str) -> &str {
        let servers = self.init()["mcp_servers"].as_array().unwrap();
        let server = servers
            .iter()
            .find(|server| server["name"] == name)
            .unwrap_or_else(|| panic!("no server {name} in {servers:?}"));
        server["status"].as_str().unwrap()
    }

    /// The names of all tools as the last `system/init` tells them.
    pub(super) fn tools(&self) -> Vec<&str> {
        self.init()["tools"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
    }

    /// The text of the last `result`, which must be a success.
    pub(super) fn result(&self) -> &str {
        let result = self.last(|message| message["type"] == "result");
        assert_eq!(result["subtype"], "success", "{result:#}");
        assert_eq!(result["is_error"], false, "{result:#}");
        result["result"].as_str().unwrap()
    }

    fn init(&self) -> &Value {
        self.last(|message| message["type"] == "system" && message["subtype"] == "init")
    }

    fn last(&self, wanted: impl Fn(&Value) -> bool) -> &Value {
        self.messages
            .iter()
            .rfind(|message| wanted(message))
            .unwrap_or_else(|| panic!("not among {:#?}", self.messages))
    }
}
