//! Warnings about valid options.

use super::AgentOptions;
use super::server::{Kind, McpServer};
use crate::agent::hook::{Hook, names_in};
use crate::agent::permission::{is_too_wide, shadowed_by};
use crate::mcp::tool::Tool;
use crate::mcp::words::{full_name, has_only};

/// What the names of the CLI's own servers begin with, alone or before `__`. It leaves out others
/// that are called so, unless they are in this process.
const KEPT: [&str; 13] = [
    "Claude_Browser",
    "Claude_Preview",
    "Claude_in_Chrome",
    "ccr-email",
    "claude-code-remote",
    "claude-device",
    "claude-in-chrome",
    "claude_ai",
    "computer-use",
    "hearthbot",
    "remote-devices",
    "webagent",
    "workspace",
];

impl AgentOptions {
    /// Valid options that may not have the intended effect: a permission callback that is never
    /// asked, a rule or a hook for a tool that does not exist. The client logs them when it
    /// connects.
    pub fn warnings(&self) -> Vec<String> {
        let (ignored, rules): (Vec<_>, Vec<_>) =
            self.allowed_rules().into_iter().partition(|rule| is_too_wide(rule));
        let asks = self.tools.can_use_tool.is_some();
        let mut warnings = Vec::new();
        // Who allows a whole registry means that nobody is asked about its tools.
        let is_meant = |rule: &&String| self.tools.allowed_registries.contains(rule);
        let others: Vec<_> = rules.iter().filter(|rule| !is_meant(rule)).cloned().collect();
        warnings.extend(shadowed_by(&others, self.tools.permission_mode.as_ref()).filter(|_| asks));
        for rule in ignored {
            warnings.push(format!(
                "allowed_tools has {rule}, and the CLI ignores a rule with `*` in the name of a \
                 server or of a built-in tool"
            ));
        }
        for (list, rules) in
            [("allowed_tools", &rules), ("disallowed_tools", &self.tools.disallowed)]
        {
            warnings.extend(rules.iter().filter_map(|rule| self.unknown_tool(list, rule)));
        }
        for rule in rules.iter().filter(|rule| self.tools.disallowed.contains(rule)) {
            warnings.push(format!(
                "allowed_tools has {rule}, and disallowed_tools has it too and comes first"
            ));
        }
        for matcher in self.tools.hooks.0.iter().filter_map(|hook| hook.matcher.as_deref()) {
            if is_like_a_rule(matcher) {
                warnings.push(format!(
                    "the matcher {matcher} of a hook is no permission rule: it is a regular \
                     expression, which fits no tool"
                ));
            }
        }
        let matchers = self.tools.hooks.0.iter().filter_map(Hook::tools);
        for name in matchers.filter_map(names_in).flatten() {
            let list = "the matcher of a hook";
            warnings.extend(self.server_alone(name).or_else(|| self.unknown_tool(list, name)));
        }
        // The CLI reads `mcp__a__b__c` as the tool `b__c` of the server `a`.
        for name in
            self.tools.servers.iter().map(McpServer::name).filter(|name| name.contains("__"))
        {
            warnings.push(format!(
                "the name of the MCP server {name} has `__`, which also separates a server's name \
                 from a tool's in rules"
            ));
        }
        let elsewhere = |server: &&McpServer| !matches!(server.kind, Kind::InProcess(_));
        for name in self.tools.servers.iter().filter(elsewhere).map(McpServer::name) {
            if name.split("__").next().is_some_and(|first| KEPT.contains(&first)) {
                warnings.push(format!(
                    "the CLI keeps the name {name} for a server of its own, and leaves this MCP \
                     server out"
                ));
            }
        }
        warnings
    }

    /// Reports a rule of this list, or a name, for a tool that its registry does not have, or that
    /// Claude knows by another name.
    fn unknown_tool(&self, list: &str, rule: &str) -> Option<String> {
        let named = self.tools.registries().filter(|(name, _)| tool_of(rule, name).is_some());
        let Some((name, registry)) = named.max_by_key(|(name, _)| name.len()) else {
            return self.tool_without_server(list, rule);
        };
        let tool = tool_of(rule, name)?.split('(').next()?;
        let of_that_name = registry.get(tool);
        let fits = |known: &Tool| Some(tool) == tool_of(&full_name(name, known.name()), name);
        // Mostly the tool of that name is the one, and the others need no look.
        if tool.contains('*')
            || of_that_name.as_ref().is_some_and(fits)
            || registry.tools().iter().any(fits)
        {
            return None;
        }
        Some(match of_that_name {
            Some(_) => known_as(list, rule, name, tool),
            None => format!("{list} has {rule}, and the registry {name} has no tool {tool} yet"),
        })
    }

    /// Reports the name that a tool has in its registry. Names with a capital letter are those of
    /// built-in tools.
    fn tool_without_server(&self, list: &str, rule: &str) -> Option<String> {
        let tool = rule.split('(').next()?;
        let is_known = tool.starts_with(|first: char| first.is_ascii_uppercase())
            || tool.starts_with("mcp__")
            || self.tools.aliases.iter().any(|(alias, _)| alias == tool);
        let mut registries = self.tools.registries();
        let (name, _) =
            registries.find(|(_, registry)| !is_known && registry.get(tool).is_some())?;
        Some(known_as(list, rule, name, tool))
    }

    /// Reports the name of a server in a matcher. In a rule it stands for all of its tools.
    fn server_alone(&self, name: &str) -> Option<String> {
        let server = name.strip_prefix("mcp__")?;
        let server = server.strip_suffix("__").unwrap_or(server);
        // `mcp__a__b` may also be the tool `b` of the server `a`.
        let is_server = |known: &McpServer| known.name() == server && !known.name().contains("__");
        self.tools.servers.iter().any(is_server).then(|| {
            format!(
                "the matcher of a hook has {name}, which is no tool; the server's are \
                 mcp__{server}__.*"
            )
        })
    }
}

fn known_as(list: &str, rule: &str, server: &str, tool: &str) -> String {
    format!("{list} has {rule}, and Claude knows that tool as {}", full_name(server, tool))
}

fn tool_of<'a>(rule: &'a str, server: &str) -> Option<&'a str> {
    rule.strip_prefix("mcp__")?.strip_prefix(server)?.strip_prefix("__")
}

/// Whether a matcher is meant to tell calls of a tool apart, such as `Bash(git *)`.
fn is_like_a_rule(matcher: &str) -> bool {
    let parts = matcher.strip_suffix(')').and_then(|matcher| matcher.split_once('('));
    parts.is_some_and(|(tool, calls)| {
        let is_tool = !tool.is_empty() && has_only(tool, b"_");
        is_tool && !calls.contains(['?', '|']) && calls.contains([' ', '/', ':'])
    })
}
