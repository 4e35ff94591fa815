use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::permission::{Permission, PermissionRequest};

/// The tool that asks.
const TOOL: &str = "AskUserQuestion";

/// A question that the model asks the user by the tool `AskUserQuestion`. Any text may be the
/// answer; the options are proposals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct UserQuestion {
    /// The question, whole.
    pub question: String,
    /// A word or two that say what it is about.
    pub header: String,
    /// What to choose from.
    pub options: Vec<UserOption>,
    /// Whether several options may be chosen.
    #[serde(alias = "multiSelect")]
    pub multi_select: bool,
}

/// One of the options of a [`UserQuestion`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct UserOption {
    /// What is chosen.
    pub label: String,
    /// What that means.
    pub description: String,
    /// What it would look like, such as a piece of code.
    pub preview: Option<String>,
}

#[derive(Deserialize)]
struct Input {
    questions: Vec<UserQuestion>,
}

/// The questions of a request, if it is one for them: `Some` of none if they cannot be read.
pub(super) fn questions(request: &PermissionRequest) -> Option<Vec<UserQuestion>> {
    let is_asked = request.tool_name == TOOL;
    is_asked.then(|| request.input::<Input>().map_or_else(|_| Vec::new(), |input| input.questions))
}

/// Lets the tool give these answers, the text of each with the whole question, to the model.
pub(super) fn answered(request: &PermissionRequest, answers: Map<String, Value>) -> Permission {
    let mut input: Map<String, Value> = request.input().unwrap_or_default();
    input.insert("answers".into(), answers.into());
    Permission::allow().with_input(input)
}

impl UserQuestion {
    /// What somebody is asked to type.
    pub(super) fn prompt(&self) -> &'static str {
        match (self.options.is_empty(), self.multi_select) {
            (true, _) => "your answer: ",
            (false, false) => "a number, or an answer of your own: ",
            (false, true) => "numbers such as 1,2, or an answer of your own: ",
        }
    }

    /// The answer that a line is: options by their numbers, from 1, or a text. `None` if it is
    /// empty.
    pub(super) fn read(&self, line: &str) -> Option<String> {
        let line = line.trim();
        let option = |number: &str| {
            let index = number.parse::<usize>().ok()?.checked_sub(1)?;
            self.options.get(index).map(|option| option.label.as_str())
        };
        let numbers = line.split([',', ' ']).filter(|number| !number.is_empty());
        let chosen: Option<Vec<_>> = numbers.map(option).collect();
        match chosen {
            Some(labels) if labels.is_empty() => None,
            Some(labels) if labels.len() == 1 || self.multi_select => Some(labels.join(", ")),
            _ => Some(line.to_owned()),
        }
    }
}
