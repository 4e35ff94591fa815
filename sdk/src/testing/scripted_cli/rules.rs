//! The permission rules of a session, and the folders that it may work in.

use super::json::list;
use crate::agent::permission::is_too_wide;
use serde_json::Value;

/// The tool that starts a subagent.
pub(super) const AGENT: &str = "Agent";

/// Its older name.
pub(super) const TASK: &str = "Task";

/// The rules of the options, and those that answers to permission requests have added.
#[derive(Default)]
pub(super) struct Rules {
    allow: Vec<String>,
    deny: Vec<String>,
    ask: Vec<String>,
    /// Those that an answer has allowed, and whether for this session only.
    answered: Vec<(String, bool)>,
    /// The folders beside the working folder.
    pub(super) folders: Vec<String>,
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
            let set = list(&permissions[name]).filter_map(|it| it.as_str().map(str::to_owned));
            flags.iter().cloned().chain(set).collect()
        };
        Self {
            allow: and(allow, "allow"),
            deny: and(deny, "deny"),
            ask: and(&[], "ask"),
            folders: and(folders, "additionalDirectories"),
            ..Self::default()
        }
    }

    /// Where the rule comes from that allows a tool, if there is one.
    pub(super) fn allow(&self, name: &str) -> Option<&'static str> {
        let answered = |rule: &&String| self.answered.iter().find(|(known, _)| known == *rule);
        let rule = self.allow.iter().find(|rule| !is_too_wide(rule) && fits(rule, name))?;
        Some(match answered(&rule) {
            None => "config",
            Some((_, true)) => "user_temporary",
            Some((_, false)) => "user_permanent",
        })
    }

    pub(super) fn ask_for(&self, name: &str) -> bool {
        fit(&self.ask, name)
    }

    /// Whether a rule hides the tool from the model.
    pub(super) fn hide(&self, name: &str) -> bool {
        fit(&self.deny, name)
    }

    /// Applies an entry of `updatedPermissions`, whatever its destination.
    pub(super) fn update(&mut self, update: &Value) {
        let folders = list(&update["directories"]).filter_map(|it| it.as_str().map(str::to_owned));
        match update["type"].as_str() {
            Some("addDirectories") => self.folders.extend(folders),
            Some("removeDirectories") => {
                folders.for_each(|folder| self.folders.retain(|known| *known != folder))
            }
            _ => self.update_rules(update),
        }
    }

    fn update_rules(&mut self, update: &Value) {
        let known = match update["behavior"].as_str() {
            Some("allow") => &mut self.allow,
            Some("deny") => &mut self.deny,
            Some("ask") => &mut self.ask,
            _ => return,
        };
        let rules = list(&update["rules"]);
        // A rule about some calls of a tool does not apply to the tool.
        let rules = rules.filter(|rule| rule["ruleContent"].is_null());
        let names = rules.filter_map(|rule| rule["toolName"].as_str().map(str::to_owned));
        let rules: Vec<String> = names.collect();
        if update["behavior"] == "allow" {
            let is_temporary = update["destination"] == "session";
            self.answered.extend(rules.iter().map(|rule| (rule.clone(), is_temporary)));
        }
        match update["type"].as_str() {
            Some("addRules") => known.extend(rules),
            Some("replaceRules") => *known = rules,
            Some("removeRules") => known.retain(|rule| !rules.contains(rule)),
            _ => {}
        }
    }
}

/// A rule is a tool's name, a server (`mcp__calc`), or one of these with `*` at its end.
fn fit(rules: &[String], name: &str) -> bool {
    rules.iter().any(|rule| fits(rule, name))
}

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
