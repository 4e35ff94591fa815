//! The fields of a span or of an event as text.

use std::fmt::{self, Debug, Display, Formatter, Write};

use tracing::field::{Field, Visit};

/// `name=value`, separated by spaces; of the field `message` only the value.
#[derive(Default)]
pub(super) struct Fields(String);

impl Fields {
    pub(super) fn append(&mut self, others: &Self) {
        self.separate();
        self.0.push_str(&others.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn separate(&mut self) {
        if !self.is_empty() {
            self.0.push(' ');
        }
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => self.record_debug(field, &format_args!("{value}")),
            _ => self.record_debug(field, &value),
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.separate();
        let mut output = Sanitized(&mut self.0);
        let _ = match field.name() {
            "message" => write!(output, "{value:?}"),
            name => write!(output, "{}={value:?}", name.trim_start_matches("r#")),
        };
    }
}

impl Display for Fields {
    fn fmt(&self, output: &mut Formatter<'_>) -> fmt::Result {
        output.write_str(&self.0)
    }
}

/// Escapes control characters: what a client sent must not command the terminal that shows the log.
struct Sanitized<'a>(&'a mut String);

impl Write for Sanitized<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for char in text.chars() {
            match char {
                '\n' | '\t' => self.0.push(char),
                _ if char.is_ascii_control() => write!(self.0, "\\x{:02x}", u32::from(char))?,
                _ if char.is_control() => write!(self.0, "\\u{{{:x}}}", u32::from(char))?,
                _ => self.0.push(char),
            }
        }
        Ok(())
    }
}
