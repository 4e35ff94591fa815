//! The rules for names, texts and hints.

use super::finding::Findings;
use super::rule::Rule;
use crate::mcp::places::Places;
use crate::mcp::tool::Tool;
use crate::mcp::words::{full_name, has_only};

/// In characters. Claude Code 2.1.328 cuts texts at 4,096, versions before it at this number.
const LONGEST_TEXT: usize = 2048;
/// Of a tool's name, in characters.
const LONGEST_NAME: usize = 40;
/// Of a tool's name as model APIs get it, in characters.
const LONGEST_PREFIXED: usize = 64;

pub(super) fn server_name(name: &str, findings: &mut Findings) {
    if name.is_empty() || !has_only(name, b"_-") {
        let advice = format!(
            "use only A-Z, a-z, 0-9, `_` and `-` in the name: `claude mcp add` refuses `{name}`"
        );
        findings.add("/name", Rule::ServerName, advice);
    }
}

pub(super) fn instructions(instructions: Option<&str>, findings: &mut Findings) {
    let length = instructions.map_or(0, |text| text.chars().count());
    if length > LONGEST_TEXT {
        let advice = format!("say it in {LONGEST_TEXT} characters, or what follows may be cut");
        findings.add("/instructions", Rule::LongInstructions, advice);
    }
}

pub(super) fn names(server: &str, tool: &Tool, findings: &mut Findings) {
    let name = tool.name();
    let mut add = |rule, advice: String| findings.add("/name", rule, advice);
    if !has_only(name, b"_-") {
        add(Rule::ToolName, "use only A-Z, a-z, 0-9, `_` and `-` in the name".into());
    }
    let prefixed = full_name(server, name);
    if prefixed.len() > LONGEST_PREFIXED {
        add(
            Rule::PrefixedName,
            format!(
                "shorten the name of the tool or of the server: `{prefixed}` has {} characters, \
                 and model APIs take {LONGEST_PREFIXED}",
                prefixed.len()
            ),
        );
    } else if name.len() > LONGEST_NAME {
        let advice =
            format!("shorten the name to {LONGEST_NAME} characters; it has {}", name.len());
        add(Rule::NameLength, advice);
    }
}

/// `before` has the places of the tools before this one, by their names without what readers
/// overlook.
pub(super) fn similar(tools: &[Tool], at: usize, before: &mut Places<'_>, findings: &mut Findings) {
    let name = plain(tools[at].name());
    match before.get(&name) {
        Some(other) => {
            let other = tools[other].name();
            let advice = format!("`{other}` differs by case or punctuation only: rename one");
            findings.add("/name", Rule::SimilarNames, advice);
        }
        None => {
            before.set(name.into(), at);
        }
    }
}

pub(super) fn words(tool: &Tool, findings: &mut Findings) {
    let mut add = |rule, advice: &str| findings.add("/description", rule, advice);
    match tool.description().chars().count() {
        0 => add(Rule::NoDescription, "say what the tool does, in its doc comment"),
        1..=LONGEST_TEXT => {}
        _ => add(
            Rule::LongDescription,
            &format!("say it in {LONGEST_TEXT} characters, or what follows may be cut"),
        ),
    }
}

pub(super) fn hints(tool: &Tool, findings: &mut Findings) {
    let hints = tool.annotations();
    let mut add = |rule, advice: &str| findings.add("/annotations", rule, advice);
    match (hints.read_only_hint, hints.destructive_hint) {
        (None, None) => add(
            Rule::NoHints,
            "say `read_only`, `read_only = false` or `destructive = false`: by default clients \
             expect a tool to destroy data",
        ),
        (Some(true), Some(true)) => {
            add(Rule::ContradictingHints, "a tool that only reads destroys nothing: drop one hint")
        }
        _ => {}
    }
    let is_bounded = tool.timeout().is_some() || tool.task().is_some();
    if hints.open_world_hint == Some(true) && !is_bounded {
        add(Rule::NoTimeout, "set a timeout, for the outside world may not answer");
    }
}

/// A name without what readers easily overlook.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for letter in name.chars() {
        if !matches!(letter, '-' | '_' | '.') {
            plain.push(letter.to_ascii_lowercase());
        }
    }
    plain
}
