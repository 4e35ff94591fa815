//! The CLI's question whether a tool may be called.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::json;

use super::answer::Permission;
use super::update::PermissionUpdate;
use super::update::PermissionUpdateDestination::Session;
use crate::CancelToken;
use crate::agent::run_ref::RunRef;
use crate::agent::wire::{self, Cursor, RawJson, Text, kept, members, object, record, words};

/// The CLI's question whether a tool may be called.
///
/// ```
/// use toolwright::agent::{Permission, PermissionRequest};
///
/// #[toolwright::data]
/// struct Bash {
///     command: String,
/// }
///
/// async fn answer(request: PermissionRequest) -> Permission {
///     match request.input::<Bash>() {
///         Ok(bash) if request.tool_name == "Bash" && bash.command == "ls" => Permission::allow(),
///         _ => Permission::deny("only `ls` is allowed here"),
///     }
/// }
/// # let _ = toolwright::agent::AgentOptions::builder().can_use_tool(answer);
/// ```
///
/// It comes only for calls that neither a rule, a hook nor the permission mode has decided. It does
/// not wait until the messages before it are read, so it may come before the message with the call
/// that it is about; what shows both goes by [`tool_use_id`](Self::tool_use_id).
///
/// # Questions to the user
///
/// The model asks the user by calling the tool `AskUserQuestion`, whatever the rules are. Its input
/// has `questions`, each with a `header`, the whole `question`, `options` with `label` and
/// `description`, and `multiSelect`. Add `answers` to answer: for each whole question a text, the
/// label of an option or anything else; several labels have `, ` between them.
///
/// ```
/// use toolwright::agent::{AgentOptions, Permission, PermissionRequest, query_with};
/// use toolwright::json;
/// # use toolwright::testing::ScriptedCli;
///
/// async fn answer(request: PermissionRequest) -> Permission {
///     if request.tool_name != "AskUserQuestion" {
///         return Permission::deny("only questions are answered here");
///     }
///     let mut input = request.input.to_value();
///     // A program would show them.
///     let first = input["questions"][0]["question"].as_str().unwrap_or_default().to_owned();
///     input["answers"] = json!({first: "Blue"});
///     Permission::allow().with_input(input)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), toolwright::agent::Error> {
/// let options = AgentOptions::builder().can_use_tool(answer).build()?;
/// # let questions = json!([{"header": "Colour", "question": "Which colour?", "options": []}]);
/// # let cli = ScriptedCli::new()
/// #     .builtin("AskUserQuestion", "")
/// #     .turn(|turn| turn.call("AskUserQuestion", json!({"questions": questions})).say("Well."));
/// # let seen = cli.seen();
/// # query_with(cli, "Paint it.", options).await?.finish().await?;
/// # let input = seen.expect_call("AskUserQuestion").input.unwrap();
/// # assert_eq!(input["answers"], json!({"Which colour?": "Blue"}));
/// # Ok(())
/// # }
/// ```
///
/// `agent::view`, with the feature `view`, asks them at the terminal or in the browser.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PermissionRequest {
    /// The tool's name, such as `Bash` or `mcp__calc__add`.
    pub tool_name: String,
    /// The server of an MCP tool.
    pub mcp_server: Option<McpServerProvenance>,
    /// The arguments, an object.
    pub input: RawJson,
    /// The id of the call.
    pub tool_use_id: String,
    /// The subagent that wants to call; the main agent if absent.
    pub agent_id: Option<String>,
    /// Updates to answer with so that the same is not asked again ("always allow"). Each names
    /// where it is kept, and most rules are for the project's settings on this machine: with
    /// [`with_updates`](super::Permission::with_updates) the CLI writes them to
    /// `.claude/settings.local.json`, where they hold for later runs too.
    /// [`allow_for_session`](Self::allow_for_session) keeps them for this session only.
    pub suggestions: Vec<PermissionUpdate>,
    /// The path outside the working folders that the call is about.
    pub blocked_path: Option<String>,
    /// Why it is asked.
    pub decision_reason: Option<String>,
    /// The kind of reason.
    pub decision_reason_type: Option<DecisionReasonType>,
    /// A classifier may answer it in place of a person.
    pub classifier_approvable: Option<bool>,
    /// Do not offer "always allow".
    pub suppress_always_allow_rule: bool,
    /// Preselect "no".
    pub default_to_no: bool,
    /// The rule that says to ask.
    pub matched_ask_rule: Option<MatchedAskRule>,
    /// The question, for people.
    pub title: Option<String>,
    /// The tool's name, for people.
    pub display_name: Option<String>,
    /// The purpose of the call.
    pub description: Option<String>,
    /// Only a person may answer it, such as the [questions](Self#questions-to-the-user) of the
    /// model.
    pub requires_user_interaction: bool,
    /// Cancelled when the CLI no longer wants an answer. The callback's future is then dropped. But
    /// if anything has waited for [`cancelled`](CancelToken::cancelled) by then, the future has a
    /// second to end by itself, for example to close a dialog; what it returns is not used.
    pub cancel: CancelToken,
    pub(in crate::agent) run: RunRef,
    raw: Text,
}

record! {
    /// Where an MCP tool comes from.
    pub struct McpServerProvenance {
        /** The server's name. */ pub name: String,
        /** What configured it, such as `sdk`, `project` or `user`. */ pub source: String,
    }

    /// A rule that says to ask.
    pub struct MatchedAskRule {
        /** The settings that it is in. */ pub source: String,
        /** Its tool. */ pub tool_name: String,
        /** Which calls of the tool. */ pub rule_content: Option<String>,
    }
}

words! {
    /// Why a permission is asked for.
    DecisionReasonType {
        /** A rule says so. */ Rule = "rule",
        /** The permission mode says so. */ Mode = "mode",
        /** A part of the command needs it. */ SubcommandResults = "subcommandResults",
        /** The permission prompt tool says so. */ PermissionPromptTool = "permissionPromptTool",
        /** A hook says so. */ Hook = "hook",
        /** An agent in the background wants it. */ AsyncAgent = "asyncAgent",
        /** It is to run outside the sandbox. */ SandboxOverride = "sandboxOverride",
        /** It is about a path outside the working folders. */ WorkingDir = "workingDir",
        /** It looks dangerous. */ SafetyCheck = "safetyCheck",
        /** The classifier says so. */ Classifier = "classifier",
        /** Something else, without a name. */ Unnamed = "other",
    }
}

members! {
    PermissionRequest {
        tool_name,
        mcp_server,
        input => object,
        tool_use_id,
        agent_id,
        suggestions = "permission_suggestions",
        blocked_path,
        decision_reason,
        decision_reason_type,
        classifier_approvable,
        suppress_always_allow_rule,
        default_to_no,
        matched_ask_rule,
        title,
        display_name,
        description,
        requires_user_interaction,
        ; raw
    }
}

kept! { PermissionRequest }

impl PermissionRequest {
    /// Reads the `request` object of a `can_use_tool` control request.
    ///
    /// # Errors
    ///
    /// It is no JSON that Rust's types can hold.
    pub(crate) fn read(
        request: impl Into<Arc<str>>,
        cancel: CancelToken,
    ) -> Result<Self, serde_json::Error> {
        let request = request.into();
        wire::check(&request)?;
        let mut request: Self = *wire::read(Cursor::of(&request)).unwrap_or_default();
        if request.input == RawJson::default() {
            request.input = json!({}).into();
        }
        request.cancel = cancel;
        Ok(request)
    }

    /// The arguments as a type of your own.
    ///
    /// # Errors
    ///
    /// They do not fit the type.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        self.input.decode()
    }

    /// Allows the call, and what the CLI [suggests](Self::suggestions) until its process ends: a
    /// run that resumes the session asks again. No settings file changes, so suggestions of an
    /// unknown kind are left out. Where the CLI suggests nothing else, or says [not to offer
    /// it](Self::suppress_always_allow_rule), only this call is allowed.
    ///
    /// Show the user the suggestions: they may allow more than this tool. For `Write` and `Edit`
    /// the CLI (2.1.328) suggests the mode `acceptEdits`, and for `Bash` the beginning of the
    /// command and, if the command changes files, that mode, too.
    ///
    /// ```
    /// use toolwright::agent::{Permission, PermissionRequest};
    ///
    /// fn answer(typed: &str, request: &PermissionRequest) -> Permission {
    ///     match typed {
    ///         "yes" => Permission::allow(),
    ///         "always" => request.allow_for_session(),
    ///         _ => Permission::deny("the user does not want this"),
    ///     }
    /// }
    /// ```
    pub fn allow_for_session(&self) -> Permission {
        if !self.can_allow_for_session() {
            return Permission::allow();
        }
        let suggestions = self.suggestions.iter().filter(|update| update.is_known()).cloned();
        Permission::allow().with_updates(suggestions.map(|update| update.destination(Session)))
    }

    /// Whether [`allow_for_session`](Self::allow_for_session) allows more than this call: a program
    /// offers "always" only then.
    pub fn can_allow_for_session(&self) -> bool {
        !self.suppress_always_allow_rule && self.suggestions.iter().any(PermissionUpdate::is_known)
    }
}
