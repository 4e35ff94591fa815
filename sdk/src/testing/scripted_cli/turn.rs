//! A turn of the script.

use std::time::Duration;

use serde_json::Value;

use super::exit;
use super::question::Question;
use crate::agent::ProcessExit;
use crate::testing::gate::Gate;
use crate::testing::reply::Reply;

/// One turn of the model, as a list of steps; see [`ScriptedCli::turn`](super::ScriptedCli::turn).
///
/// ```
/// use toolwright::json;
/// use toolwright::testing::ScriptedCli;
///
/// let cli = ScriptedCli::new()
///     .turn(|turn| turn.call("mcp__calc__add", json!({"a": 2, "b": 40})).say_result())
///     .turn(|turn| turn.think("Again?").say("It still is 42."));
/// ```
///
/// The texts up to and including a call are one answer of the Messages API; what follows a call is
/// the next one.
#[must_use = "the turn is what the closure gives back"]
#[derive(Debug, Clone, Default)]
pub struct Turn {
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Say(String),
    Think(String),
    SayResult,
    /// The tool calls of one answer.
    Call(Vec<(String, Value)>),
    /// A whole answer.
    Reply(Reply),
    Elicit(Question),
    Fail(String),
    Hold(Gate),
    Wait(Duration),
    Crash(ProcessExit),
    UntilInterrupted,
}

impl Turn {
    /// Adds a text.
    pub fn say(self, text: impl Into<String>) -> Self {
        self.and(Step::Say(text.into()))
    }

    /// Adds the text of the last tool result, which may be an error, or of the last answer to a
    /// question.
    pub fn say_result(self) -> Self {
        self.and(Step::SayResult)
    }

    /// Adds thinking.
    pub fn think(self, text: impl Into<String>) -> Self {
        self.and(Step::Think(text.into()))
    }

    /// Calls a tool and waits for its result. A tool of an MCP server is called
    /// `mcp__SERVER__TOOL`, and the one by which the model gives an answer of the options'
    /// [`output_type`](crate::agent::AgentOptionsBuilder::output_type) `StructuredOutput`. An
    /// answer that does not fit ends the turn only after five attempts.
    pub fn call(self, name: impl Into<String>, input: Value) -> Self {
        self.call_all([(name, input)])
    }

    /// Calls several tools in one answer. Consecutive read-only tools run at the same time, all
    /// others one after the other.
    pub fn call_all<N: Into<String>>(self, calls: impl IntoIterator<Item = (N, Value)>) -> Self {
        self.and(Step::Call(calls.into_iter().map(|(name, input)| (name.into(), input)).collect()))
    }

    /// Adds a whole answer of the model, in the form that `ScriptedModel` takes as well. Its calls
    /// run when it is complete.
    ///
    /// ```
    /// use toolwright::json;
    /// use toolwright::testing::{Reply, ScriptedCli};
    ///
    /// let add = Reply::new().thinking("A sum.").call("mcp__calc__add", json!({"a": 2, "b": 40}));
    /// let refusal = Reply::new().text("I would rather not.").stop_reason("refusal");
    /// let cli = ScriptedCli::new().turn(|turn| turn.reply(add).reply(refusal));
    /// ```
    pub fn reply(self, reply: Reply) -> Self {
        self.and(Step::Reply(reply))
    }

    /// Lets an MCP server that the CLI talks to ask the user something, and waits for the answer.
    /// `params` are those of MCP's `elicitation/create`, with `requestedSchema` for a form, and
    /// with `"mode": "url"`, `url` and `elicitationId` for a page. A question of an in-process
    /// server never comes to the CLI: [call](Self::call) the tool that asks.
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, query_with};
    /// use toolwright::json;
    /// use toolwright::testing::ScriptedCli;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let options = AgentOptions::builder()
    ///     .on_elicitation(|question| async move { question.decline() })
    ///     .build()?;
    /// let params = json!({
    ///     "message": "Who are you?",
    ///     "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    /// });
    /// let cli = ScriptedCli::new().turn(|turn| turn.elicit("shop", params).say_result());
    /// let result = query_with(cli, "Order a pear.", options).await?.finish().await?;
    /// assert_eq!(result.text(), r#"{"action":"decline"}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub fn elicit(self, server: impl Into<String>, params: Value) -> Self {
        self.and(Step::Elicit(Question { server: server.into(), params, limit: None }))
    }

    /// Like [`elicit`](Self::elicit); without an answer within `limit` the question is withdrawn,
    /// as when the time of the tool that asks is over. The server then gets `cancel`.
    pub fn elicit_within(self, limit: Duration, server: impl Into<String>, params: Value) -> Self {
        let limit = Some(limit);
        self.and(Step::Elicit(Question { server: server.into(), params, limit }))
    }

    /// Lets the Messages API fail. The turn ends with an error result with this text, such as `API
    /// Error: 529 overloaded`. A [`Reply::error`] is told of as the real CLI does it.
    pub fn fail(self, text: impl Into<String>) -> Self {
        self.and(Step::Fail(text.into()))
    }

    /// Waits until the gate is open.
    pub fn hold(self, gate: &Gate) -> Self {
        self.and(Step::Hold(gate.clone()))
    }

    /// Waits, in the time of tokio, which a test can pause: then no time passes.
    ///
    /// A paused clock jumps to the next timer when no task can run, also while a plain `fn` works
    /// on its thread, or a callback waits for a socket or another thread. If such a tool or
    /// callback has a time limit, as every hook has, it is timed out at once. So give a test that
    /// pauses time `async` tools, and callbacks that wait for tasks of the same runtime only.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use toolwright::agent::{AgentOptions, query_with};
    /// use toolwright::testing::ScriptedCli;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let hour = Duration::from_millis(1);
    /// // In a test: #[tokio::test(start_paused = true)] and an hour.
    /// let cli = ScriptedCli::new().turn(|turn| turn.wait(hour).say("At last."));
    /// let result = query_with(cli, "Slowly.", AgentOptions::default()).await?.finish().await?;
    /// assert_eq!(result.text(), "At last.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn wait(self, time: Duration) -> Self {
        self.and(Step::Wait(time))
    }

    /// The CLI exits in the middle of the turn, with this code and this text on standard error.
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, RunError, query_with};
    /// use toolwright::testing::ScriptedCli;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = ScriptedCli::new().turn(|turn| turn.say("Well,").exit(3, "out of memory"));
    /// let run = query_with(cli, "Go on.", AgentOptions::default()).await?;
    /// let error = run.finish().await.unwrap_err();
    /// assert!(error.to_string().contains("out of memory"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn exit(self, code: u8, stderr: impl Into<String>) -> Self {
        self.and(Step::Crash(exit::with_code(code, stderr.into())))
    }

    /// A signal ends the CLI in the middle of the turn, such as 9, which is SIGKILL.
    pub fn kill(self, signal: u8) -> Self {
        self.and(Step::Crash(exit::by_signal(signal, String::new())))
    }

    /// Waits until the turn is interrupted or the CLI's input ends.
    pub fn until_interrupted(self) -> Self {
        self.and(Step::UntilInterrupted)
    }

    fn and(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}
