//! What somebody types, as the answer to a question.

use crate::agent::permission::{
    Permission, PermissionRequest, PermissionUpdate, PermissionUpdateDestination,
};

/// What the question ends with.
pub(super) fn choices(request: &PermissionRequest) -> &'static str {
    match always(request).is_empty() {
        true => "[y]es, [N]o, or what to do instead: ",
        false => "[y]es, [a]lways in this session, [N]o, or what to do instead: ",
    }
}

/// The answer that a line is; `None` is the end of the input.
pub(super) fn reply(line: Option<&str>, request: &PermissionRequest) -> Permission {
    if request.requires_user_interaction {
        return Permission::deny("this terminal cannot show the question: ask it as text");
    }
    let Some(line) = line.map(str::trim) else {
        return Permission::deny("nobody is at the terminal");
    };
    match line.to_lowercase().as_str() {
        "y" | "yes" => Permission::allow(),
        "a" | "always" => match always(request) {
            updates if updates.is_empty() => Permission::deny("the user does not want this"),
            updates => Permission::allow().with_updates(updates),
        },
        "" | "n" | "no" => Permission::deny("the user does not want this"),
        _ => Permission::deny(format!("the user does not want this, but says: {line}")),
    }
}

/// What keeps the same from being asked again in this session.
fn always(request: &PermissionRequest) -> Vec<PermissionUpdate> {
    let suggestions = request.suggestions.iter().filter(|_| !request.suppress_always_allow_rule);
    suggestions
        .map(|update| update.clone().destination(PermissionUpdateDestination::Session))
        .collect()
}
