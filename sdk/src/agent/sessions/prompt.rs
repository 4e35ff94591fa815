//! The first prompt of a session that says what it is about.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::scan;

/// No more characters of it are shown.
const LONGEST: usize = 200;

/// What was found so far.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    Nothing,
    /// The name of a command, which stands for a session that has no other prompt.
    Command(String),
    Prompt(String),
}

/// The first prompt in the lines of a transcript, of which the last one may be cut.
pub(super) fn first_prompt(head: &str) -> Option<String> {
    let mut command = None;
    for line in head.split('\n').filter(|line| may_be_prompt(line)) {
        if serde_json::from_str::<&RawValue>(line).is_err() {
            continue;
        }
        match of(line) {
            Found::Prompt(prompt) => return Some(prompt),
            Found::Command(name) => drop(command.get_or_insert(name)),
            Found::Nothing => {}
        }
    }
    command
}

/// Decoding each line would cost more than all the rest of a list.
fn may_be_prompt(line: &str) -> bool {
    let has = |key: &str, value: &str| {
        line.contains(&format!("\"{key}\":{value}"))
            || line.contains(&format!("\"{key}\": {value}"))
    };
    has("type", "\"user\"")
        && !line.contains("\"tool_result\"")
        && !has("isMeta", "true")
        && !has("isCompactSummary", "true")
}

/// Whether a person has said what is in a line, and not the CLI in the person's name.
pub(super) fn is_said(line: &str) -> bool {
    let is_true = |name: &&str| scan::member(line, name) == Some("true");
    let is_of_program = || {
        let origin = scan::member(line, "origin");
        origin.is_some_and(|origin| scan::text(origin, "kind").as_deref() != Some("human"))
    };
    if scan::member(line, "type") != Some("\"user\"")
        || line.contains("\"tool_result\"")
        || ["isMeta", "isSidechain", "isCompactSummary"].iter().any(is_true)
        || is_of_program()
    {
        return false;
    }
    let content = content(line);
    // A command for the model. One for the CLI, such as `/model`, begins with its name.
    let is_command = || texts(&content).iter().any(|text| text.starts_with("<command-message>"));
    let is_file = |block: &Value| block["type"] == "image" || block["type"] == "document";
    matches!(of(line), Found::Prompt(_))
        || is_command()
        || content.as_array().is_some_and(|blocks| blocks.iter().any(is_file))
}

/// The prompt in a line, which is a JSON object.
pub(super) fn of(line: &str) -> Found {
    let mut found = Found::Nothing;
    if scan::member(line, "type") != Some("\"user\"") {
        return found;
    }
    for text in texts(&content(line)) {
        let text = text.replace('\n', " ");
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        if let Some(name) = command(text) {
            if !name.is_empty() && found == Found::Nothing {
                found = Found::Command(name.to_owned());
            }
        } else if !is_made_by_cli(text) {
            return Found::Prompt(shortened(text));
        }
    }
    found
}

/// The content of the message in a line.
fn content(line: &str) -> Value {
    let content =
        scan::member(line, "message").and_then(|message| scan::member(message, "content"));
    content.and_then(|content| serde_json::from_str(content).ok()).unwrap_or_default()
}

/// The texts of a message's content.
fn texts(content: &Value) -> Vec<&str> {
    match content {
        Value::String(text) => vec![text],
        Value::Array(blocks) => blocks
            .iter()
            .filter(|block| block["type"] == "text")
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => Vec::new(),
    }
}

fn command(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("<command-name>")?;
    rest.split_once("</command-name>").map(|(name, _)| name)
}

fn is_made_by_cli(text: &str) -> bool {
    let begins = |prefix| text.starts_with(prefix);
    let is_within = |name: &str| {
        let rest = text.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
        let rest = rest.and_then(|rest| rest.strip_prefix('>')?.strip_suffix('>'));
        rest.is_some_and(|rest| rest.ends_with(&format!("</{name}")))
    };
    ["<local-command-stdout>", "<session-start-hook>", "<tick>", "<goal>"].iter().any(begins)
        || text.strip_prefix("[Request interrupted by user").is_some_and(|rest| rest.contains(']'))
        || is_within("ide_opened_file")
        || is_within("ide_selection")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
