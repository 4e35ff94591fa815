//! A run at the terminal: [`Terminal`].

use std::fmt;
use std::future::{Future, poll_fn};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use futures_core::Stream;

use super::desk::{Desk, Item, Question};
use super::event::Event;
use super::events::Events;
use super::keyboard::Keyboard;
use super::next::{Next, next};
use super::renderer::Renderer;
use super::reply::{choices, reply};
use super::style::Style;
use super::watch_error::WatchError;
use crate::agent::error::RunError;
use crate::agent::message::{Message, ResultMessage};
use crate::agent::options::AgentOptionsBuilder;

/// Shows runs at the terminal and asks there for permission.
///
/// ```
/// use toolwright::agent::view::Terminal;
/// use toolwright::agent::{AgentOptions, query_with};
/// # use toolwright::testing::ScriptedCli;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut terminal = Terminal::stdout();
/// let options = terminal.attach(AgentOptions::builder()).build()?;
/// # let cli = ScriptedCli::new().turn(|turn| turn.say("It is 42."));
/// terminal.prompt("What is 2 + 40?")?;
/// terminal.watch(query_with(cli, "What is 2 + 40?", options).await?).await?;
/// # Ok(())
/// # }
/// ```
///
/// Arguments and results are cut to some rows, except where permission is asked. It may watch one
/// run after the other, and the turns of a conversation.
pub struct Terminal {
    renderer: Renderer<Box<dyn Write + Send>>,
    keyboard: Keyboard,
    /// What is typed stands in the output too, with its line end.
    echoes: bool,
    desk: Arc<Desk>,
    events: Events,
    began: Instant,
}

impl Terminal {
    /// Standard output, in the [style](Style::of_stdout) that it has; answers are read from
    /// standard input.
    pub fn stdout() -> Self {
        let input = BufReader::new(io::stdin());
        let mut terminal = Self::new(input, io::stdout(), Style::of_stdout());
        terminal.echoes = io::stdin().is_terminal();
        terminal
    }

    /// Any output, and any input from which answers are read.
    pub fn new(
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
        style: Style,
    ) -> Self {
        Self {
            renderer: Renderer::new(Box::new(output), style),
            keyboard: Keyboard::new(input),
            echoes: false,
            desk: Arc::default(),
            events: Events::default(),
            began: Instant::now(),
        }
    }

    /// Options of runs to watch: with [partial messages], and with this terminal as the callback
    /// for [permissions] and for the [progress] of tools.
    ///
    /// A question shows all arguments and waits for a line: `y`, `n` or nothing, `a` where the CLI
    /// offers a rule for the session, or a text, which denies the call and which the model gets.
    /// At the end of the input every call is denied. It is asked while [`watch`](Self::watch) runs,
    /// one question at a time; those that come once the terminal is dropped are denied.
    ///
    /// [partial messages]: AgentOptionsBuilder::include_partial_messages
    /// [permissions]: AgentOptionsBuilder::can_use_tool
    /// [progress]: AgentOptionsBuilder::on_tool_progress
    pub fn attach(&self, options: AgentOptionsBuilder) -> AgentOptionsBuilder {
        self.desk.attach(options)
    }

    /// Shows what somebody asks: prompts are not among the messages of a run.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn prompt(&mut self, text: impl Into<String>) -> io::Result<()> {
        self.renderer.show(&Event::Prompt { text: text.into() })
    }

    /// Shows the messages of a [`Query`](crate::agent::Query), of a [`Turn`](crate::agent::Turn) or
    /// of another stream, to its end, and gives the last result.
    ///
    /// # Errors
    ///
    /// The run failed, ended without a result, or its result is an error, all of which is shown
    /// too. Or the output cannot be written.
    pub async fn watch(
        &mut self,
        messages: impl Stream<Item = Result<Message, RunError>>,
    ) -> Result<ResultMessage, WatchError> {
        let mut messages = pin!(messages);
        let desk = self.desk.clone();
        let mut result = None;
        loop {
            match next(messages.as_mut(), &desk).await {
                Next::Message(Some(Ok(message))) => {
                    for event in self.events.read(&message, self.began.elapsed()) {
                        if let Event::Returned { id, .. } = &event
                            && let Some(progress) = desk.progress_of(id)
                        {
                            self.renderer.show(&progress)?;
                        }
                        self.renderer.show(&event)?;
                    }
                    if let Message::Result(message) = message {
                        result = Some(*message);
                    }
                }
                Next::Message(Some(Err(error))) => {
                    self.renderer.show(&Event::Failed { error: error.to_string() })?;
                    return Err(error.into());
                }
                Next::Message(None) => break,
                Next::Item(Item::Progress(event)) => self.renderer.show(&event)?,
                Next::Item(Item::Question(question)) => self.ask(*question).await?,
            }
        }
        Ok(RunError::check(result.ok_or(RunError::NoResult)?)?)
    }

    async fn ask(&mut self, mut question: Question) -> io::Result<()> {
        self.renderer.show(&question.event())?;
        self.renderer.ask(choices(&question.request))?;
        let typed = {
            let (mut typed, mut withdrawn) = (self.keyboard.line(), pin!(question.withdrawn()));
            poll_fn(|cx| {
                if withdrawn.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(None);
                }
                Pin::new(&mut typed).poll(cx).map(|typed| Some(typed.unwrap_or_default()))
            })
            .await
        };
        if !self.echoes || typed.as_ref().is_none_or(Option::is_none) {
            self.renderer.end_row()?;
        }
        let permission = reply(typed.flatten().as_deref(), &question.request);
        let answer = question.answer(permission);
        self.renderer.show(&answer)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.desk.close();
    }
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").field("events", &self.events).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
