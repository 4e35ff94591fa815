use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Era {
    Legacy,
    Modern,
}

/// A line for the server, and when all that it has to say to it is said.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) line: String,
    pub(super) until: Until,
}

#[derive(Debug)]
pub(super) enum Until {
    Answer(Value),
    Notification(&'static str),
    Nothing,
}

struct Script {
    era: Era,
    steps: Vec<Step>,
}

/// Calls everything, well and badly.
pub(super) fn script(era: Era) -> Vec<Step> {
    let mut script = Script { era, steps: Vec::new() };
    script.begin();
    script.request("tools/list", json!({}));
    for (tool, arguments) in everyday().into_iter().chain(nasty()).chain(bad()) {
        script.request("tools/call", json!({"name": tool, "arguments": arguments}));
    }
    script.cancelled_calls();
    script.odd_requests();
    script.request("tools/call", json!({"name": "grow", "arguments": {}}));
    script.request("tools/call", json!({"name": "fresh"}));
    script.request("tools/call", json!({"name": "grow", "arguments": {}}));
    script.request("tools/list", json!({}));
    for _ in ["comes", "goes"] {
        script.request("tools/call", json!({"name": "test_trigger_tool_change"}));
        script.request("tools/call", json!({"name": "test_trigger_prompt_change"}));
        script.request("tools/call", json!({"name": "trigger_resource_change"}));
    }
    for (method, params) in library() {
        script.request(method, params);
    }
    script.steps
}

/// Prompts, resources and completion.
fn library() -> Vec<(&'static str, Value)> {
    let given = json!({"arg1": "a", "arg2": "b"});
    let prompt = json!({"type": "ref/prompt", "name": "test_prompt_with_arguments"});
    vec![
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "test_prompt_with_image"})),
        ("prompts/get", json!({"name": "test_prompt_with_arguments", "arguments": given})),
        ("prompts/get", json!({"name": "test_prompt_with_arguments"})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "test://static-binary"})),
        ("resources/read", json!({"uri": "test://template/7/data"})),
        ("resources/read", json!({"uri": "test://none"})),
        (
            "completion/complete",
            json!({"ref": prompt, "argument": {"name": "arg1", "value": "par"}}),
        ),
    ]
}

fn everyday() -> Vec<(&'static str, Value)> {
    let filters = json!([{"field": "size", "op": "gt", "value": 3}, {"field": "name", "op": "contains", "value": "x"}]);
    let contact = json!({"name": "Ann", "contactMethod": "email", "email": "ann@example.org"});
    vec![
        ("add", json!({"a": 2, "b": 40})),
        ("add", json!({"a": 0.1, "b": 0.2})),
        ("echo", json!({"text": "é, \u{2028}, \"quotes\", \u{0}, \u{1f600} and </script>"})),
        ("sleep_ms", json!({"ms": 1})),
        (
            "search",
            json!({"query": "x", "filters": filters, "options": {"page": {"offset": 0, "size": 10}}}),
        ),
        ("fail", json!({"message": "no such shelf"})),
        ("tell", json!({"text": "a\nb"})),
        ("stats", json!({"numbers": [1, 2.5, -3]})),
        ("json_schema_2020_12_tool", contact),
        ("test_simple_text", json!({})),
        ("test_image_content", json!({})),
        ("test_audio_content", json!({})),
        ("test_embedded_resource", json!({})),
        ("test_multiple_content_types", json!({})),
        ("test_error_handling", json!({})),
        ("test_tool_with_progress", json!({})),
        ("test_tool_with_logging", json!({})),
        ("test_logging_tool", json!({})),
        ("test_streaming_elicitation", json!({})),
        ("test_reconnection", json!({})),
        ("test_custom_header", json!({"region": "eu"})),
    ]
}

fn nasty() -> Vec<(&'static str, Value)> {
    vec![
        ("panic", json!({})),
        ("println", json!({})),
        ("run_cat", json!({})),
        ("spin", json!({"ms": 1})),
        ("spin_async", json!({"ms": 1})),
        ("spin_later", json!({"ms": 1})),
        ("chatter", json!({"times": 20})),
        ("big", json!({"bytes": 1_000_000})),
        ("big", json!({"bytes": u64::MAX})),
        ("quick_timeout", json!({})),
    ]
}

fn bad() -> Vec<(&'static str, Value)> {
    vec![
        ("add", json!({})),
        ("add", json!({"a": "two", "b": null, "c": 3})),
        ("add", json!([1, 2])),
        ("add", json!(null)),
        ("big", json!({"bytes": -1})),
        (
            "search",
            json!({"query": 1, "filters": [{"field": "size", "op": "is", "value": []}], "limit": 1.5}),
        ),
        ("stats", json!({"numbers": [1, "2"]})),
        ("nope", json!({})),
    ]
}

impl Script {
    fn begin(&mut self) {
        let client = json!({"name": "claude-code", "version": "2.1.328"});
        match self.era {
            Era::Legacy => {
                self.request("initialize", json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}));
                self.notify("notifications/initialized", json!({}));
                self.request("logging/setLevel", json!({"level": "debug"}));
            }
            Era::Modern => self.request("server/discover", json!({})),
        }
    }

    /// A cancelled call is not answered; whatever follows shows it.
    fn cancelled_calls(&mut self) {
        self.send("tools/call", json!({"name": "until_cancelled", "arguments": {}}), |_| {
            Until::Notification("notifications/progress")
        });
        self.cancel();
        self.request("ping", json!({}));
        self.request("tools/call", json!({"name": "after_cancel"}));
        self.send("tools/call", json!({"name": "wait_loudly"}), |_| Until::Nothing);
        self.cancel();
        self.send("tools/call", json!({"name": "reluctant", "arguments": {}}), |_| Until::Nothing);
        self.cancel();
        self.request("ping", json!({}));
    }

    fn odd_requests(&mut self) {
        self.request("bogus/method", json!({}));
        self.request("tools/call", json!({}));
        self.request("tools/call", json!({"name": 7}));
        self.request("tools/list", json!({"cursor": "nowhere"}));
        self.request("prompts/list", json!({}));
        self.notify("notifications/bogus", json!({}));
        self.steps.push(Step {
            line: json!({"jsonrpc": "2.0", "id": "a string", "method": "ping"}).to_string(),
            until: Until::Answer("a string".into()),
        });
    }

    fn request(&mut self, method: &str, params: Value) {
        self.send(method, params, |id| Until::Answer(id.into()));
    }

    fn send(&mut self, method: &str, mut params: Value, until: impl Fn(usize) -> Until) {
        let id = self.steps.len();
        let mut meta = json!({"claudecode/toolUseId": format!("toolu_{id}"), "progressToken": id});
        if self.era == Era::Modern {
            meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
            meta["io.modelcontextprotocol/clientInfo"] =
                json!({"name": "claude-code", "version": "2.1.328"});
            meta["io.modelcontextprotocol/logLevel"] = "debug".into();
        }
        params["_meta"] = meta;
        let line =
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
        self.steps.push(Step { line, until: until(id) });
    }

    fn notify(&mut self, method: &str, params: Value) {
        let line = json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string();
        self.steps.push(Step { line, until: Until::Nothing });
    }

    /// Cancels the request before this.
    fn cancel(&mut self) {
        let id = self.steps.len() - 1;
        self.notify(
            "notifications/cancelled",
            json!({"requestId": id, "reason": "AbortError: remote-cancel"}),
        );
    }
}
