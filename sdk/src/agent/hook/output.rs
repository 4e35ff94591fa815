//! What a hook answers.

use std::marker::PhantomData;
use std::time::Duration;

use serde::Serialize;

use super::event::{
    self, AddsContext, Decides, Elicits, NamesSession, ReplacesPrompt, WatchesPaths,
};
use crate::agent::permission::{Permission, answer};
use crate::agent::wire::{Object, RawJson};

/// What a hook of the event `E` answers; nothing by default.
///
/// ```
/// use toolwright::agent::hook::{HookOutput, event::PreToolUse};
///
/// let refusal: HookOutput<PreToolUse> = HookOutput::default().deny("not in this folder").system_message("A call was refused.");
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
    /// The CLI does not wait for what the hook has begun, for at most `timeout`. All else that the
    /// output says is left out.
    pub fn asynchronous(timeout: Option<Duration>) -> Self {
        let output = Self::default().with("async", true);
        match timeout {
            Some(timeout) => {
                output.with("asyncTimeout", u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX))
            }
            None => output,
        }
    }

    /// The hook could not do what it is for;
    /// [`HookMatcher::on_failure`](super::HookMatcher::on_failure) says what happens then.
    pub fn failed(why: impl Into<String>) -> Self {
        Self { failure: Some(why.into()), ..Self::default() }
    }

    /// Whether the agent goes on after the hook.
    pub fn continue_(self, goes_on: bool) -> Self {
        self.with("continue", goes_on)
    }

    /// Ends the run; the user is told why.
    pub fn stop(self, reason: impl Into<String>) -> Self {
        self.continue_(false).with("stopReason", reason.into())
    }

    /// Keeps what the hook says out of the transcript.
    pub fn suppress_output(self) -> Self {
        self.with("suppressOutput", true)
    }

    /// Tells the user something.
    pub fn system_message(self, text: impl Into<String>) -> Self {
        self.with("systemMessage", text.into())
    }

    /// Writes an escape sequence to the terminal.
    pub fn terminal_sequence(self, sequence: impl Into<String>) -> Self {
        self.with("terminalSequence", sequence.into())
    }

    /// Blocks what the event is about; the model is told why. A `Stop` that is blocked goes on.
    pub fn block(self, reason: impl Into<String>) -> Self {
        self.with("decision", "block").with("reason", reason.into())
    }

    /// Approves of what the event is about: the older form of `allow`.
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

    /// The response object, or why there is none.
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

// What several events share is written for all of them at once: in a closure
// `HookOutput::default()` does not know its event yet, and only a method that exists once can be
// found all the same.
impl<E: AddsContext> HookOutput<E> {
    /// Tells the model something besides.
    pub fn additional_context(self, text: impl Into<String>) -> Self {
        self.with_specific("additionalContext", text.into())
    }
}

impl<E: Decides> HookOutput<E> {
    /// It happens, without anybody being asked.
    pub fn allow(self) -> Self {
        self.with_specific("permissionDecision", "allow")
    }

    /// It does not happen; the model is told why.
    pub fn deny(self, reason: impl Into<String>) -> Self {
        self.with_specific("permissionDecision", "deny").permission_decision_reason(reason)
    }

    /// Somebody is asked, and told why.
    pub fn ask(self, reason: impl Into<String>) -> Self {
        self.with_specific("permissionDecision", "ask").permission_decision_reason(reason)
    }

    /// Why it was decided so.
    pub fn permission_decision_reason(self, reason: impl Into<String>) -> Self {
        self.with_specific("permissionDecisionReason", reason.into())
    }
}

impl<E: Elicits> HookOutput<E> {
    /// Answers with `content`, which must make a JSON object.
    pub fn accept(self, content: impl Serialize) -> Self {
        self.with_specific("action", "accept").specific("content", answer::object(content))
    }

    /// Answers no.
    pub fn decline(self) -> Self {
        self.with_specific("action", "decline")
    }

    /// Answers neither yes nor no.
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
    /// Ends the turn with the call undone; the result tells which it is (`deferred_tool_use`).
    pub fn defer(self) -> Self {
        self.with_specific("permissionDecision", "defer")
    }

    /// Calls the tool with other arguments, which must make a JSON object.
    pub fn updated_input(self, input: impl Serialize) -> Self {
        self.specific("updatedInput", answer::object(input))
    }
}

impl HookOutput<event::PostToolUse> {
    /// Tells the permission classifier what the user said of the call.
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
    /// Answers in the place of whoever would be asked.
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
    /// Where the hook has made the worktree.
    pub fn worktree_path(self, path: impl Into<String>) -> Self {
        self.with_specific("worktreePath", path.into())
    }
}

impl HookOutput<event::MessageDisplay> {
    /// Shows this in the place of the piece of the answer.
    pub fn display_content(self, text: impl Into<String>) -> Self {
        self.with_specific("displayContent", text.into())
    }
}
