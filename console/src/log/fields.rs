//! The fields of a span or of an event as text.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter, Write};

use tracing::field::{Field, Visit};

use crate::sanitized::Sanitized;

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

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        let Some(source) = value.source() else {
            return self.record_debug(field, &format_args!("{value}"));
        };
        let mut sources = String::new();
        // The text of an error may fail.
        let _ = write!(sources, "{source}");
        let mut next = source.source();
        while let Some(source) = next {
            let _ = write!(sources, ", {source}");
            next = source.source();
        }
        let name = field.name();
        self.record_debug(field, &format_args!("{value} {name}.sources=[{sources}]"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.separate();
        let mut output = Sanitized::of(&mut self.0);
        let _ = match field.name() {
            "message" => write!(output, "{value:?}"),
            name => write!(output, "{}={value:?}", name.strip_prefix("r#").unwrap_or(name)),
        };
    }
}

impl Display for Fields {
    fn fmt(&self, output: &mut Formatter<'_>) -> fmt::Result {
        output.write_str(&self.0)
    }
}
