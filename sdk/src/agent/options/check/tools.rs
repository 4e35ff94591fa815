//! Checks of rules, permissions and subagents.

use std::collections::HashSet;
use std::time::Duration;

use super::complaints::Complaints;
use super::{matcher, rule};
use crate::agent::options::tools::{PermissionPrompts, ToolOptions};
use crate::agent::permission::PermissionMode;

pub(super) fn check(options: &ToolOptions, complaints: &mut Complaints) {
    for (setter, rules) in
        [("allowed_tools", &options.allowed), ("disallowed_tools", &options.disallowed)]
    {
        let wrong = rules.iter().filter_map(|rule| rule::complaint(rule));
        wrong.for_each(|complaint| complaints.add(format!("{setter}: {complaint}")));
    }
    let asks_two = options.can_use_tool.is_some() && options.permission_prompt_tool.is_some();
    complaints.when(
        asks_two,
        "permission_prompt_tool: can_use_tool is set too, and only one can be asked",
    );
    let is_unheard = options.permission_prompts == Some(PermissionPrompts::None)
        && (options.can_use_tool.is_some() || options.permission_prompt_tool.is_some());
    complaints.when(
        is_unheard,
        "permission_prompts: with `None` neither can_use_tool nor permission_prompt_tool is asked",
    );
    if let Some((kinds, _)) = &options.dialogs {
        let is_wrong = kinds.is_empty() || kinds.iter().any(|kind| kind.trim().is_empty());
        complaints
            .when(is_wrong, "on_user_dialog: at least one kind is needed, none of them empty");
    }
    let is_nothing = |(from, to): &(String, String)| from.is_empty() || to.is_empty();
    complaints.when(options.aliases.iter().any(is_nothing), "tool_aliases: one is empty");
    let bypass = PermissionMode::BypassPermissions;
    let skips =
        options.permission_mode.as_ref().is_some_and(|mode| mode.as_str() == bypass.as_str());
    complaints.when(
        skips && !options.allow_skipping_permissions,
        "permission_mode: bypassPermissions needs allow_dangerously_skip_permissions(true)",
    );
    complaints.when(
        options.hooks.0.iter().any(|hook| hook.event.is_empty()),
        "hook: the event has no name",
    );
    complaints.when(
        options.hooks.0.iter().any(|hook| hook.timeout == Some(Duration::ZERO)),
        "hook: the CLI takes a timeout of 0 for its default",
    );
    for matcher in options.hooks.0.iter().filter_map(|hook| hook.matcher.as_ref()) {
        if matcher != "*" && !matcher::may_be_regex(matcher) {
            complaints.add(format!(
                "hook: {matcher:?} is no regular expression of JavaScript, so it would never match"
            ));
        }
    }
    check_agents(options, complaints);
}

fn check_agents(options: &ToolOptions, complaints: &mut Complaints) {
    let mut seen = HashSet::new();
    for (name, agent) in &options.agents {
        if name.trim().is_empty() {
            complaints.add("agents: one has no name");
        }
        if name.starts_with('-') {
            complaints.add(format!("agents: the name {name:?} begins with `-`"));
        }
        if !seen.insert(name) {
            complaints.add(format!("agents: there is more than one {name:?}"));
        }
        // The CLI drops an agent without them, or all of them, and mentions it only in its log.
        for (what, text) in [
            ("description", Some(&agent.description)),
            ("prompt", Some(&agent.prompt)),
            ("model", agent.model.as_ref()),
        ] {
            if text.is_some_and(|text| text.trim().is_empty()) {
                complaints.add(format!("agents: the {what} of {name:?} is empty"));
            }
        }
        if agent.max_turns == Some(0) {
            complaints.add(format!("agents: {name:?} needs at least 1 turn"));
        }
    }
}
