//! The launch parameters, as far as they change what is played.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs, io};

use serde_json::{Value, json};

use super::server::SHORTEST;
use super::transcript::Transcript;
use crate::agent::options::split_rules;
use crate::agent::transport::Launch;
use crate::agent::uuid;

/// The version of the CLI that is played.
pub(super) const VERSION: &str = "2.1.328";

/// The model if the options name none.
pub(super) const DEFAULT_MODEL: &str = "scripted";

/// How often a failure of the API is followed by another try, if no variable says it.
const MAX_RETRIES: u64 = 10;

/// How often in a row hooks may block the end of a turn, if no variable says it.
const MAX_BLOCKS: u64 = 8;

pub(super) struct Setup {
    pub(super) args: Vec<String>,
    /// The MCP servers, and their configurations.
    pub(super) servers: Vec<(String, Value)>,
    /// How long a call may take if its server's configuration does not say it.
    pub(super) tool_timeout: Option<Duration>,
    pub(super) builtins: Vec<(String, String)>,
    /// The built-in tools that there are; `None` for all of them.
    pub(super) tools: Option<Vec<String>>,
    pub(super) allowed: Vec<String>,
    pub(super) disallowed: Vec<String>,
    /// Permissions are asked for over the control protocol.
    pub(super) asks: bool,
    pub(super) mode: String,
    pub(super) may_bypass: bool,
    pub(super) model: String,
    pub(super) session_id: String,
    pub(super) partial: bool,
    pub(super) max_turns: Option<u64>,
    /// In USD.
    pub(super) max_budget: Option<f64>,
    pub(super) states: States,
    pub(super) cwd: String,
    /// Where it is if no folder is named: that of this program. Messages say `/`, so that they are
    /// the same everywhere.
    pub(super) unnamed_cwd: Option<PathBuf>,
    /// The other folders that it may work in.
    pub(super) folders: Vec<String>,
    /// Those of the options, an object.
    pub(super) settings: Value,
    /// Settings may come from files.
    pub(super) reads_files: bool,
    /// The schema of the structured output that the model is to give.
    pub(super) schema: Option<Value>,
    /// How often a failure of the API may be followed by another try.
    pub(super) max_retries: u64,
    /// How often in a row hooks may block the end of a turn.
    pub(super) max_blocks: u64,
    /// The host of the API, if it is another than usual.
    pub(super) gateway: Option<String>,
    /// What a store is told of.
    pub(super) transcript: Option<Transcript>,
}

/// Who gets `session_state_changed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum States {
    Nobody,
    /// The SDK, which hides the messages: they are `sdk_host_only`.
    Sdk,
    Everybody,
}

impl Setup {
    /// # Errors
    ///
    /// An MCP configuration or the settings cannot be read.
    pub(super) fn read(launch: &Launch, builtins: Vec<(String, String)>) -> io::Result<Self> {
        let args: Vec<String> =
            launch.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let values = |flag| values(&args, flag);
        let last = |flag| values(flag).pop();
        let rules = |flag| -> Vec<String> {
            values(flag).iter().flat_map(|list| split_rules(list)).collect()
        };
        // An empty text stands for no tools, and no flag for all of them.
        let tools: Vec<_> = values("--tools").iter().flat_map(|list| list.split(',')).collect();
        let has = |flag: &str| args.iter().any(|arg| arg == flag);
        let mut servers = Vec::new();
        for config in values("--mcp-config") {
            servers.extend(read_servers(&read_config(launch, config)?));
        }
        let session =
            last("--session-id").or_else(|| last("--resume").filter(|_| !has("--fork-session")));
        let settings = last("--settings").map(|settings| read_config(launch, settings));
        let settings = settings.transpose()?.unwrap_or_else(|| json!({}));
        let mode = last("--permission-mode").or(settings["permissions"]["defaultMode"].as_str());
        let mode = mode.unwrap_or("default").to_owned();
        let model = last("--model").or(settings["model"].as_str()).unwrap_or(DEFAULT_MODEL);
        let cwd = launch.cwd.as_ref().map(|cwd| cwd.to_string_lossy().into_owned());
        let cwd = cwd.unwrap_or_else(|| "/".into());
        let session_id = session.map_or_else(uuid::random, str::to_owned);
        let config = variable(launch, "CLAUDE_CONFIG_DIR").unwrap_or_default();
        let tool_timeout = variable(launch, "MCP_TOOL_TIMEOUT").and_then(|it| it.parse().ok());
        Ok(Self {
            servers,
            tool_timeout: tool_timeout.map(|it: u64| Duration::from_millis(it.max(SHORTEST))),
            builtins,
            tools: (!tools.is_empty()).then(|| tools.into_iter().map(str::to_owned).collect()),
            allowed: rules("--allowedTools"),
            disallowed: rules("--disallowedTools"),
            asks: last("--permission-prompt-tool") == Some("stdio"),
            may_bypass: mode == "bypassPermissions" || has("--allow-dangerously-skip-permissions"),
            mode,
            model: model.to_owned(),
            settings,
            transcript: has("--session-mirror")
                .then(|| Transcript::read(&config, &cwd, &session_id)),
            session_id,
            partial: has("--include-partial-messages"),
            max_turns: last("--max-turns").and_then(|turns| turns.parse().ok()),
            max_budget: last("--max-budget-usd").and_then(|budget| budget.parse().ok()),
            folders: values("--add-dir").into_iter().map(str::to_owned).collect(),
            states: States::read(&launch.env),
            unnamed_cwd: launch.cwd.is_none().then(|| env::current_dir().ok()).flatten(),
            cwd,
            reads_files: last("--setting-sources") != Some(""),
            schema: last("--json-schema").and_then(|schema| serde_json::from_str(schema).ok()),
            max_retries: variable(launch, "CLAUDE_CODE_MAX_RETRIES")
                .and_then(|it| it.parse().ok())
                .unwrap_or(MAX_RETRIES),
            max_blocks: variable(launch, "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP")
                .and_then(|it| it.parse().ok())
                .unwrap_or(MAX_BLOCKS),
            gateway: variable(launch, "ANTHROPIC_BASE_URL")
                .map(|url| url.split_once("://").map_or(&*url, |(_, host)| host).to_owned()),
            args,
        })
    }
}

impl States {
    /// The options ask for the states unless they are told not to; a launch without options counts
    /// as if it did.
    fn read(env: &[(OsString, Option<OsString>)]) -> Self {
        let is_on = |name: &str, by_default: bool| {
            let set = env.iter().rev().find(|(known, _)| known == OsStr::new(name));
            let is_yes = |value: &OsString| value == "1" || value == "true";
            set.map_or(by_default, |(_, value)| value.as_ref().is_some_and(is_yes))
        };
        if is_on("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS", false) {
            return Self::Everybody;
        }
        match is_on("CLAUDE_CODE_SDK_READS_SESSION_STATE", true) {
            true => Self::Sdk,
            false => Self::Nobody,
        }
    }
}

/// A variable that the options set.
fn variable(launch: &Launch, name: &str) -> Option<String> {
    let (_, value) = launch.env.iter().rev().find(|(known, _)| known == OsStr::new(name))?;
    Some(value.as_ref()?.to_string_lossy().into_owned())
}

/// The values of a flag, given as `--flag=value` or as two arguments.
fn values<'a>(args: &'a [String], flag: &str) -> Vec<&'a str> {
    let values = args.iter().enumerate().filter_map(|(at, arg)| match arg.strip_prefix(flag)? {
        "" => args.get(at + 1).map(String::as_str),
        rest => rest.strip_prefix('='),
    });
    values.collect()
}

/// Reads a configuration, which is JSON or the path of a file.
fn read_config(launch: &Launch, config: &str) -> io::Result<Value> {
    let text = match config.trim_start().starts_with('{') {
        true => config.to_owned(),
        false => fs::read_to_string(launch.cwd.clone().unwrap_or_default().join(config))?,
    };
    serde_json::from_str(&text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn read_servers(config: &Value) -> Vec<(String, Value)> {
    let servers = config["mcpServers"].as_object().into_iter().flatten();
    let name = |key: &str, server: &Value| server["name"].as_str().unwrap_or(key).to_owned();
    servers.map(|(key, server)| (name(key, server), server.clone())).collect()
}
