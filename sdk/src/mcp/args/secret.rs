//! Keeps the values of secret arguments out of messages.

use super::parameter::Parameter;
use crate::mcp::schema::{Problem, step};
use crate::mcp::words::split_first;

/// Leaves of the problems of secret arguments only what the schema and the arguments' names say.
pub(super) fn hide(parameters: &[Parameter], problems: &mut Vec<Problem>) {
    for parameter in parameters.iter().filter(|parameter| parameter.is_secret) {
        let pointer = step(parameter.name);
        for problem in &mut *problems {
            match problem.pointer.strip_prefix(&pointer) {
                Some("") => problem.text = hidden(&problem.text),
                // The names of its parts may be secret as well.
                Some(inside) if inside.starts_with('/') => {
                    problem.pointer.clone_from(&pointer);
                    problem.text = hidden("");
                }
                _ => {}
            }
        }
    }
    problems.dedup();
}

fn hidden(text: &str) -> String {
    match split_first(text, ", got ") {
        Some((expected, _)) if expected.starts_with("expected ") => {
            format!("{expected}, got a secret value, which is not shown")
        }
        None if text.starts_with("missing") || text == "given more than once" => text.to_owned(),
        _ => "the value is refused; it is secret, so it is not shown".to_owned(),
    }
}
