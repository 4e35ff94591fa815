//! What the CLI asks of a client many times.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::call::{ID_DIGITS, number};

/// What the request ids begin with; the id of the call follows.
const REQUEST: &str = "5b0c1d2e-3f4a-4b5c-8d6e-0000";

/// Stands in the texts below for the id.
const ID: &str = "10000000";

/// Stands in the texts below for the number, which depends on the id.
const NUMBER: &str = "###";

const CALL: &str = concat!(
    r#"{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":10000000,"#,
    r#""method":"tools/call","params":{"name":"add","arguments":{"a":###,"b":0.25},"#,
    r#""_meta":{"claudecode/toolUseId":"toolu_000000000000000010000000","#,
    r#""progressToken":10000000}}}}"#,
);

const HOOK: &str = concat!(
    r#"{"subtype":"hook_callback","callback_id":"CALLBACK","input":{"#,
    r#""session_id":"0b9e9a52-7c1f-4e36-8d4a-2f6c1d3e5a70","#,
    r#""transcript_path":"/home/lab/.claude/projects/lab/0b9e9a52-7c1f-4e36-8d4a.jsonl","#,
    r#""cwd":"/home/lab/project","prompt_id":"7d0e6c1a-91f5-4f0b-9a3e-3c2d1b0a4f5e","#,
    r#""permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","#,
    r#""tool_input":{"command":"cargo test --package lab-###","#,
    r#""description":"Run the tests of a package"},"#,
    r#""tool_use_id":"toolu_000000000000000010000000"},"#,
    r#""tool_use_id":"toolu_000000000000000010000000"}"#,
);

const PERMISSION: &str = concat!(
    r#"{"subtype":"can_use_tool","tool_name":"Bash","display_name":"Bash","#,
    r#""input":{"command":"cargo test --package lab-###","#,
    r#""description":"Run the tests of a package"},"permission_suggestions":[{"#,
    r#""type":"addRules","rules":[{"toolName":"Bash","ruleContent":"cargo test:*"}],"#,
    r#""behavior":"allow","destination":"localSettings"}],"#,
    r#""description":"Run the tests of a package","decision_reason_type":"other","#,
    r#""decision_reason":"This command requires approval","#,
    r#""tool_use_id":"toolu_000000000000000010000000"}"#,
);

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A call of the in-process `add`.
    Call,
    /// A `PreToolUse` hook, which denies and gives the command as the reason.
    Hook,
    /// Whether a tool may be called; it may, with the input as it is.
    Permission,
}

impl Ask {
    /// The request line. `callback` is the id under which the client has registered its hook.
    pub fn template(self, callback: &str) -> Template {
        let request = match self {
            Self::Call => CALL.to_owned(),
            Self::Hook => HOOK.replace("CALLBACK", callback),
            Self::Permission => PERMISSION.to_owned(),
        };
        let head = format!(r#"{{"type":"control_request","request_id":"{REQUEST}{ID}","request":"#);
        Template::new(format!("{head}{request}}}\n"))
    }

    /// The text around the number in an answer, and where in it the number is.
    pub fn mark(self, id: u64) -> (String, usize) {
        match self {
            Self::Call => (format!("{}.25", number(id)), 0),
            Self::Hook | Self::Permission => (format!("lab-{}", number(id)), 4),
        }
    }

    /// Checks a whole answer and gives the id of what was asked.
    pub fn check(self, answer: &Value) -> Result<u64> {
        ensure!(answer["type"] == "control_response", "another message than an answer");
        let response = &answer["response"];
        ensure!(response["subtype"] == "success", "a refusal");
        let request = response["request_id"].as_str().context("no request_id")?;
        let id = request.strip_prefix(REQUEST).and_then(|id| id.parse().ok());
        let id = id.context("the answer to another request")?;
        let answer = &response["response"];
        match self {
            Self::Call => check_call(id, &answer["mcp_response"])?,
            Self::Hook => {
                let output = &answer["hookSpecificOutput"];
                ensure!(output["hookEventName"] == "PreToolUse", "another event");
                ensure!(output["permissionDecision"] == "deny", "another decision");
                ensure!(output["permissionDecisionReason"] == command(id), "another reason");
            }
            Self::Permission => {
                let input =
                    json!({"command": command(id), "description": "Run the tests of a package"});
                ensure!(answer["behavior"] == "allow", "another decision");
                ensure!(answer["updatedInput"] == input, "another input");
            }
        }
        Ok(id)
    }
}

fn check_call(id: u64, answer: &Value) -> Result<()> {
    ensure!(answer["jsonrpc"] == "2.0" && answer.get("error").is_none(), "an error");
    ensure!(answer["id"] == id, "the answer to another call");
    let result = &answer["result"];
    ensure!(matches!(result.get("isError"), None | Some(Value::Bool(false))), "a tool error");
    let content = result["content"].as_array();
    ensure!(content.is_some_and(|content| content.len() == 1), "not one content block");
    ensure!(result["content"][0]["type"] == "text", "the content is not text");
    let text = format!("{}.25", number(id));
    ensure!(result["content"][0]["text"] == text, "another text than expected");
    Ok(())
}

fn command(id: u64) -> String {
    format!("cargo test --package lab-{}", number(id))
}

/// One request, in which the id and the number are replaced.
pub struct Template {
    line: Vec<u8>,
    ids: Vec<usize>,
    number: usize,
}

impl Template {
    fn new(line: String) -> Self {
        let ids = memchr::memmem::find_iter(line.as_bytes(), ID).collect();
        let number = line.find(NUMBER).unwrap_or_default();
        Self { line: line.into_bytes(), ids, number }
    }

    pub fn write(&mut self, id: u64, out: &mut Vec<u8>) {
        let id_digits = digits::<ID_DIGITS>(id);
        for at in &self.ids {
            self.line[*at..at + ID_DIGITS].copy_from_slice(&id_digits);
        }
        self.line[self.number..self.number + 3].copy_from_slice(&digits::<3>(number(id)));
        out.extend_from_slice(&self.line);
    }
}

pub fn digits<const N: usize>(mut number: u64) -> [u8; N] {
    let mut digits = [b'0'; N];
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
    digits
}
