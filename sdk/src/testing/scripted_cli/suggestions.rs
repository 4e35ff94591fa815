//! What the CLI says of a call that it asks about, and suggests so that it need not ask again.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::cli::Cli;
use super::command;
use super::json::{merge, str};
use super::subject::{domain, edited, read};

const OUTSIDE: &str = "Path is outside allowed working directories";

impl Cli {
    /// The updates that it suggests to answer with.
    pub(super) fn suggestions(&self, tool: &str, input: &Value) -> Value {
        let elsewhere = |path: &Path| {
            let full = self.full(path);
            let folder = full.parent().unwrap_or(&full).to_string_lossy();
            json!({"type": "addDirectories", "directories": [folder], "destination": "session"})
        };
        let mode = json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"});
        let mode = (self.mode_of_speaker() != "acceptEdits").then_some(mode);
        if let Some(path) = edited(tool, input) {
            let folder = (!self.is_here(path)).then(|| elsewhere(path));
            return mode.into_iter().chain(folder).collect();
        }
        if let Some(path) = read(tool, input).filter(|path| !self.is_here(path)) {
            let path = self.full(&path);
            let folder = if tool == "Grep" { Some(&*path) } else { path.parent() };
            let content = format!("/{}/**", folder.unwrap_or(&path).display());
            return json!([rule("Read", Some(&content), "session")]);
        }
        match tool {
            "Bash" => {
                let command = str(&input["command"]);
                let content = command::suggested(command);
                let changed = command::changed(command);
                let folder = changed.iter().map(|paths| elsewhere(Path::new(&paths[0])));
                let first = rule(tool, Some(&content), "localSettings");
                let mode = mode.filter(|_| changed.is_some());
                [first].into_iter().chain(folder).chain(mode).collect()
            }
            "WebFetch" => {
                json!([rule(tool, domain(str(&input["url"])).as_deref(), "localSettings")])
            }
            _ => json!([rule(tool, None, "localSettings")]),
        }
    }

    /// Adds what the CLI says of a call to built-in tools.
    pub(super) fn describe(&self, tool: &str, input: &Value, request: &mut Value) {
        let path = edited(tool, input).map(PathBuf::from).or_else(|| read(tool, input));
        let told = match tool {
            "Bash" => str(input.get("description").unwrap_or(&input["command"])).to_owned(),
            "Glob" | "Grep" => str(&input["pattern"]).to_owned(),
            "WebFetch" => str(&input["url"]).to_owned(),
            "WebSearch" => str(&input["query"]).to_owned(),
            _ => path.as_deref().map(|path| self.shown(path)).unwrap_or_default(),
        };
        if !told.is_empty() {
            request["description"] = told.into();
        }
        if request.get("decision_reason_type").is_some() {
            return;
        }
        let (reason, kind) = match path {
            Some(path) if !self.is_here(&path) => (OUTSIDE, "workingDir"),
            None if tool == "Bash" => match command::changed(str(&input["command"])) {
                Some(paths) => {
                    request["blocked_path"] =
                        self.full(Path::new(&paths[0])).to_string_lossy().into();
                    return;
                }
                None => ("This command requires approval", "other"),
            },
            _ => return,
        };
        merge(request, json!({"decision_reason": reason, "decision_reason_type": kind}));
    }

    /// A path as people are shown it.
    fn shown(&self, path: &Path) -> String {
        let full = self.full(path);
        let short = full.strip_prefix(self.full(Path::new(""))).unwrap_or(&full);
        short.to_string_lossy().into_owned()
    }
}

fn rule(tool: &str, content: Option<&str>, destination: &str) -> Value {
    let mut rule = json!({"toolName": tool});
    if let Some(content) = content {
        rule["ruleContent"] = content.into();
    }
    json!({
        "type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination,
    })
}
