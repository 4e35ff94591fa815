//! Built-in tools: which of them are there, and what those return that talk to the user.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use super::cli::Cli;
use super::command;
use super::json::{list, str};
use super::rules::canonical;
use super::subject::{edited, read};

pub(super) const ASK: &str = "AskUserQuestion";
pub(super) const EXIT_PLAN: &str = "ExitPlanMode";

/// The tools that ask the user something, so that neither a rule nor a mode decides.
pub(super) const QUESTIONS: [&str; 2] = [ASK, EXIT_PLAN];

impl Cli {
    /// Whether a built-in tool may be there. The options may name all that are, and without a
    /// permission callback nobody answers questions.
    pub(super) fn may_offer(&self, tool: &str) -> bool {
        let fits = |named: &str| canonical(named) == canonical(tool);
        let is_named =
            |tools: &Vec<String>| tools.iter().any(|named| named == "default" || fits(named));
        self.setup.tools.as_ref().is_none_or(is_named)
            && (self.setup.asks || !QUESTIONS.contains(&tool))
    }

    /// Whether the mode `acceptEdits` allows it: it changes files in the session's folders.
    pub(super) fn edits_here(&self, tool: &str, input: &Value) -> bool {
        edited(tool, input).is_some_and(|path| self.is_here(path))
    }

    /// Whether it is a command that the mode `acceptEdits` allows.
    pub(super) fn moves_here(&self, tool: &str, input: &Value) -> bool {
        let changed = command::changed(str(&input["command"])).filter(|_| tool == "Bash");
        let cwd = self.full(Path::new(""));
        let may = |path: &String| {
            // The working folder itself and those around it are asked about.
            self.is_here(Path::new(path)) && !cwd.starts_with(self.full(Path::new(path)))
        };
        changed.is_some_and(|paths| paths.iter().all(may))
    }

    /// Whether this only reads, in one of the session's folders.
    pub(super) fn reads_here(&self, tool: &str, input: &Value) -> bool {
        read(tool, input).is_some_and(|path| self.is_here(&path))
    }

    /// Whether a path is in one of the session's folders.
    pub(super) fn is_here(&self, path: &Path) -> bool {
        let path = self.full(path);
        let is_in = |folder: &str| path.starts_with(self.full(Path::new(folder)));
        let folders: Vec<_> = self.state().rules.folders().map(str::to_owned).collect();
        is_in("") || folders.iter().any(|folder| is_in(folder))
    }

    /// A path from the root, without `.` and `..`.
    pub(super) fn full(&self, path: &Path) -> PathBuf {
        let cwd = self.cwd();
        let unnamed = self.setup.unnamed_cwd.as_deref().filter(|_| cwd == self.setup.cwd);
        plain(&unnamed.unwrap_or(Path::new(&cwd)).join(path))
    }

    /// What a built-in tool returns, in MCP's form; by the script it is `output`.
    pub(super) fn builtin_result(
        &self,
        tool: &str,
        input: &Value,
        output: Option<String>,
    ) -> Value {
        match tool {
            ASK => {
                let answers = input.get("answers").cloned().unwrap_or_else(|| json!({}));
                let own = json!({"questions": input["questions"], "answers": answers});
                json!({"content": answered(input), "own": own})
            }
            EXIT_PLAN => {
                self.set_mode("default");
                let told = "User has approved exiting plan mode. You can now proceed.";
                let own = json!({"plan": null, "isAgent": false, "filePath": ""});
                json!({"content": told, "own": own})
            }
            _ => json!({"content": output}),
        }
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// What the model is told of the user's answers.
fn answered(input: &Value) -> String {
    let mut are_expected = true;
    let mut told = Vec::new();
    for question in list(&input["questions"]) {
        let text = str(&question["question"]);
        let answer = match &input["answers"][text] {
            Value::Array(answers) => answers.iter().map(str).collect::<Vec<_>>().join(","),
            answer => str(answer).to_owned(),
        };
        if !answer.is_empty() {
            let is_label =
                |part: &str| list(&question["options"]).any(|option| option["label"] == part);
            // Several labels are one text.
            are_expected &= is_label(&answer) || answer.split(", ").all(is_label);
            told.push(format!("{text:?}={answer:?}"));
        }
    }
    let told = told.join(", ");
    match (told.is_empty(), are_expected) {
        (true, _) => "The user did not answer the questions.".to_owned(),
        (false, true) => format!(
            "Your questions have been answered: {told}. You can now continue with these answers \
             in mind."
        ),
        (false, false) => format!(
            "The user answered: {told}. Read the answers carefully — they may request \
             clarification, changes, or that you not proceed — and follow what they actually say."
        ),
    }
}
