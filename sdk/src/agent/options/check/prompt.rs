//! Checks of the system prompt.

use super::complaints::Complaints;
use crate::agent::options::prompt::{Base, PromptOptions};

pub(super) fn check(options: &PromptOptions, complaints: &mut Complaints) {
    let Some(system) = &options.system else { return };
    let appends_twice = options.append.is_some() && system.append.is_some();
    complaints.when(
        appends_twice,
        "append_system_prompt: the system prompt has a text to append already",
    );
    let excludes = system.exclude_dynamic_sections == Some(true) && system.base != Base::ClaudeCode;
    // The CLI takes one or the other.
    let has_both = matches!(system.base, Base::Parts(_)) && options.appended().is_some();
    complaints
        .when(has_both, "append_system_prompt: make it one of the parts of the system prompt");
    complaints.when(
        excludes,
        "system_prompt: exclude_dynamic_sections is for Claude Code's own prompt; others have no \
         such sections",
    );
}
