//! Text of others for a terminal.

use std::fmt::{self, Write};

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
