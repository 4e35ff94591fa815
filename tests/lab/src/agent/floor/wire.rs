use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::floor::wire::Request as JsonRpc;

/// A line of the CLI's. What differs from kind to kind is optional, so that one pass decodes all of
/// it but arguments and inputs.
#[derive(Deserialize)]
pub struct Line<'a> {
    #[serde(borrow)]
    pub r#type: Cow<'a, str>,
    #[serde(borrow, default)]
    pub request_id: Cow<'a, str>,
    #[serde(borrow)]
    pub request: Option<Request<'a>>,
    /// The text of a result.
    #[serde(borrow, default)]
    pub result: Cow<'a, str>,
}

/// A control request of any kind.
#[derive(Deserialize)]
#[expect(dead_code, reason = "it is decoded for the sake of what that takes")]
pub struct Request<'a> {
    #[serde(borrow)]
    pub subtype: Cow<'a, str>,
    /// Of an `mcp_message`.
    #[serde(borrow)]
    pub message: Option<JsonRpc<'a>>,
    /// Of a hook.
    #[serde(borrow, default)]
    pub callback_id: Cow<'a, str>,
    /// What a hook is told, or the arguments that permission is asked for.
    #[serde(borrow)]
    pub input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_use_id: Cow<'a, str>,
    #[serde(borrow, default)]
    tool_name: Cow<'a, str>,
    #[serde(borrow, default)]
    display_name: Cow<'a, str>,
    #[serde(borrow, default)]
    description: Cow<'a, str>,
    #[serde(borrow, default)]
    decision_reason: Cow<'a, str>,
    #[serde(borrow)]
    permission_suggestions: Option<&'a RawValue>,
}

/// The input of a `PreToolUse` hook for `Bash`.
#[derive(Deserialize)]
#[expect(dead_code, reason = "it is decoded for the sake of what that takes")]
pub struct PreToolUse<'a> {
    #[serde(borrow)]
    session_id: Cow<'a, str>,
    #[serde(borrow)]
    transcript_path: Cow<'a, str>,
    #[serde(borrow)]
    cwd: Cow<'a, str>,
    #[serde(borrow, default)]
    prompt_id: Cow<'a, str>,
    #[serde(borrow, default)]
    permission_mode: Cow<'a, str>,
    #[serde(borrow)]
    pub hook_event_name: Cow<'a, str>,
    #[serde(borrow)]
    tool_name: Cow<'a, str>,
    #[serde(borrow)]
    pub tool_input: Bash<'a>,
    #[serde(borrow)]
    tool_use_id: Cow<'a, str>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "it is decoded for the sake of what that takes")]
pub struct Bash<'a> {
    #[serde(borrow)]
    pub command: Cow<'a, str>,
    #[serde(borrow, default)]
    description: Cow<'a, str>,
}

#[derive(Serialize)]
pub struct Answer<'a, R> {
    r#type: &'static str,
    response: Success<'a, R>,
}

#[derive(Serialize)]
struct Success<'a, R> {
    subtype: &'static str,
    request_id: &'a str,
    response: R,
}

#[derive(Serialize)]
pub struct McpResponse<R> {
    pub mcp_response: R,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookOutput<'a> {
    pub hook_specific_output: Denied<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Denied<'a> {
    pub hook_event_name: &'a str,
    pub permission_decision: &'static str,
    pub permission_decision_reason: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Allowed<'a> {
    pub behavior: &'static str,
    pub updated_input: &'a RawValue,
}

impl<'a, R> Answer<'a, R> {
    pub fn new(request_id: &'a str, response: R) -> Self {
        let response = Success { subtype: "success", request_id, response };
        Self { r#type: "control_response", response }
    }
}
