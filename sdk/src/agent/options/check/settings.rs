//! Checks of settings, skills, and flags and fields without a setter.

use std::collections::HashSet;

use super::complaints::Complaints;
use crate::agent::options::AgentOptions;
use crate::agent::options::settings::{Settings, Skills};

/// Flags with the same meaning: the alias and the flag that stands for both.
const ALIASES: [(&str, &str); 5] = [
    ("allowed-tools", "allowedTools"),
    ("append-system-prompt-file", "append-system-prompt"),
    ("dangerously-skip-permissions", "permission-mode"),
    ("disallowed-tools", "disallowedTools"),
    ("system-prompt-file", "system-prompt"),
];
/// Fields of the `initialize` request with the same meaning as a flag.
const BY_ARGUMENT: [(&str, &str); 9] = [
    ("appendSystemPrompt", "append-system-prompt"),
    ("disallowedTools", "disallowedTools"),
    ("jsonSchema", "json-schema"),
    ("managedSettings", "managed-settings"),
    ("mcpServers", "mcp-config"),
    ("plugins", "plugin-dir"),
    ("sdkMcpServers", "mcp-config"),
    ("settings", "settings"),
    ("systemPrompt", "system-prompt"),
];
/// Flags that would turn the CLI into another program than the one that is needed here.
const REFUSED: [&str; 4] = ["help", "print", "sdk-url", "version"];

pub(super) fn check(options: &AgentOptions, complaints: &mut Complaints) {
    let settings = &options.settings;
    match &settings.settings {
        Some(Settings::Json(json)) => {
            complaints.when(!json.is_object(), "settings: they are a JSON object")
        }
        Some(Settings::File(path)) => {
            complaints.when(path.as_os_str().is_empty(), "settings: the path is empty");
            let has_zero = path.as_os_str().as_encoded_bytes().contains(&0);
            complaints.when(has_zero, "settings: the path has a zero byte");
        }
        None => {}
    }
    let is_wrong = settings.sandbox.as_ref().is_some_and(|sandbox| !sandbox.is_object());
    complaints.when(is_wrong, "sandbox: it is a JSON object");
    let is_wrong = settings.managed.as_ref().is_some_and(|managed| !managed.is_object());
    complaints.when(is_wrong, "managed_settings: they are a JSON object");
    if let Some(Skills::Named(names)) = &settings.skills {
        for name in names.iter().filter(|name| !is_skill(name)) {
            complaints.add(format!("skills: {name:?} is no name of a skill"));
        }
    }
    check_extra_args(options, complaints);
    check_initialize_fields(options, complaints);
}

/// The rule of the official SDKs: the name becomes part of a permission rule, in which these
/// characters have a meaning.
fn is_skill(name: &str) -> bool {
    let has_meaning = |c: char| c.is_control() || matches!(c, '(' | ')' | ',' | '\u{feff}');
    !(name.is_empty()
        || name.trim() != name
        || name == "*"
        || name.starts_with('/')
        || name.ends_with(":*")
        || name.ends_with(" *")
        || name.contains("\\\\")
        || name.ends_with('\\')
        || name.contains(has_meaning))
}

fn check_extra_args(options: &AgentOptions, complaints: &mut Complaints) {
    let mut own = options.clone();
    own.settings.extra_args.clear();
    let mut own: HashSet<String> =
        own.args().iter().map(|arg| canonical(arg.flag()).to_owned()).collect();
    // A long one is no argument.
    own.extend(options.model.json_schema.as_ref().map(|_| "json-schema".to_owned()));
    for (name, value) in &options.settings.extra_args {
        if !is_flag(name) {
            complaints.add(format!(
                "extra_arg: {name:?} is no name of a flag; it is written without its dashes"
            ));
        } else if REFUSED.contains(&name.as_str()) {
            complaints.add(format!("extra_arg: with --{name} this would be no conversation"));
        } else if own.contains(canonical(name)) {
            complaints.add(format!("extra_arg: --{name} is set already"));
        }
        if value.as_ref().is_some_and(|value| value.contains('\0')) {
            complaints.add(format!("extra_arg: the value of --{name} has a zero byte"));
        }
    }
}

/// The flag that stands for all aliases.
fn canonical(flag: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == flag).map_or(flag, |(_, canonical)| canonical)
}

fn is_flag(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_part)
}

fn check_initialize_fields(options: &AgentOptions, complaints: &mut Complaints) {
    let mut own = options.clone();
    own.settings.initialize_fields.clear();
    let body = own.initialize();
    let mut seen: HashSet<&str> =
        body.as_object().into_iter().flat_map(|body| body.keys()).map(String::as_str).collect();
    seen.insert("subtype");
    let args = own.args();
    let is_argument = |flag: &str| args.iter().any(|arg| canonical(arg.flag()) == flag);
    seen.extend(BY_ARGUMENT.iter().filter(|(_, flag)| is_argument(flag)).map(|(field, _)| field));
    for (name, _) in &options.settings.initialize_fields {
        if name.is_empty() {
            complaints.add("initialize_field: one has no name");
        } else if !seen.insert(name) {
            complaints.add(format!("initialize_field: {name:?} is set already"));
        }
    }
}
