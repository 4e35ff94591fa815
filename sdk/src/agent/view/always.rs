//! What "always" allows, for people.

use crate::agent::permission::{
    PermissionBehavior, PermissionRequest, PermissionRuleValue, PermissionUpdate,
};

/// What [`PermissionRequest::allow_for_session`] allows beside the call; `None` if that is nothing.
pub(super) fn always(request: &PermissionRequest) -> Option<String> {
    let updates = request.suggestions.iter().filter_map(update);
    request.can_allow_for_session().then(|| updates.collect::<Vec<_>>().join("; "))
}

/// `None` for an update of an unknown kind, which is left out.
fn update(update: &PermissionUpdate) -> Option<String> {
    use PermissionUpdate as Update;

    Some(match update {
        Update::AddRules { rules, behavior, .. } => format!("{}{}", word(behavior), all(rules)),
        Update::ReplaceRules { rules, behavior, .. } => {
            format!("{}only {}", word(behavior), all(rules))
        }
        Update::RemoveRules { rules, behavior, .. } => {
            format!("{}no longer {}", word(behavior), all(rules))
        }
        Update::SetMode { mode, .. } => format!("the permission mode {mode}"),
        Update::AddDirectories { directories, .. } => {
            format!("the folder {}", directories.join(", "))
        }
        Update::RemoveDirectories { directories, .. } => {
            format!("no longer the folder {}", directories.join(", "))
        }
        Update::Other(_) => return None,
    })
}

/// Most rules allow.
fn word(behavior: &PermissionBehavior) -> String {
    match behavior {
        PermissionBehavior::Allow => String::new(),
        other => format!("{other} "),
    }
}

fn all(rules: &[PermissionRuleValue]) -> String {
    let rule = |rule: &PermissionRuleValue| match &rule.rule_content {
        Some(content) => format!("{}({content})", rule.tool_name),
        None => rule.tool_name.clone(),
    };
    rules.iter().map(rule).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
