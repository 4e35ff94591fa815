//! Options that keep a permission callback from being asked.

use super::mode::PermissionMode;

/// A warning about what is decided before the callback is asked; `None` if nothing is.
pub(crate) fn shadowed_by<S: AsRef<str>>(
    allowed_tools: &[S],
    mode: Option<&PermissionMode>,
) -> Option<String> {
    let by_mode = match mode {
        Some(PermissionMode::BypassPermissions) => {
            Some("about anything in the permission mode bypassPermissions")
        }
        Some(PermissionMode::DontAsk) => {
            Some("about anything in the permission mode dontAsk, which refuses instead")
        }
        Some(PermissionMode::AcceptEdits) => Some("about edits in the permission mode acceptEdits"),
        Some(PermissionMode::Auto) => {
            Some("about what the classifier decides in the permission mode auto")
        }
        _ => None,
    };
    let rules: Vec<_> = allowed_tools.iter().map(AsRef::as_ref).collect();
    let by_rules = (!rules.is_empty())
        .then(|| format!("about what allowed_tools allows ({})", rules.join(", ")));
    let reasons: Vec<_> = by_mode.map(str::to_owned).into_iter().chain(by_rules).collect();
    (!reasons.is_empty()).then(|| {
        format!(
            "can_use_tool is not asked {}; a PreToolUse hook sees every call",
            reasons.join(", nor ")
        )
    })
}
