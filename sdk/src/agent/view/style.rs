use std::io::IsTerminal;

use rustix::termios::tcgetwinsize;

/// How a [`Renderer`](super::Renderer) writes.
///
/// ```
/// use toolwright::agent::view::Style;
///
/// let mut style = Style::default();
/// (style.width, style.color) = (100, true);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Style {
    /// The columns of a row; at least 24 are used.
    pub width: usize,
    /// Whether to use colours, by the escape sequences of ANSI terminals.
    pub color: bool,
    /// Whether progress bars move in their row. Otherwise each tenth is a row of its own.
    pub live: bool,
}

/// The colours: parameters of the escape sequence "select graphic rendition".
#[derive(Debug, Clone, Copy)]
pub(super) enum Color {
    Bold = 1,
    Dim = 2,
    Red = 31,
    Green = 32,
    Yellow = 33,
    Cyan = 36,
}

impl Style {
    /// That of standard output: the width is that in `COLUMNS` or that of the terminal. There are
    /// colours and moving bars if it is a terminal; `NO_COLOR` and `TERM=dumb` do without.
    pub fn of_stdout() -> Self {
        let output = std::io::stdout();
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let is_smart = output.is_terminal() && variable("TERM").as_deref() != Some("dumb");
        let columns = variable("COLUMNS").and_then(|columns| columns.parse().ok());
        let terminal = || Some(tcgetwinsize(&output).ok()?.ws_col.into());
        let width = columns.or_else(terminal).filter(|columns| *columns > 0);
        Self {
            width: width.unwrap_or(Self::default().width),
            color: is_smart && variable("NO_COLOR").is_none(),
            live: is_smart,
        }
    }

    pub(super) fn paint(self, text: &str, color: Color) -> String {
        match self.color {
            true => format!("\x1b[{}m{text}\x1b[0m", color as u8),
            false => text.to_owned(),
        }
    }
}

/// 80 columns, without colours and movement.
impl Default for Style {
    fn default() -> Self {
        Self { width: 80, color: false, live: false }
    }
}
