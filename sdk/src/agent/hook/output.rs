//! The output of a hook.

use std::marker::PhantomData;
use std::time::Duration;

use serde::Serialize;

use super::event::{
    self, AddsContext, Decides, Elicits, NamesSession, ReplacesPrompt, WatchesPaths,
};
use crate::agent::permission::{Permission, answer};
use crate::agent::wire::{Object, RawJson, millis};

/// The output of a hook of the event `E`; empty by default.
///
/// ```
/// use toolwright::agent::hook::{HookOutput, event::PreToolUse};
///
/// let refusal: HookOutput<PreToolUse> =
///     HookOutput::default().deny("not in this folder").system_message("A call was refused.");
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
    /// other fields of the output are left out.
    pub fn asynchronous(timeout: Option<Duration>) -> Self {
        let output = Self::default().with("async", true);
        match timeout {
            Some(timeout) => output.with("asyncTimeout", millis(timeout)),
            None => output,
        }
    }

    /// The hook failed; [`HookMatcher::on_failure`](super::HookMatcher::on_failure) says what
    /// happens then. The log has the error.
    pub fn failed(why: impl Into<String>) -> Self {
        Self { failure: Some(why.into()), ..Self::default() }
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
        let fields = self.fields.iter().filter(said);
        if is_async || self.specific.is_empty() {
            return Ok(fields.fold(Object::default(), write).finish());
        }
        let specific = Object::default().member("hookEventName", event);
        let specific = self.specific.iter().fold(specific, write).finish();
        let whole = |fields: Object| fields.raw("hookSpecificOutput", &specific).finish();
        let output = whole(fields.clone().fold(Object::default(), write));
        let has_answer = self.specific.iter().any(|(name, _)| name == "action");
        if !matches!(event, "Elicitation" | "ElicitationResult") || !has_answer {
            return Ok(output);
        }
        // CLI 2.1.328 reads the answer of a program's hook in this text only, as if it were the
        // output of a command.
        let others = fields.filter(|(name, _)| name != "systemMessage");
        let others = others.fold(Object::default(), write);
        Ok(whole(others.member("systemMessage", output.get())))
    }
}

fn json(value: impl Serialize) -> Result<RawJson, String> {
    RawJson::of(value).map_err(|error| error.to_string())
}

/// Defines methods that set members, all of them with one function.
macro_rules! outputs {
    ($(impl$(<$param:ident $(: $bound:ident)?>)? HookOutput<$event:ty>, $set:ident {
        $($(#[$doc:meta])*
        $method:ident($($argument:ident: $type:ty)?) { $($name:literal = $value:expr),* })*
    })*) => {
        $(impl$(<$param $(: $bound)?>)? HookOutput<$event> {
            $($(#[$doc])*
            pub fn $method(self $(, $argument: $type)?) -> Self {
                self$(.$set($name, $value))*
            })*
        })*
    };
}

// A method that several events share exists once, for a trait: in a closure the event of
// `HookOutput::default()` is not known yet, and only such a method can be found then.
outputs! {
    impl<E> HookOutput<E>, with {
        /// Whether the agent continues after the hook.
        continue_(goes_on: bool) { "continue" = goes_on }
        /// Ends the turn, with a reason for the user. The call that a hook before it is asked about
        /// is made first, unless the hook denies it too. If anything else denies the call, the turn
        /// goes on. At `UserPromptSubmit` the reason is in the
        /// [text of the result](crate::agent::Turn::finish), as with [`block`](Self::block).
        stop(reason: impl Into<String>) { "continue" = false, "stopReason" = reason.into() }
        /// Keeps the output out of the transcript.
        suppress_output() { "suppressOutput" = true }
        /// Shows a message to the user.
        system_message(text: impl Into<String>) { "systemMessage" = text.into() }
        /// Writes an escape sequence to the terminal.
        terminal_sequence(sequence: impl Into<String>) { "terminalSequence" = sequence.into() }
        /// Blocks what the event is about. The model gets the reason; that of a blocked prompt goes
        /// to the user: it is in the [text of the result](crate::agent::Turn::finish), which is a
        /// success. At `Stop` the agent goes on, at `PostToolBatch` the turn ends.
        block(reason: impl Into<String>) { "decision" = "block", "reason" = reason.into() }
        /// Approves what the event is about; the older form of `allow`.
        approve(reason: impl Into<String>) { "decision" = "approve", "reason" = reason.into() }
    }

    impl<E: AddsContext> HookOutput<E>, with_specific {
        /// Adds a text to the model's context.
        additional_context(text: impl Into<String>) { "additionalContext" = text.into() }
    }

    impl<E: Decides> HookOutput<E>, with_specific {
        /// Allows it; no permission is asked for.
        allow() { "permissionDecision" = "allow" }
        /// Denies it; the model gets the reason.
        deny(reason: impl Into<String>) {
            "permissionDecision" = "deny", "permissionDecisionReason" = reason.into()
        }
        /// Asks for a permission, with the reason. Another model is refused: nobody is asked.
        ask(reason: impl Into<String>) {
            "permissionDecision" = "ask", "permissionDecisionReason" = reason.into()
        }
        /// The reason of the decision.
        permission_decision_reason(reason: impl Into<String>) {
            "permissionDecisionReason" = reason.into()
        }
    }

    impl<E: Elicits> HookOutput<E>, with_specific {
        /// Declines.
        decline() { "action" = "decline" }
        /// Cancels the question, neither yes nor no.
        cancel() { "action" = "cancel" }
    }

    impl<E: NamesSession> HookOutput<E>, with_specific {
        /// Gives the session a title.
        session_title(title: impl Into<String>) { "sessionTitle" = title.into() }
    }

    impl<E: ReplacesPrompt> HookOutput<E>, with_specific {
        /// Leaves the prompt out of the message that says that it was blocked.
        suppress_original_prompt() { "suppressOriginalPrompt" = true }
    }

    impl<E: WatchesPaths> HookOutput<E>, with_specific {
        /// Watches these files, given by absolute paths; `FileChanged` tells of changes.
        watch_paths(paths: impl IntoIterator<Item: Into<String>>) {
            "watchPaths" = paths.into_iter().map(Into::into).collect::<Vec<String>>()
        }
    }

    impl HookOutput<event::PreToolUse>, with_specific {
        /// Ends the turn before the call, which the result names (`deferred_tool_use`).
        defer() { "permissionDecision" = "defer" }
    }

    impl HookOutput<event::PostToolUse>, with_specific {
        /// Gives the permission classifier the user's words about the call.
        classifier_context(text: impl Into<String>) { "classifierContext" = text.into() }
        /// Gives the model another output than the tool's. It must have the form of the input's
        /// `tool_response`: for a tool of the CLI, any other is ignored, and the model gets the
        /// tool's. For an MCP tool a text will do.
        updated_tool_output(output: impl Serialize) { "updatedToolOutput" = output }
        /// Gives the model another output than an MCP tool's; [`Self::updated_tool_output`] does it
        /// for any tool.
        updated_mcp_tool_output(output: impl Serialize) { "updatedMCPToolOutput" = output }
    }

    impl HookOutput<event::PermissionDenied>, with_specific {
        /// Tells the model that it may try the call again.
        retry() { "retry" = true }
    }

    impl HookOutput<event::SessionStart>, with_specific {
        /// Begins the conversation with this prompt.
        initial_user_message(text: impl Into<String>) { "initialUserMessage" = text.into() }
        /// Reads the skills again, as the hook has added some.
        reload_skills() { "reloadSkills" = true }
    }

    impl HookOutput<event::WorktreeCreate>, with_specific {
        /// The path of the worktree that the hook has made.
        worktree_path(path: impl Into<String>) { "worktreePath" = path.into() }
    }

    impl HookOutput<event::MessageDisplay>, with_specific {
        /// Shows this text instead, in the assistant message and the result. Partial messages still
        /// have what the model wrote.
        display_content(text: impl Into<String>) { "displayContent" = text.into() }
    }
}

impl<E: Elicits> HookOutput<E> {
    /// Answers with `content`, which must be a JSON object.
    pub fn accept(self, content: impl Serialize) -> Self {
        self.with_specific("action", "accept").specific("content", answer::object(content))
    }
}

impl HookOutput<event::PreToolUse> {
    /// Calls the tool with other arguments, which must be a JSON object; otherwise the hook has
    /// [failed](Self::failed), and by default the tool is called with the arguments that it had.
    pub fn updated_input(self, input: impl Serialize) -> Self {
        self.specific("updatedInput", answer::object(input))
    }
}

impl HookOutput<event::PermissionRequested> {
    /// Answers in the place of the permission callback or the user, unless that is faster. Whoever
    /// wants to have the last word denies in a hook of `PreToolUse`.
    pub fn decide(self, permission: Permission) -> Self {
        self.specific("decision", permission.to_hook_decision())
    }
}
