//! A run at the terminal: [`Terminal`].

use std::fmt;
use std::future::{Future, poll_fn};
use std::io::{self, BufRead, IsTerminal, Write};
use std::pin::{Pin, pin};
use std::task::Poll;

use futures_core::Stream;
use tokio::sync::oneshot;

use super::desk::Question;
use super::event::Event;
use super::feed::{Feed, Next};
use super::keyboard::Keyboard;
use super::renderer::Renderer;
use super::reply::{Reply, choices};
use super::style::Style;
use super::user_question::UserQuestion;
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
    feed: Feed,
    /// What is asked, also while nobody watches.
    asked: Option<Question>,
    /// What was typed for it.
    lines: Vec<String>,
    /// The line that comes next.
    typing: Option<oneshot::Receiver<Option<String>>>,
}

/// What was typed for a question.
enum Typed {
    Line(String),
    /// The input has ended.
    End,
    /// It is no longer asked.
    Withdrawn,
}

impl Terminal {
    /// Standard output, in the [style](Style::of_stdout) that it has; answers are read from
    /// standard input, whose other lines the program can read with [`std::io::stdin`]. If it is a
    /// terminal, what was typed before a question is shown is dropped: it was not meant as its
    /// answer.
    pub fn stdout() -> Self {
        let terminal = Self::of(Keyboard::stdin(), io::stdout(), Style::of_stdout());
        Self { echoes: io::stdin().is_terminal() && io::stdout().is_terminal(), ..terminal }
    }

    /// Any output, and any input from which answers are read.
    pub fn new(
        input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
        style: Style,
    ) -> Self {
        Self::of(Keyboard::new(input), output, style)
    }

    fn of(keyboard: Keyboard, output: impl Write + Send + 'static, style: Style) -> Self {
        Self {
            renderer: Renderer::new(Box::new(output), style),
            keyboard,
            echoes: false,
            feed: Feed::default(),
            asked: None,
            lines: Vec::new(),
            typing: None,
        }
    }

    /// Options of runs to watch: with [partial messages], and with this terminal as the callback
    /// for [permissions] and for the [progress] of tools.
    ///
    /// A question shows all arguments and waits for a line: `y` or `yes`, `n`, `no` or nothing, `a`
    /// or `always` where the CLI offers a rule for the session, or a text, which denies the call
    /// and which the model gets. At the end of the input every call is denied. It is asked while
    /// [`watch`](Self::watch) runs, one question at a time; those that come once the terminal is
    /// dropped are denied. What the model asks by its tool `AskUserQuestion` is answered by the
    /// number of an option or by a text; an empty line skips the question. Once a question is
    /// shown, the next line is for it, also if it is no longer asked by then.
    ///
    /// [partial messages]: AgentOptionsBuilder::include_partial_messages
    /// [permissions]: AgentOptionsBuilder::can_use_tool
    /// [progress]: AgentOptionsBuilder::on_tool_progress
    pub fn attach(&self, options: AgentOptionsBuilder) -> AgentOptionsBuilder {
        self.feed.attach(options)
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
    /// The future may be dropped, as `select!` does. If the same run is watched again then, a
    /// question that was not answered is asked again; a result that was shown before is lost. Until
    /// then the run waits for the answer, as long as the terminal exists, and a line that is typed
    /// is for that question.
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
        self.feed.begin();
        loop {
            if let Err(error) = self.ask().await {
                // Nobody can read the question.
                self.take_question();
                return Err(error.into());
            }
            match self.feed.next(messages.as_mut()).await {
                Next::Events(events) => {
                    events.iter().try_for_each(|event| self.renderer.show(event))?;
                }
                Next::Question(question) => self.asked = Some(*question),
                Next::End(result) => return Ok((*result)?),
            }
        }
    }

    /// Asks what is asked, if anything is.
    async fn ask(&mut self) -> io::Result<()> {
        let Some(question) = &self.asked else { return Ok(()) };
        let reply = match question.of_the_model() {
            // It was taken back while nobody watched.
            _ if question.is_withdrawn() => Reply::Nobody,
            Some(asked) => self.ask_user(question.request.tool_use_id.clone(), &asked).await?,
            None => {
                let choices = choices(&question.request);
                self.renderer.show(&question.event())?;
                match self.type_line(choices).await? {
                    Typed::Line(line) => Reply::of_line(&line),
                    Typed::End | Typed::Withdrawn => Reply::Nobody,
                }
            }
        };
        let Some(question) = self.take_question() else { return Ok(()) };
        self.renderer.show(&question.answer(reply))
    }

    /// Takes what is asked, and forgets what was typed for it.
    fn take_question(&mut self) -> Option<Question> {
        self.lines.clear();
        self.typing = None;
        self.asked.take()
    }

    /// Asks what the model wants to know, one question after the other.
    async fn ask_user(&mut self, id: String, asked: &[UserQuestion]) -> io::Result<Reply> {
        for asked in asked.iter().skip(self.lines.len()) {
            let questions = vec![asked.clone()];
            self.renderer.show(&Event::UserQuestions { id: id.clone(), questions })?;
            match self.type_line(asked.prompt()).await? {
                Typed::Line(line) => self.lines.push(line),
                Typed::End => return Ok(Reply::Nobody),
                Typed::Withdrawn => break,
            }
        }
        let answers = asked.iter().zip(&self.lines).filter_map(|(asked, line)| {
            let answer = asked.read(line)?;
            Some((asked.question.clone(), answer.into()))
        });
        Ok(Reply::Answers(answers.collect()))
    }

    /// Asks for a line as long as the question is asked.
    async fn type_line(&mut self, prompt: &str) -> io::Result<Typed> {
        let asked = self.asked.as_mut().filter(|question| !question.is_withdrawn());
        let Some(question) = asked else { return Ok(Typed::Withdrawn) };
        if self.typing.is_none() {
            // Who has typed before has not seen the question.
            self.keyboard.forget();
        }
        self.renderer.ask(prompt)?;
        let typing = self.typing.get_or_insert_with(|| self.keyboard.line());
        let mut withdrawn = pin!(question.withdrawn());
        let typed = poll_fn(|cx| {
            if withdrawn.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Typed::Withdrawn);
            }
            Pin::new(&mut *typing).poll(cx).map(|typed| match typed.unwrap_or_default() {
                Some(line) => Typed::Line(line),
                None => Typed::End,
            })
        })
        .await;
        self.typing = None;
        if self.echoes && matches!(typed, Typed::Line(_)) {
            self.renderer.row_has_ended();
        }
        Ok(typed)
    }
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal").field("feed", &self.feed).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
