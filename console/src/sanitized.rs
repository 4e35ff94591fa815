//! Text of others for a terminal.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::io::IsTerminal;

/// What a client or a tool said must neither command the terminal that shows it nor look like a
/// line of the log: control characters are escaped, and the lines of a text after its first are
/// indented.
pub(crate) struct Sanitized<'a>(&'a mut String);

/// The text as it can be shown.
pub fn sanitized(text: &str) -> String {
    let mut shown = String::new();
    // Nothing is refused.
    let _ = Sanitized(&mut shown).write_str(text);
    shown
}

/// The text for a terminal, if this is one: its lines stay as they are.
pub fn shown<'a>(text: &'a str, output: &impl IsTerminal) -> Cow<'a, str> {
    match output.is_terminal() {
        true => lines(text).into(),
        false => text.into(),
    }
}

fn lines(text: &str) -> String {
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line.strip_suffix('\r').unwrap_or(line), "\n"),
            None => (line, ""),
        };
        shown += &sanitized(line);
        shown += end;
    }
    shown
}

impl<'a> Sanitized<'a> {
    /// Appends to `shown`.
    pub(crate) fn of(shown: &'a mut String) -> Self {
        Self(shown)
    }
}

impl Write for Sanitized<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            match char {
                '\n' => self.0.push_str("\n    "),
                '\t' => self.0.push(char),
                _ if char.is_ascii_control() => write!(self.0, "\\x{:02x}", u32::from(char))?,
                _ if char.is_control() => write!(self.0, "\\u{{{:x}}}", u32::from(char))?,
                _ => self.0.push(char),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn the_lines_of_a_text_stay() {
        for (text, expected) in [
            ("", ""),
            ("a\tb\n\n- c", "a\tb\n\n- c"),
            ("a\r\nb\rc\r\n", "a\nb\\x0dc\n"),
            ("\u{1b}[2J\u{9b}\n", "\\x1b[2J\\u{9b}\n"),
        ] {
            assert_eq!(lines(text), expected, "{text:?}");
        }
    }
}
