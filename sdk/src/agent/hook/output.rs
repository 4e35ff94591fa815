//! The output of a hook.

use std::marker::PhantomData;
use std::time::Duration;

use serde::Serialize;

use super::event::{
    self, AddsContext, Decides, Elicits, NamesSession, ReplacesPrompt, WatchesPaths,
};
use crate::agent::permission::{Permission, answer};
use crate::agent::wire::{Object, RawJson};

/// The output of a hook of the event `E`; empty by default.
///
/// ```
/// use toolwright::agent::hook::{HookOutput, event::PreToolUse};
///
/// let refusal: HookOutput<PreToolUse> = HookOutput::default().deny("not in this
/// folder").system_message("A call was refused.");
/// # let _ = refusal;
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "the CLI waits for an answer"]
pub struct HookOutput<E> {
    fields: Fields,
    /// The members of `hookSpecificOutput`.
    specific: Fields,
    failure: Option<String>,
    event: PhantomData<E>,
}

type Fields = Vec<(String, RawJson)>;

impl<E> Default for HookOutput<E> {
    fn default() -> Self {
        Self { fields: Fields::new(), specific: Fields::new(), failure: None, event: PhantomData }
    }
}

impl<E> HookOutput<E> {
    /// The CLI does not wait for the work that the hook has begun, which may take `timeout`. All
    /// other
    /// fields of the output are left out.
    pub fn asynchronous(timeout: Option<Duration>) -> Self {
        let output = Self::default().with("async", true);
        match timeout {
            Some(timeout) => {
                output.with("asyncTimeout", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
            }
            None => output,
        }
    }

    /// The hook failed; [`HookMatcher::on_failure`](super::HookMatcher::on_failure) says what
    /// happens
    /// then.
    pub fn failed(why: impl Into<String>) -> Self {
        Self { failure: Some(why.into()), ..Self::default() }
    }

    /// Whether the agent continues after the hook.
    pub fn continue_(self, goes_on: bool) -> Self {
        self.with("continue", goes_on)
    }

    /// Ends the run; the user sees the reason.
    pub fn stop(self, reason: impl Into<String>) -> Self {
        self.continue_(false).with("stopReason", reason.into())
    }

    /// Keeps the output out of the transcript.
    pub fn suppress_output(self) -> Self {
        self.with("suppressOutput", true)
    }

    /// Shows a message to the user.
    pub fn system_message(self, text: impl Into<String>) -> Self {
        self.with("systemMessage", text.into())
    }

    /// Writes an escape sequence to the terminal.
    pub fn terminal_sequence(self, sequence: impl Into<String>) -> Self {
        self.with("terminalSequence", sequence.into())
    }

    /// Blocks what the event is about; the model gets the reason. At `Stop` the agent goes on.
    pub fn block(self, reason: impl Into<String>) -> Self {
        self.with("decision", "block").with("reason", reason.into())
    }

    /// Approves what the event is about; the older form of `allow`.
    pub fn approve(self, reason: impl Into<String>) -> Self {
        self.with("decision", "approve").with("reason", reason.into())
    }

    /// A field that this version has no function for.
    pub fn with(mut self, field: &str, value: impl Serialize) -> Self {
        self.set(|output| &mut output.fields, field, json(value));
        self
    }

    /// A field of `hookSpecificOutput` that this version has no function for.
    pub fn with_specific(self, field: &str, value: impl Serialize) -> Self {
        self.specific(field, json(value))
    }

    fn specific(mut self, field: &str, value: Result<RawJson, String>) -> Self {
        self.set(|output| &mut output.specific, field, value);
        self
    }

    fn set(
        &mut self,
        fields: fn(&mut Self) -> &mut Fields,
        name: &str,
        value: Result<RawJson, String>,
    ) {
        match value {
            Ok(value) => {
                let fields = fields(self);
                match fields.iter_mut().find(|(known, _)| known == name) {
                    Some((_, place)) => *place = value,
                    None => fields.push((name.to_owned(), value)),
                }
            }
            Err(why) => self.failure = Some(format!("`{name}` {why}")),
        }
    }

    /// The response object, or the failure.
    pub(super) fn encode(self, event: &str) -> Result<RawJson, String> {
        if let Some(why) = self.failure {
            return Err(why);
        }
        let is_async = self.fields.iter().any(|(name, on)| name == "async" && on.get() == "true");
        let said = |(name, _): &&(String, RawJson)| {
            !is_async || matches!(name.as_str(), "async" | "asyncTimeout")
        };
        let write = |object: Object, (name, value): &(String, RawJson)| object.raw(name, value);
        let mut output = self.fields.iter().filter(said).fold(Object::default(), write);
        if !is_async && !self.specific.is_empty() {
            let specific = Object::default().member("hookEventName", event);
            output = output
                .raw("hookSpecificOutput", &self.specific.iter().fold(specific, write).finish());
        }
        Ok(output.finish())
    }
}

fn json(value: impl Serialize) -> Result<RawJson, String> {
    RawJson::of(value).map_err(|error| error.to_string())
}

// A method that several events share exists once, for a trait: in a closure the event of
// `HookOutput::default()` is not known yet, and only such a method can be found then.
impl<E: AddsContext> HookOutput<E> {
    /// Adds a text to the model's context.
    pub fn additional_context(self, text: impl Into<String>) -> Self {
        self.with_specific("additionalContext", text.into())
    }
}

impl<E: Decides> HookOutput<E> {
    /// Allows it; no permission is asked for.
    pub fn allow(self) -> Self {
        self.with_specific("permissionDecision", "allow")
    }

    /// Denies it; the model gets the reason.
    pub fn deny(self, reason: impl Into<String>) -> Self {
        self.with_specific("permissionDecision", "deny").permission_decision_reason(reason)
    }

    /// Asks for a permission, with the reason.
    pub fn ask(self, reason: impl Into<String>) -> Self {
        self.with_specific("permissionDecision", "ask").permission_decision_reason(reason)
    }

    /// The reason of the decision.
    pub fn permission_decision_reason(self, reason: impl Into<String>) -> Self {
        self.with_specific("permissionDecisionReason", reason.into())
    }
}

impl<E: Elicits> HookOutput<E> {
    /// Answers with `content`, which must be a JSON object.
    pub fn accept(self, content: impl Serialize) -> Self {
        self.with_specific("action", "accept").specific("content", answer::object(content))
    }

    /// Declines.
    pub fn decline(self) -> Self {
        self.with_specific("action", "decline")
    }

    /// Cancels the question, neither yes nor no.
    pub fn cancel(self) -> Self {
        self.with_specific("action", "cancel")
    }
}

impl<E: NamesSession> HookOutput<E> {
    /// Gives the session a title.
    pub fn session_title(self, title: impl Into<String>) -> Self {
        self.with_specific("sessionTitle", title.into())
    }
}

impl<E: ReplacesPrompt> HookOutput<E> {
    /// Does not show the prompt as it was.
    pub fn suppress_original_prompt(self) -> Self {
        self.with_specific("suppressOriginalPrompt", true)
    }
}

impl<E: WatchesPaths> HookOutput<E> {
    /// Watches these files, given by absolute paths; `FileChanged` tells of changes.
    pub fn watch_paths<P: Into<String>>(self, paths: impl IntoIterator<Item = P>) -> Self {
        let paths: Vec<String> = paths.into_iter().map(Into::into).collect();
        self.with_specific("watchPaths", paths)
    }
}

impl HookOutput<event::PreToolUse> {
    /// Ends the turn before the call, which the result names (`deferred_tool_use`).
    pub fn defer(self) -> Self {
        self.with_specific("permissionDecision", "defer")
    }

    /// Calls the tool with other arguments, which must be a JSON object.
    pub fn updated_input(self, input: impl Serialize) -> Self {
        self.specific("updatedInput", answer::object(input))
    }
}

impl HookOutput<event::PostToolUse> {
    /// Gives the permission classifier the user's words about the call.
    pub fn classifier_context(self, text: impl Into<String>) -> Self {
        self.with_specific("classifierContext", text.into())
    }

    /// Gives the model another output than the tool's.
    pub fn updated_tool_output(self, output: impl Serialize) -> Self {
        self.with_specific("updatedToolOutput", output)
    }

    /// Gives the model another output than an MCP tool's; [`Self::updated_tool_output`] does it for
    /// any tool.
    pub fn updated_mcp_tool_output(self, output: impl Serialize) -> Self {
        self.with_specific("updatedMCPToolOutput", output)
    }
}

impl HookOutput<event::PermissionRequested> {
    /// Answers in the place of the permission callback or the user.
    pub fn decide(self, permission: Permission) -> Self {
        self.specific("decision", permission.to_hook_decision())
    }
}

impl HookOutput<event::PermissionDenied> {
    /// Tells the model that it may try the call again.
    pub fn retry(self) -> Self {
        self.with_specific("retry", true)
    }
}

impl HookOutput<event::SessionStart> {
    /// Begins the conversation with this prompt.
    pub fn initial_user_message(self, text: impl Into<String>) -> Self {
        self.with_specific("initialUserMessage", text.into())
    }

    /// Reads the skills again, as the hook has added some.
    pub fn reload_skills(self) -> Self {
        self.with_specific("reloadSkills", true)
    }
}

impl HookOutput<event::WorktreeCreate> {
    /// The path of the worktree that the hook has made.
    pub fn worktree_path(self, path: impl Into<String>) -> Self {
        self.with_specific("worktreePath", path.into())
    }
}

impl HookOutput<event::MessageDisplay> {
    /// Shows this text instead.
    pub fn display_content(self, text: impl Into<String>) -> Self {
        self.with_specific("displayContent", text.into())
    }
}
