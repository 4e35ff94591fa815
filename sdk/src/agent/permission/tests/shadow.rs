use expect_test::{Expect, expect};

use super::*;

fn check(rules: &[&str], mode: Option<PermissionMode>, expected: Expect) {
    let rules: Vec<_> = rules.iter().map(|rule| String::from(*rule)).collect();
    expected.assert_eq(&shadowed_by(&rules, mode.as_ref()).unwrap_or_default());
}

#[test]
fn rules_and_modes_shadow_the_callback() {
    check(&[], None, expect![""]);
    check(&[], Some(PermissionMode::Default), expect![""]);
    check(&[], Some(PermissionMode::Plan), expect![""]);
    check(
        &["Read", "mcp__calc__*"],
        None,
        expect![
            "can_use_tool is not asked about what allowed_tools allows (Read, mcp__calc__*); a PreToolUse hook sees every call"
        ],
    );
    check(
        &[],
        Some(PermissionMode::BypassPermissions),
        expect![
            "can_use_tool is not asked about anything in the permission mode bypassPermissions; a PreToolUse hook sees every call"
        ],
    );
    check(
        &["Read"],
        Some(PermissionMode::AcceptEdits),
        expect![
            "can_use_tool is not asked about edits in the permission mode acceptEdits, nor about what allowed_tools allows (Read); a PreToolUse hook sees every call"
        ],
    );
    check(
        &[],
        Some(PermissionMode::DontAsk),
        expect![
            "can_use_tool is not asked about anything in the permission mode dontAsk, which refuses instead; a PreToolUse hook sees every call"
        ],
    );
    check(
        &[],
        Some(PermissionMode::Auto),
        expect![
            "can_use_tool is not asked about what the classifier decides in the permission mode auto; a PreToolUse hook sees every call"
        ],
    );
}
