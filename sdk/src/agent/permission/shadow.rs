//! Options that keep a permission callback from being asked.

use super::mode::PermissionMode;

/// A warning about what is decided before the callback is asked; `None` if nothing is.
pub(crate) fn shadowed_by(
    allowed_tools: &[String],
    mode: Option<&PermissionMode>,
) -> Option<String> {
    let by_mode = match mode {
        Some(PermissionMode::BypassPermissions) => {
            "anything in the permission mode bypassPermissions"
        }
        Some(PermissionMode::DontAsk) => {
            "anything in the permission mode dontAsk, which refuses instead"
        }
        Some(PermissionMode::AcceptEdits) => "edits in the permission mode acceptEdits",
        Some(PermissionMode::Auto) => "what the classifier decides in the permission mode auto",
        _ => "",
    };
    let by_rules = match allowed_tools.is_empty() {
        true => String::new(),
        false => format!("what allowed_tools allows ({})", allowed_tools.join(", ")),
    };
    let reasons = [by_mode, &by_rules].into_iter().filter(|reason| !reason.is_empty());
    let reasons: Vec<_> = reasons.map(|reason| format!("about {reason}")).collect();
    let reasons = reasons.join(", nor ");
    (!reasons.is_empty())
        .then(|| format!("can_use_tool is not asked {reasons}; a PreToolUse hook sees every call"))
}

/// Whether a rule that allows has a `*` in the name of a server or of a built-in tool. The CLI
/// ignores such a rule; one that denies counts.
pub(crate) fn is_too_wide(rule: &str) -> bool {
    let tool = rule.split('(').next().unwrap_or_default();
    let server = tool.strip_prefix("mcp__").and_then(|tool| tool.split_once("__"));
    server.map_or(tool, |(server, _)| server).contains('*')
}
