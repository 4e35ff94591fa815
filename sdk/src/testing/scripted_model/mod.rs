//! A Messages API on loopback that answers from a script, for the real `claude` program.

mod conversation;
mod home;
mod life;
mod request;
mod rule;
mod script;
mod wire;

mod stream;

mod server;

#[cfg(test)]
mod tests;

use std::env;
use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::home::Home;
use self::life::Life;
pub use self::request::{RecordedRequest, RecordedToolResult};
use self::rule::{Place, Rule};
use self::script::Script;
use super::reply::Reply;

/// A model that answers from a script, on a port of its own on loopback.
///
/// Each request of the main conversation takes the next turn of the script; those of subagents have
/// a script of their own. Other requests of the program (titles, web searches, summaries…) get a
/// fixed text. Dropping the model stops the server and deletes the folder that
/// [`environment`](Self::environment) names.
///
/// ```no_run
/// # use serde_json::json;
/// # use toolwright::testing::ScriptedModel;
/// # async fn run() -> std::io::Result<()> {
/// let model = ScriptedModel::start().await?;
/// model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
///
/// let status = tokio::process::Command::new("claude")
///     .args(["-p", "What is 2 + 40?"])
///     .env_clear()
///     .envs(model.environment())
///     .status()
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ScriptedModel {
    address: SocketAddr,
    script: Script,
    home: Home,
    /// Dropping this stops the server.
    _stop: watch::Sender<()>,
}

impl ScriptedModel {
    /// Binds a free port on 127.0.0.1 and serves it from a task of the current runtime. While
    /// something blocks the only thread of a runtime, such as `std::process::Command::status` in a
    /// `#[tokio::test]`, the model does not answer.
    ///
    /// # Errors
    ///
    /// The port cannot be bound, or the temporary folder cannot be created.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with I/O enabled.
    pub async fn start() -> io::Result<Self> {
        let home = Home::create()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let script = Script::default();
        let (stop, stopped) = watch::channel(());
        tokio::spawn(server::serve(listener, script.clone(), Life(stopped)));
        Ok(Self { address, script, home, _stop: stop })
    }

    /// Adds a turn of the script: one text, which ends the turn of the conversation.
    pub fn say(&self, text: impl Into<String>) -> &Self {
        self.reply(Reply::new().text(text))
    }

    /// Adds a turn of the script: one tool call. A tool of an MCP server is called
    /// `mcp__SERVER__TOOL`.
    pub fn call(&self, name: impl Into<String>, input: Value) -> &Self {
        self.reply(Reply::new().call(name, input))
    }

    /// Adds a turn of the script.
    pub fn reply(&self, reply: Reply) -> &Self {
        self.script.lock().turns.push_back(reply);
        self
    }

    /// The reply to each request of the main conversation that adds a prompt with this text in it.
    /// Such a request takes no turn of the script; of several rules the first that fits counts. A
    /// prompt is also one that a running turn takes up, and the `<task-notification>` by which a
    /// turn begins once a task in the background has ended.
    ///
    /// ```no_run
    /// # use serde_json::json;
    /// # use toolwright::testing::{Reply, ScriptedModel};
    /// # async fn run() -> std::io::Result<()> {
    /// let model = ScriptedModel::start().await?;
    /// let forecast = Reply::new().call("mcp__weather__forecast", json!({"city": "Oslo"}));
    /// model.when("weather", forecast).when_result("rain", Reply::new().text("Take an umbrella."));
    /// # Ok(())
    /// # }
    /// ```
    pub fn when(&self, prompt: impl Into<String>, reply: Reply) -> &Self {
        self.rule(Place::Prompt, prompt.into(), reply)
    }

    /// The reply to each of its requests that adds a tool result with this text in it, like
    /// [`when`](Self::when).
    pub fn when_result(&self, result: impl Into<String>, reply: Reply) -> &Self {
        self.rule(Place::Result, result.into(), reply)
    }

    /// The reply to each request of a subagent that adds a prompt with this text in it, like
    /// [`when`](Self::when): with the text of its prompt, the first reply to a subagent, whichever
    /// of several asks first. The requests that add results of its calls take turns of
    /// [`reply_to_agent`](Self::reply_to_agent), which all subagents share.
    ///
    /// ```no_run
    /// # use toolwright::testing::{Reply, ScriptedModel};
    /// # async fn run() -> std::io::Result<()> {
    /// let model = ScriptedModel::start().await?;
    /// model
    ///     .when_agent("the price", Reply::new().text("9 euros."))
    ///     .when_agent("the stock", Reply::new().text("None is left."));
    /// # Ok(())
    /// # }
    /// ```
    pub fn when_agent(&self, prompt: impl Into<String>, reply: Reply) -> &Self {
        self.rule(Place::AgentPrompt, prompt.into(), reply)
    }

    /// The answer of the model once the script is used up. Default: a text that says that there are
    /// no more turns.
    pub fn reply_ever_after(&self, reply: Reply) -> &Self {
        self.script.lock().ever_after = Some(reply);
        self
    }

    /// Adds a turn of the script for subagents, which all of them share: the next one to ask takes
    /// it. Several that run at once, as they do by default, ask in no certain order: give them
    /// [`when_agent`](Self::when_agent), or start them with `"run_in_background": false`. When it
    /// is used up, they get a fixed text.
    pub fn reply_to_agent(&self, reply: Reply) -> &Self {
        self.script.lock().agent_turns.push_back(reply);
        self
    }

    /// The requests of the main conversation so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.script.lock().requests.clone()
    }

    /// The other requests so far, in order.
    #[must_use]
    pub fn side_requests(&self) -> Vec<RecordedRequest> {
        self.script.lock().side_requests.clone()
    }

    /// The number of turns that were not taken yet.
    #[must_use]
    pub fn turns_left(&self) -> usize {
        self.script.lock().turns.len()
    }

    /// The URL of the API, such as `http://127.0.0.1:40123`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The whole environment of a `claude` process that uses this model.
    ///
    /// Clear the inherited environment first: one of its variables could direct the process to a
    /// real account.
    #[must_use]
    pub fn environment(&self) -> Vec<(String, OsString)> {
        let mut variables = Vec::new();
        if let Some(path) = env::var_os("PATH") {
            variables.push(("PATH".to_owned(), path));
        }
        variables.extend([
            ("HOME".to_owned(), self.home.user().into_os_string()),
            ("CLAUDE_CONFIG_DIR".to_owned(), self.home.config().into_os_string()),
            ("CLAUDE_CODE_TMPDIR".to_owned(), self.home.path().into()),
            ("ANTHROPIC_BASE_URL".to_owned(), self.url().into()),
            ("ANTHROPIC_API_KEY".to_owned(), "scripted".into()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC".to_owned(), "1".into()),
            ("DISABLE_AUTOUPDATER".to_owned(), "1".into()),
        ]);
        variables
    }

    /// Options for an agent run with this model: a cleared environment with the variables of
    /// [`ScriptedModel::environment`].
    #[cfg(feature = "agent")]
    pub fn options(&self) -> crate::agent::AgentOptionsBuilder {
        crate::agent::AgentOptions::builder().env_clear().envs(self.environment())
    }

    fn rule(&self, place: Place, text: String, reply: Reply) -> &Self {
        self.script.lock().rules.push(Rule { place, text, reply });
        self
    }
}
