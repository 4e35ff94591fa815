//! The arguments that the CLI is started with, in the order of the official SDKs.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::AgentOptions;
use super::arg::{Arg, CROWDED, File, LONGEST, LONGEST_TOGETHER};
use super::prompt::Base;
use super::settings::Settings;
use super::thinking::Thinking;
use crate::agent::transport::with_value;

impl AgentOptions {
    /// The arguments, always in the same order. Values that are too long go into files, as far as
    /// the CLI accepts files.
    pub(crate) fn args(&self) -> Vec<Arg> {
        let args = self.args_with(LONGEST);
        match is_crowded(&args) {
            true => self.args_with(CROWDED),
            false => args,
        }
    }

    fn args_with(&self, longest: usize) -> Vec<Arg> {
        let mut args = Args { list: Vec::new(), longest };
        args.pair("--output-format", "stream-json");
        args.switch("--verbose", true);
        self.prompt_args(&mut args);
        self.tool_and_model_args(&mut args);
        self.permission_args(&mut args);
        self.session_args(&mut args);
        self.settings_args(&mut args);
        self.server_args(&mut args);
        self.stream_args(&mut args);
        self.plugin_args(&mut args);
        self.thinking_args(&mut args);
        args.pair("--input-format", "stream-json");
        args.list
    }

    fn prompt_args(&self, args: &mut Args) {
        match self.prompt.base() {
            None => args.value("--system-prompt", Some("")),
            Some(Base::Text(prompt)) => {
                let by_file = ("--system-prompt-file", "system-prompt.md");
                args.text("--system-prompt", by_file, prompt, false);
            }
            Some(Base::File(path)) => args.value("--system-prompt-file", Some(path)),
            Some(Base::Parts(_) | Base::ClaudeCode) => {}
        }
        if let Some(text) = self.prompt.appended() {
            let by_file = ("--append-system-prompt-file", "append-system-prompt.md");
            args.text("--append-system-prompt", by_file, text, false);
        }
    }

    fn tool_and_model_args(&self, args: &mut Args) {
        let (tools, model) = (&self.tools, &self.model);
        args.value("--tools", tools.tools.as_ref().map(|tools| tools.join(",")));
        args.list("--allowedTools", &self.allowed_rules());
        args.number("--max-turns", model.max_turns);
        args.number("--max-budget-usd", model.max_budget_usd);
        args.list("--disallowedTools", &tools.disallowed);
        args.number("--task-budget", model.task_budget);
        args.value("--model", model.model.as_ref());
        args.value("--fallback-model", model.fallback_model.as_ref());
        args.value("--agent", model.agent.as_ref());
        args.list("--betas", &model.betas);
    }

    fn permission_args(&self, args: &mut Args) {
        let tools = &self.tools;
        let asks_us = tools.can_use_tool.as_ref().map(|_| "stdio");
        let asked = asks_us.or(tools.permission_prompt_tool.as_deref());
        args.value("--permission-prompt-tool", asked);
        let prompts = tools.permission_prompts.map(|prompts| prompts.as_str());
        args.value("--permission-prompts", prompts);
        args.value("--permission-mode", tools.permission_mode.as_ref().map(|mode| mode.as_str()));
        args.switch("--allow-dangerously-skip-permissions", tools.allow_skipping_permissions);
    }

    fn session_args(&self, args: &mut Args) {
        args.switch("--continue", self.session.continue_conversation);
        args.value("--resume", self.session.resume.as_ref());
        args.value("--session-id", self.session.session_id.as_ref());
    }

    fn settings_args(&self, args: &mut Args) {
        if let Some(Settings::File(path)) = &self.settings.settings {
            args.value("--settings", Some(path));
        } else if let Some(object) = self.settings.object() {
            // Keys, tokens and the commands that print them may be anywhere in settings.
            let by_file = ("--settings", "settings.json");
            args.text("--settings", by_file, &object.to_string(), true);
        }
        args.value("--managed-settings", self.settings.managed.as_ref().map(Value::to_string));
        args.value("--project-config-root", self.process.project_config_root.as_ref());
        args.each("--add-dir", &self.process.add_dirs);
    }

    fn server_args(&self, args: &mut Args) {
        let servers = &self.tools.servers;
        if !servers.is_empty() {
            let configs: Map<_, _> =
                servers.iter().map(|server| (server.name().to_owned(), server.config())).collect();
            let config = json!({"mcpServers": configs}).to_string();
            let is_private = servers.iter().any(|server| server.is_private());
            let by_file = ("--mcp-config", "mcp-config.json");
            args.text("--mcp-config", by_file, &config, is_private);
        }
        args.each("--mcp-config", &self.tools.mcp_configs);
    }

    fn stream_args(&self, args: &mut Args) {
        args.switch("--include-partial-messages", self.settings.include_partial_messages);
        args.switch("--include-hook-events", self.settings.include_hook_events);
        args.switch("--strict-mcp-config", self.tools.strict_mcp_config);
        args.switch("--fork-session", self.session.fork);
        args.value("--resume-session-at", self.session.resume_session_at.as_ref());
        args.value("--resume-drops-turn", self.session.resume_drops_turn.as_ref());
        args.switch("--no-session-persistence", self.session.no_persistence);
        #[cfg(feature = "sessions")]
        args.switch("--session-mirror", self.session.store.store.is_some());
    }

    fn plugin_args(&self, args: &mut Args) {
        if let Some(sources) = self.settings.sources() {
            let sources: Vec<_> = sources.iter().map(|source| source.as_str()).collect();
            args.value("--setting-sources", Some(sources.join(",")));
        }
        for plugin in &self.settings.plugins {
            let flag =
                if plugin.skip_mcp_discovery { "--plugin-dir-no-mcp" } else { "--plugin-dir" };
            args.value(flag, Some(&plugin.path));
        }
        match &self.process.debug_file {
            Some(path) => args.value("--debug-file", Some(path)),
            None => args.switch("--debug", self.process.debug),
        }
        for (name, value) in &self.settings.extra_args {
            let flag = format!("--{name}");
            args.switch(&flag, value.is_none());
            args.value(&flag, value.as_ref());
        }
    }

    fn thinking_args(&self, args: &mut Args) {
        let model = &self.model;
        match model.thinking {
            Some(Thinking::Adaptive) => args.value("--thinking", Some("adaptive")),
            Some(Thinking::Disabled) => args.value("--thinking", Some("disabled")),
            Some(Thinking::Enabled { budget_tokens }) => {
                args.number("--max-thinking-tokens", Some(budget_tokens))
            }
            None => args.number("--max-thinking-tokens", model.max_thinking_tokens),
        }
        args.value("--thinking-display", model.thinking_display.map(|display| display.as_str()));
        args.value("--effort", model.effort.map(|effort| effort.as_str()));
        let schema = model.json_schema.as_ref().map(Value::to_string);
        args.value("--json-schema", schema.filter(|schema| schema.len() <= args.longest));
    }

    /// The schema, if it is too long for an argument. The CLI does not read one from a file, but it
    /// accepts one in the `initialize` request.
    pub(super) fn schema_of_initialize(&self) -> Option<&Value> {
        let schema = self.model.json_schema.as_ref()?;
        let length = schema.to_string().len();
        let is_long =
            length > CROWDED && (length > LONGEST || is_crowded(&self.args_with(LONGEST)));
        is_long.then_some(schema)
    }

    /// The rules of `allowed_tools`, and the rules that the skills need.
    pub(super) fn allowed_rules(&self) -> Vec<String> {
        let mut rules = self.tools.allowed.clone();
        for rule in self.settings.skill_rules() {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }
}

/// The length in bytes of all arguments together.
pub(super) fn total(args: &[Arg]) -> usize {
    args.iter().map(Arg::len).sum()
}

/// Whether the arguments are too long together.
fn is_crowded(args: &[Arg]) -> bool {
    total(args) > LONGEST_TOGETHER
}

/// The list of arguments while it is built.
struct Args {
    list: Vec<Arg>,
    /// Longer texts go into files.
    longest: usize,
}

impl Args {
    fn switch(&mut self, flag: &str, is_on: bool) {
        if is_on {
            self.list.push(Arg::Inline(flag.into()));
        }
    }

    /// A flag and its value as two arguments, for values that do not come from the user.
    fn pair(&mut self, flag: &str, value: &str) {
        self.list.extend([Arg::Inline(flag.into()), Arg::Inline(value.into())]);
    }

    fn value(&mut self, flag: &str, value: Option<impl AsRef<OsStr>>) {
        self.list.extend(value.map(|value| Arg::Inline(with_value(flag, value))));
    }

    fn number(&mut self, flag: &str, value: Option<impl ToString>) {
        self.value(flag, value.map(|value| value.to_string()));
    }

    fn list(&mut self, flag: &str, values: &[String]) {
        self.value(flag, (!values.is_empty()).then(|| values.join(",")));
    }

    fn each(&mut self, flag: &str, paths: &[PathBuf]) {
        paths.iter().for_each(|path| self.value(flag, Some(path)));
    }

    /// A text, or the flag and the name of a file for one that is private or too long.
    fn text(
        &mut self,
        flag: &str,
        (file_flag, name): (&'static str, &'static str),
        text: &str,
        is_private: bool,
    ) {
        if !is_private && text.len() <= self.longest {
            return self.value(flag, Some(text));
        }
        let file = File { name, contents: text.to_owned() };
        self.list.push(Arg::File { flag: file_flag, file });
    }
}
