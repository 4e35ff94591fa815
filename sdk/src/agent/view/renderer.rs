//! Writes events for people: [`Renderer`].

use std::io::{self, Write};

use super::bar::{amount, bar, fraction, part};
use super::event::{Event, ModelCost};
use super::plain::{plain, width};
use super::style::{Color, Style};
use super::user_question::UserQuestion;
use super::wrap::{Wrap, rows};

/// The columns in front of each row, in which the first row of an event says what it is.
const LABEL: usize = 8;
/// The fewest columns that are used.
const NARROWEST: usize = 24;
/// The most rows of arguments, and of a result.
const ROWS: usize = 6;
/// The most rows of what somebody is asked about: what is not shown cannot be judged.
const ROWS_TO_JUDGE: usize = usize::MAX;

/// Writes events for people, in rows of a given width, with or without colours.
///
/// ```
/// use toolwright::agent::view::{Event, Renderer, Style};
///
/// let mut renderer = Renderer::new(Vec::new(), Style::default());
/// renderer.show(&Event::Prompt { text: "What is 2 + 40?".into() })?;
/// renderer.show(&Event::Text { agent: None, text: "It is ".into() })?;
/// renderer.show(&Event::Text { agent: None, text: "42.".into() })?;
/// renderer.show(&Event::TextEnd { agent: None })?;
/// assert_eq!(renderer.into_inner(), b"You     What is 2 + 40?\nClaude  It is 42.\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// What the model, tools and servers say cannot control the terminal: control characters are
/// replaced.
#[derive(Debug)]
pub struct Renderer<W> {
    output: W,
    style: Style,
    /// The text that is being written.
    text: Option<Text>,
    /// A bar stands in the last row, which has no line end.
    has_bar: bool,
    /// A question stands there.
    has_question: bool,
    /// The call that the last rows are about: its result needs no name.
    latest: Option<String>,
    /// The calls that have reported progress, and the tenth that was shown last.
    tenths: Vec<(String, usize)>,
}

#[derive(Debug)]
struct Text {
    kind: Kind,
    agent: Option<String>,
    wrap: Wrap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Says,
    Thinks,
}

impl<W: Write> Renderer<W> {
    /// Writes to `output`, which is flushed after each event.
    pub fn new(output: W, style: Style) -> Self {
        let style = Style { width: style.width.max(NARROWEST), ..style };
        Self {
            output,
            style,
            text: None,
            has_bar: false,
            has_question: false,
            latest: None,
            tenths: Vec::new(),
        }
    }

    /// Writes an event.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn show(&mut self, event: &Event) -> io::Result<()> {
        let mut out = String::new();
        if std::mem::take(&mut self.has_bar) {
            out.push_str("\r\x1b[2K");
        }
        if std::mem::take(&mut self.has_question) {
            out.push('\n');
        }
        self.render(event, &mut out);
        if out.is_empty() {
            return Ok(());
        }
        self.output.write_all(out.as_bytes())?;
        self.output.flush()
    }

    /// Asks for a line, in a row that has no end yet.
    pub(super) fn ask(&mut self, choices: &str) -> io::Result<()> {
        let mut out = String::new();
        self.label("", Color::Bold, &mut out);
        out.push_str(&self.style.paint(choices, Color::Bold));
        self.has_question = true;
        self.output.write_all(out.as_bytes())?;
        self.output.flush()
    }

    /// Whoever has typed the line has ended the row of the question.
    pub(super) fn row_has_ended(&mut self) {
        self.has_question = false;
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.output
    }

    fn render(&mut self, event: &Event, out: &mut String) {
        match event {
            Event::Running { .. } if !self.style.live => return,
            Event::Text { agent, text } => return self.piece(Kind::Says, agent, text, out),
            Event::Thinking { agent, text } => return self.piece(Kind::Thinks, agent, text, out),
            _ => self.end_text(out),
        }
        match event {
            Event::Prompt { text } => self.block("You", Color::Bold, text, usize::MAX, out),
            Event::Call { id, name, input, .. } => {
                let call = format!("{name} {input}");
                self.block("Call", Color::Cyan, &call, ROWS, out);
                self.latest = Some(id.clone());
            }
            Event::Progress { id, done, total, message } => {
                self.progress(id, (*done, *total), message, out);
            }
            Event::Running { seconds, .. } => self.bar(format!("{seconds:.0} s"), out),
            Event::Returned { id, name, text, is_error, duration_ms } => {
                self.returned(id, name, text, *is_error, *duration_ms, out);
            }
            Event::Question { name, input, reason, always, .. } => {
                let question = format!("May {name} be called? {input}");
                self.block("Asks", Color::Yellow, &question, ROWS_TO_JUDGE, out);
                if let Some(reason) = reason {
                    self.block("", Color::Dim, reason, ROWS_TO_JUDGE, out);
                }
                if let Some(always) = always {
                    // It has a label, unlike what the model says about its call.
                    let always = format!("in this session: {always}");
                    self.block("Always", Color::Yellow, &always, ROWS_TO_JUDGE, out);
                }
            }
            Event::UserQuestions { questions, .. } => {
                for question in questions {
                    self.user_question(question, out);
                }
            }
            Event::Answer { is_allowed, .. } => {
                let answer = match is_allowed {
                    Some(true) => "allowed",
                    Some(false) => "denied",
                    None => "no longer asked",
                };
                self.block("", Color::Dim, answer, ROWS, out);
            }
            Event::Notice { text } => self.block("Note", Color::Yellow, text, ROWS, out),
            Event::Done {
                is_error,
                is_interrupted,
                text,
                turns,
                duration_ms,
                cost_usd,
                models,
            } => {
                if *is_interrupted {
                    self.block("Note", Color::Yellow, "interrupted", ROWS, out);
                } else if *is_error {
                    self.block("Error", Color::Red, text, usize::MAX, out);
                }
                let took = time(*duration_ms);
                let total = format!("{turns} turns, ${cost_usd:.4}, {took}");
                self.block("Done", Color::Bold, &total, ROWS, out);
                for model in models {
                    self.block("", Color::Dim, &cost(model), ROWS, out);
                }
            }
            Event::Failed { error } => self.block("Error", Color::Red, error, usize::MAX, out),
            _ => {}
        }
    }

    fn user_question(&mut self, question: &UserQuestion, out: &mut String) {
        self.block("Asks", Color::Yellow, &question.question, ROWS_TO_JUDGE, out);
        for (option, number) in question.options.iter().zip(1..) {
            let what = match option.description.is_empty() {
                true => String::new(),
                false => format!(": {}", option.description),
            };
            let row = format!("{number}  {}{what}", option.label);
            self.block("", Color::Dim, &row, ROWS_TO_JUDGE, out);
        }
    }

    /// Writes a piece of a text.
    fn piece(&mut self, kind: Kind, agent: &Option<String>, piece: &str, out: &mut String) {
        if self.text.as_ref().is_some_and(|text| text.kind != kind || text.agent != *agent) {
            self.end_text(out);
        }
        if self.text.is_none() {
            let name = match (kind, agent) {
                (Kind::Thinks, _) => "Thinks",
                (Kind::Says, None) => "Claude",
                (Kind::Says, Some(_)) => "Agent",
            };
            self.label(name, Color::Green, out);
            self.latest = None;
            let wrap = Wrap::new(LABEL, self.style.width);
            self.text = Some(Text { kind, agent: agent.clone(), wrap });
        }
        if let Some(text) = &mut self.text {
            text.wrap.push(&plain(piece), out);
        }
    }

    fn end_text(&mut self, out: &mut String) {
        if let Some(mut text) = self.text.take() {
            text.wrap.flush(out);
            out.push('\n');
        }
    }

    fn label(&self, name: &str, color: Color, out: &mut String) {
        let padding = " ".repeat(LABEL.saturating_sub(width(name)));
        if !name.is_empty() {
            out.push_str(&self.style.paint(name, color));
        }
        out.push_str(&padding);
    }

    /// Writes a whole text of so many rows at most.
    fn block(&mut self, name: &str, color: Color, text: &str, most: usize, out: &mut String) {
        self.latest = None;
        self.lines(name, color, &self.rows(text, most), out);
    }

    /// The rows of a text, at most so many and one that says how many are left out.
    fn rows(&self, text: &str, most: usize) -> Vec<String> {
        let mut rows = rows(&plain(text), self.style.width - LABEL);
        if let Some(hidden) = rows.len().checked_sub(most).filter(|hidden| *hidden > 0) {
            rows.truncate(most);
            rows.push(format!("… {hidden} more rows"));
        }
        rows
    }

    fn lines(&self, name: &str, color: Color, rows: &[String], out: &mut String) {
        for (number, row) in rows.iter().enumerate() {
            if number == 0 {
                self.label(name, color, out);
            } else if !row.is_empty() {
                self.label("", color, out);
            }
            out.push_str(row);
            out.push('\n');
        }
    }

    fn progress(&mut self, id: &str, of: (f64, f64), message: &str, out: &mut String) {
        let columns = self.style.width - LABEL - 1;
        let message = plain(message);
        let Some(done) = fraction(of.0, of.1) else {
            // Where rows cannot be overwritten, each message would add one.
            if self.style.live {
                self.bar(amount(of.0, &message, columns), out);
            }
            return;
        };
        let row = bar(done, &message, columns);
        if self.style.live {
            return self.bar(row, out);
        }
        let tenth = part(done, 10.0);
        let shown = match self.tenths.iter_mut().find(|(known, _)| known == id) {
            Some((_, shown)) => std::mem::replace(shown, tenth),
            None => {
                self.tenths.push((id.to_owned(), tenth));
                usize::MAX
            }
        };
        if shown != tenth {
            let latest = self.latest.take();
            self.block("", Color::Dim, &row, ROWS, out);
            self.latest = latest;
        }
    }

    /// Writes a row that the next event wipes out.
    fn bar(&mut self, row: String, out: &mut String) {
        out.push_str(&" ".repeat(LABEL));
        out.push_str(&self.style.paint(&row, Color::Cyan));
        self.has_bar = true;
    }

    fn returned(
        &mut self,
        id: &str,
        name: &str,
        text: &str,
        is_error: bool,
        duration_ms: u64,
        out: &mut String,
    ) {
        self.tenths.retain(|(known, _)| known != id);
        let (label, color) = match is_error {
            true => ("Error", Color::Red),
            false => ("Result", Color::Cyan),
        };
        let text = if text.trim().is_empty() { "(nothing)" } else { text };
        let text = match self.latest.take().as_deref() == Some(id) || name.is_empty() {
            true => text.to_owned(),
            false => format!("{name}: {text}"),
        };
        let mut rows = self.rows(&text, ROWS);
        let time = format!("({})", time(duration_ms));
        match rows.last_mut() {
            Some(row) if LABEL + width(row) + 2 + time.len() <= self.style.width => {
                *row = format!("{row}  {time}");
            }
            _ => rows.push(time),
        }
        self.lines(label, color, &rows, out);
    }
}

fn time(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

fn cost(model: &ModelCost) -> String {
    let ModelCost { model, input_tokens, output_tokens, cost_usd } = model;
    format!("{model}: {input_tokens} tokens in, {output_tokens} out, ${cost_usd:.4}")
}

#[cfg(test)]
mod tests;
