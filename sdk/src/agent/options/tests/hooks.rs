//! What `build` says of hooks.

use std::time::Duration;

use super::harness::complaints;
use crate::agent::hook::{HookEvent, HookMatcher, HookOutput};

fn complaint<E: HookEvent>(matcher: HookMatcher<E>) -> String {
    complaints(|b| b.hook(matcher, async |_, _| HookOutput::default()))
}

#[test]
fn events_and_timeouts() {
    assert_eq!(complaint(HookMatcher::raw("", None)), "hook: the event has no name");
    assert_eq!(
        complaint(HookMatcher::pre_tool_use("*").timeout(Duration::ZERO)),
        "hook: the CLI takes a timeout of 0 for its default"
    );
}

#[test]
fn matchers_that_javascript_does_not_compile() {
    for matcher in ["*Edit", "mcp__a__*|*Write", "Bash(", "a)", "[a", "mcp__**", r"a\"] {
        assert_eq!(
            complaint(HookMatcher::pre_tool_use(matcher)),
            format!(
                "hook: {matcher:?} is no regular expression of JavaScript, so it would never match"
            )
        );
    }
    let others = r"mcp__.* ^Notebook (?=a)b (?<!a)b (?<n>a)+? a*? [(*] [\]] \( a{2}? ] } a| (|a) *";
    for matcher in others.split(' ').chain(["", "Edit, Write"]) {
        assert_eq!(complaint(HookMatcher::pre_tool_use(matcher)), "none", "{matcher}");
    }
}
