//! The CLI's question whether a tool may be called.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::lenient::{Fields, objects};
use super::update::PermissionUpdate;
use super::word::words;
use crate::CancelToken;

/// The CLI's question whether a tool may be called. It comes only for calls that neither a rule, a
/// hook nor the permission mode has decided.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PermissionRequest {
    /// The tool's name, such as `Bash` or `mcp__calc__add`.
    pub tool_name: String,
    /// The server of an MCP tool.
    pub mcp_server: Option<McpServerProvenance>,
    /// The arguments, an object.
    pub input: Value,
    /// The id of the call.
    pub tool_use_id: String,
    /// The subagent that wants to call; the main agent if absent.
    pub agent_id: Option<String>,
    /// What to answer with so that the same is not asked again ("always allow").
    pub suggestions: Vec<PermissionUpdate>,
    /// The path outside the working folders that the call is about.
    pub blocked_path: Option<String>,
    /// Why it is asked.
    pub decision_reason: Option<String>,
    /// What kind of reason that is.
    pub decision_reason_type: Option<DecisionReasonType>,
    /// A classifier may answer it in place of a person.
    pub classifier_approvable: Option<bool>,
    /// "Always allow" is not to be offered.
    pub suppress_always_allow_rule: bool,
    /// "No" is to be what is chosen at first.
    pub default_to_no: bool,
    /// The rule that says to ask.
    pub matched_ask_rule: Option<MatchedAskRule>,
    /// The question, for people.
    pub title: Option<String>,
    /// The tool's name, for people.
    pub display_name: Option<String>,
    /// What the call is for.
    pub description: Option<String>,
    /// Only a person can answer it: the tool's input is to be completed, as that of
    /// `AskUserQuestion` is.
    pub requires_user_interaction: bool,
    /// Says that the CLI no longer wants an answer.
    pub cancel: CancelToken,
    raw: Box<RawValue>,
}

objects! {
    /// Where an MCP tool comes from.
    McpServerProvenance {
        /// The server's name.
        name: String,
        /// What configured it, such as `sdk`, `project` or `user`.
        source: String,
    }

    /// A rule that says to ask.
    MatchedAskRule {
        /// The settings that it is in.
        source: String,
        /// Its tool.
        tool_name: String,
        /// Which calls of the tool.
        rule_content: Option<String>,
    }
}

words! {
    /// Why a permission is asked for.
    DecisionReasonType {
        /// A rule says so.
        Rule = "rule",
        /// The permission mode says so.
        Mode = "mode",
        /// A part of the command needs it.
        SubcommandResults = "subcommandResults",
        /// The permission prompt tool says so.
        PermissionPromptTool = "permissionPromptTool",
        /// A hook says so.
        Hook = "hook",
        /// An agent in the background wants it.
        AsyncAgent = "asyncAgent",
        /// It is to run outside the sandbox.
        SandboxOverride = "sandboxOverride",
        /// It is about a path outside the working folders.
        WorkingDir = "workingDir",
        /// It looks dangerous.
        SafetyCheck = "safetyCheck",
        /// The classifier says so.
        Classifier = "classifier",
        /// Something else, without a name.
        Unnamed = "other",
    }
}

impl PermissionRequest {
    /// Reads the `request` object of a `can_use_tool` control request.
    pub(crate) fn read(request: &str, cancel: CancelToken) -> Result<Self, serde_json::Error> {
        let raw = RawValue::from_string(request.to_owned())?;
        let mut fields = Fields::read(&raw)?;
        Ok(Self {
            tool_name: fields.take("tool_name"),
            mcp_server: fields.take("mcp_server"),
            input: Value::Object(fields.take("input")),
            tool_use_id: fields.take("tool_use_id"),
            agent_id: fields.take("agent_id"),
            suggestions: fields.take("permission_suggestions"),
            blocked_path: fields.take("blocked_path"),
            decision_reason: fields.take("decision_reason"),
            decision_reason_type: fields.take("decision_reason_type"),
            classifier_approvable: fields.take("classifier_approvable"),
            suppress_always_allow_rule: fields.take("suppress_always_allow_rule"),
            default_to_no: fields.take("default_to_no"),
            matched_ask_rule: fields.take("matched_ask_rule"),
            title: fields.take("title"),
            display_name: fields.take("display_name"),
            description: fields.take("description"),
            requires_user_interaction: fields.take("requires_user_interaction"),
            cancel,
            raw,
        })
    }

    /// The arguments as a type of your own.
    ///
    /// # Errors
    ///
    /// They do not fit the type.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.input)
    }

    /// The request as it came, with what this version does not know.
    pub fn raw(&self) -> &RawValue {
        &self.raw
    }

    /// The arguments as they came, to send back: a [`Value`] would round numbers that are too large
    /// for it.
    pub(super) fn raw_input(&self) -> Box<RawValue> {
        #[derive(Deserialize)]
        struct Request<'a> {
            #[serde(borrow)]
            input: &'a RawValue,
        }
        let input = serde_json::from_str(self.raw.get()).map(|request: Request<'_>| request.input);
        match input {
            Ok(input) if input.get().starts_with('{') => input.to_owned(),
            _ => super::answer::raw(&self.input),
        }
    }
}
