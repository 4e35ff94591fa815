//! The line that shows how far a call is.

use std::future::pending;
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep_until};

use crate::screen::Screen;
use crate::table::{clipped, columns};

/// The time between two drawings, which nobody would see.
const PAUSE: Duration = Duration::from_millis(50);
/// The columns of the bar.
const BAR: usize = 20;

/// What is drawn, and what is to be drawn next.
#[derive(Debug, Default)]
pub struct Progress {
    drawn: String,
    at: Option<Instant>,
    /// The parameters of the last notification, until they are drawn.
    next: Option<Value>,
}

impl Progress {
    /// Takes the parameters of a notification, to be drawn.
    pub fn set(&mut self, params: Value) {
        self.next = Some(params);
    }

    /// Is ready when there is something to draw.
    pub async fn is_due(&self) {
        match (&self.next, self.at) {
            (None, _) => pending().await,
            (Some(_), None) => {}
            (Some(_), Some(at)) => sleep_until(at + PAUSE).await,
        }
    }

    /// Draws what was taken last.
    pub fn draw(&mut self, screen: &mut Screen) {
        let Some(params) = self.next.take() else { return };
        // A terminal moves to its next line after the last column.
        let line = line(&params, screen.width_of_notes().saturating_sub(1));
        self.replace(line, screen);
        self.at = Some(Instant::now());
    }

    /// Leaves the line empty, for other text.
    pub fn clear(&mut self, screen: &mut Screen) {
        if !self.drawn.is_empty() {
            self.replace(String::new(), screen);
            screen.note("\r");
        }
    }

    fn replace(&mut self, line: String, screen: &mut Screen) {
        let rest = columns(&self.drawn).saturating_sub(columns(&line));
        screen.note(&format!("\r{line}{}", " ".repeat(rest)));
        self.drawn = line;
    }
}

/// What the parameters of a notification say, in one line.
fn line(params: &Value, width: usize) -> String {
    let number = |name: &str| params[name].as_f64();
    let message = params["message"].as_str().unwrap_or_default();
    let amount = match (number("progress"), number("total")) {
        (Some(done), Some(total)) if total > 0.0 => {
            let part = (done / total).clamp(0.0, 1.0);
            // Neither can be lost, as both are small.
            let full = (part * BAR as f64) as usize;
            let percent = (part * 100.0) as usize;
            format!("[{}{}] {percent:>3}%", "#".repeat(full), "-".repeat(BAR - full))
        }
        (Some(done), _) => done.to_string(),
        _ => String::new(),
    };
    clipped(format!("{amount} {message}").trim_end(), width)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_shows_a_bar_and_the_message() {
        for (params, width, expected) in [
            (json!({"progress": 0, "total": 4}), 79, "[--------------------]   0%"),
            (
                json!({"progress": 1, "total": 4, "message": "copied\none"}),
                79,
                "[#####---------------]  25% copied one",
            ),
            (
                json!({"progress": 9, "total": 4, "message": "all"}),
                30,
                "[####################] 100% al",
            ),
            (json!({"progress": 3, "message": "files"}), 79, "3 files"),
            (json!({"progress": 3, "total": 0}), 79, "3"),
            (json!({}), 79, ""),
        ] {
            assert_eq!(line(&params, width), expected, "{params}");
        }
    }
}
