//! The rules for prompts. Most follow from what Claude Code makes of a slash command: it splits the
//! words at spaces, and gives them to the arguments in order.

use serde_json::{Map, Value};

use super::finding::Findings;
use super::rule::Rule;
use crate::mcp::prompt::Prompt;
use crate::mcp::protocol::PromptArgument;
use crate::mcp::schema::is_standard_format;
use crate::mcp::schema::keyword::{has_type, text};
use crate::mcp::words::has_only;

pub(super) fn prompt(prompt: &Prompt, findings: &mut Findings) {
    if prompt.description().is_empty() {
        let advice = "say what the prompt is for, in its doc comment: users choose by it";
        findings.add("/description", Rule::PromptDescription, advice);
    }
    let arguments = prompt.arguments();
    for (at, argument) in arguments.iter().enumerate() {
        let pointer = format!("/arguments/{at}");
        let PromptArgument { name, required, .. } = argument;
        if !has_only(name, b"_-") {
            let advice =
                "use only A-Z, a-z, 0-9, `_` and `-`: clients show the name in the command";
            findings.add(&pointer, Rule::ArgumentName, advice);
        }
        if *required && arguments[..at].iter().any(|before| !before.required) {
            let advice = "put the arguments that may be omitted last: words are given to arguments \
                          in order, so this one cannot be given without those before it";
            findings.add(&pointer, Rule::ArgumentOrder, advice);
        }
        if at + 1 < arguments.len() && is_free_text(prompt, name) {
            let advice = "take an enum, a number, or what `complete` offers, or put the text last: \
                          each argument gets one word, so the rest of a text goes to those that \
                          follow";
            findings.add(&pointer, Rule::FreeText, advice);
        }
    }
}

/// True if users may write what they like, and so spaces, as far as the schema says.
fn is_free_text(prompt: &Prompt, argument: &str) -> bool {
    let schema = prompt.definition().callee.schema.as_ref();
    let schema = schema.and_then(|schema| schema.get("properties")?.get(argument)?.as_object());
    let has_form = |it: &Map<String, Value>| {
        it.contains_key("pattern")
            || it.get("maxLength").is_some_and(|most| *most == 1)
            || text(it, "format").is_some_and(is_standard_format)
    };
    let may_be_any = schema.is_some_and(|it| has_type(it, "string") && !has_form(it));
    may_be_any && prompt.completer(argument).is_none()
}
