//! The permission rules of a session, and the folders that it may work in.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::command;
use super::json::{list, str};
use super::subject::{Subject, domain};
use crate::agent::permission::is_too_wide;

/// The tool that starts a subagent.
pub(super) const AGENT: &str = "Agent";

/// Its older name.
pub(super) const TASK: &str = "Task";

/// Where rules of the options are from.
const FLAGS: &str = "cliArg";
const SETTINGS: &str = "flagSettings";

/// Where rules are from, in the order in which they are listed.
const SOURCES: [&str; 6] =
    ["userSettings", "projectSettings", "localSettings", SETTINGS, FLAGS, "session"];

/// The rules of the options, and those that answers to permission requests have added.
#[derive(Default)]
pub(super) struct Rules {
    allow: Vec<Entry>,
    deny: Vec<Entry>,
    ask: Vec<Entry>,
    /// The folders beside the working folder.
    folders: Vec<Entry>,
}

/// A rule or a folder.
#[derive(PartialEq)]
struct Entry {
    text: String,
    source: String,
}

impl Rules {
    /// Those of the flags, and those of the `permissions` of settings.
    pub(super) fn new(
        allow: &[String],
        deny: &[String],
        folders: &[String],
        permissions: &Value,
    ) -> Self {
        let and = |flags: &[String], name: &str| {
            let set = list(&permissions[name]).filter_map(Value::as_str);
            let set = set.map(|text| Entry::new(text, SETTINGS));
            flags.iter().map(|text| Entry::new(text, FLAGS)).chain(set).collect()
        };
        Self {
            allow: and(allow, "allow"),
            deny: and(deny, "deny"),
            ask: and(&[], "ask"),
            folders: and(folders, "additionalDirectories"),
        }
    }

    /// Where the rule comes from that allows a call, and its kind, if there is one.
    pub(super) fn allow(&self, call: &Subject<'_>) -> Option<(&'static str, &'static str)> {
        let allows = |rule: &&Entry| !is_too_wide(&rule.text) && rule.is_about(call);
        let rule = self.allow.iter().find(allows)?;
        let kind = rule.kind(call.input);
        let source = match &*rule.source {
            _ if kind != "rule" => "config",
            FLAGS | SETTINGS => "config",
            "session" => "user_temporary",
            _ => "user_permanent",
        };
        Some((source, kind))
    }

    /// Where the rule comes from that says to ask for a call, if there is one.
    pub(super) fn ask_for(&self, call: &Subject<'_>) -> Option<String> {
        let rule = self.ask.iter().find(|rule| rule.is_about(call))?;
        Some(rule.source.clone())
    }

    /// Whether a rule hides the tool from the model.
    pub(super) fn hide(&self, name: &str) -> bool {
        self.deny.iter().any(|rule| fits(&rule.text, name))
    }

    /// The kind of the rule that forbids a call, if there is one.
    pub(super) fn deny(&self, call: &Subject<'_>) -> Option<&'static str> {
        Some(self.deny.iter().find(|rule| rule.is_about(call))?.kind(call.input))
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folders.iter().map(|folder| &*folder.text)
    }

    /// Applies an entry of `updatedPermissions`.
    pub(super) fn update(&mut self, update: &Value) {
        let (known, texts): (_, Vec<_>) = match update["type"].as_str() {
            Some("addDirectories" | "removeDirectories") => {
                let folders = list(&update["directories"]).filter_map(Value::as_str);
                (&mut self.folders, folders.map(str::to_owned).collect())
            }
            _ => {
                let known = match update["behavior"].as_str() {
                    Some("allow") => &mut self.allow,
                    Some("deny") => &mut self.deny,
                    Some("ask") => &mut self.ask,
                    _ => return,
                };
                (known, list(&update["rules"]).map(written).collect())
            }
        };
        let source = str(&update["destination"]);
        let new: Vec<_> = texts.iter().map(|text| Entry::new(text, source)).collect();
        match update["type"].as_str() {
            Some("removeRules" | "removeDirectories") => known.retain(|it| !new.contains(it)),
            Some("replaceRules") => {
                known.retain(|rule| rule.source != source);
                known.extend(new);
            }
            Some("addRules" | "addDirectories") => known.extend(new),
            _ => {}
        }
    }

    /// The rules as the answer to `list_permission_rules` has them.
    pub(super) fn report(&self) -> Vec<Value> {
        let all = [("allow", &self.allow), ("ask", &self.ask), ("deny", &self.deny)];
        let all = all.into_iter().flat_map(|(behavior, rules)| {
            SOURCES.iter().flat_map(move |source| {
                let rules = rules.iter().filter(move |rule| rule.source == *source);
                rules.map(move |rule| rule.report(behavior))
            })
        });
        all.collect()
    }

    /// The folders as the answer to `list_permission_rules` has them.
    pub(super) fn report_folders(&self) -> Vec<Value> {
        let report = |it: &Entry| json!({"path": it.text, "source": it.source});
        self.folders.iter().map(report).collect()
    }
}

impl Entry {
    fn new(text: &str, source: &str) -> Self {
        Self { text: text.to_owned(), source: source.to_owned() }
    }

    /// Whether it is about the tool, or about this call of it.
    fn is_about(&self, call: &Subject<'_>) -> bool {
        let Subject { tool, input, read } = call;
        let is_about = |(named, content): (&str, &str)| match (named, *tool) {
            ("Bash", "Bash") => command::fits(content, str(&input["command"])),
            ("WebFetch", "WebFetch") => domain(str(&input["url"])).as_deref() == Some(content),
            ("Read", _) => {
                let folder = content.strip_prefix('/').and_then(|it| it.strip_suffix("/**"));
                let is_in = |path: &PathBuf| folder.is_some_and(|it| path.starts_with(it));
                read.as_ref().is_some_and(is_in)
            }
            _ => false,
        };
        fits(&self.text, tool) || content(&self.text).is_some_and(is_about)
    }

    /// The kind of reason that it is for a call.
    fn kind(&self, input: &Value) -> &'static str {
        match content(&self.text) {
            Some(("Bash", content)) if !command::is_whole(content, str(&input["command"])) => {
                "subcommandResults"
            }
            _ => "rule",
        }
    }

    fn report(&self, behavior: &str) -> Value {
        let editability = match &*self.source {
            FLAGS | "session" => "session",
            SETTINGS => "readonly",
            _ => "persistent",
        };
        let mut report = json!({
            "behavior": behavior, "source": self.source, "rule": self.text,
            "editability": editability,
        });
        let told = match (&*self.text, content(&self.text)) {
            ("Bash", _) => Some(json!({"prefix": "Any Bash command"})),
            (_, Some(("Bash", content))) => Some(match command::beginning(content) {
                Some(start) => {
                    json!({"prefix": "Any Bash command starting with ", "emphasis": start})
                }
                None => json!({"prefix": "The Bash command ", "emphasis": content}),
            }),
            (_, Some(_)) => None,
            (tool, None) => {
                Some(json!({"prefix": "Any use of the ", "emphasis": tool, "suffix": " tool"}))
            }
        };
        if let Some(told) = told {
            report["description"] = told;
        }
        report
    }
}

/// A rule of an update as it is written elsewhere: `Bash(git commit *)`.
fn written(rule: &Value) -> String {
    let tool = str(&rule["toolName"]);
    match rule["ruleContent"].as_str() {
        Some(content) => format!("{tool}({content})"),
        None => tool.to_owned(),
    }
}

/// The tool and the content of a rule about some of its calls.
fn content(rule: &str) -> Option<(&str, &str)> {
    rule.strip_suffix(')')?.split_once('(')
}

/// A rule is a tool's name, a server (`mcp__calc`), or one of these with `*` at its end.
pub(super) fn fits(rule: &str, name: &str) -> bool {
    let (rule, name) = (canonical(rule), canonical(name));
    match rule.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => match name.strip_prefix(rule) {
            Some("") => true,
            Some(rest) => rule.starts_with("mcp__") && rest.starts_with("__"),
            None => false,
        },
    }
}

/// The name that a tool had before.
pub(super) fn older(tool: &str) -> &str {
    if tool == AGENT { TASK } else { tool }
}

/// The name that a tool has now.
pub(super) fn canonical(tool: &str) -> &str {
    if tool == TASK { AGENT } else { tool }
}
