//! Bar charts for the documents, as SVG.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::table::short;

/// A chart of horizontal bars, which all begin at zero.
pub struct Picture {
    pub title: String,
    /// What the numbers are, and whether more or less is better.
    pub unit: String,
    pub rows: Vec<Row>,
    pub goal: Option<Goal>,
}

/// A bar with its label on the left and its value on the right.
pub struct Row {
    pub label: String,
    pub value: f64,
    /// In colour; the others are grey.
    pub is_ours: bool,
}

/// A dashed line across the bars.
pub struct Goal {
    pub label: String,
    pub value: f64,
}

// All in pixels.
const WIDTH: f64 = 720.0;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 64.0;
const ROW: f64 = 28.0;
const BAR: f64 = 18.0;
/// Keeps a value on the right of the longest bar.
const VALUE: f64 = 64.0;
/// A letter is rarely wider at this size, and what is measured differs from font to font.
const LETTER: f64 = 7.4;

/// The picture brings its own ground, so that it can be read on any page.
const STYLE: &str = "\
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .unit, .goal { fill: #59636e }
  .ground { fill: #ffffff; stroke: #d1d9e0 }
  .bar { fill: #afb8c1 }
  .ours { fill: #0969da }
  .line { stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 5 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .unit, .goal { fill: #b1bac4 }
    .ground { fill: #0d1117; stroke: #3d444d }
    .bar { fill: #656c76 }
    .ours { fill: #4493f8 }
    .line { stroke: #f0883e }
  }
";

impl Picture {
    /// The picture as a file of its own, whose text stays text.
    pub fn svg(&self) -> String {
        let left = self.left();
        let bottom = HEAD + ROW * self.rows.len() as f64;
        let height = bottom + if self.goal.is_some() { 30.0 } else { 14.0 };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n<title>{}</title>\n\
             <style>\n{STYLE}</style>\n",
            escaped(&self.title)
        );
        let _ = writeln!(
            svg,
            "<rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\"/>",
            WIDTH - 1.0,
            height - 1.0
        );
        text(&mut svg, "title", MARGIN, 28.0, "start", &self.title);
        text(&mut svg, "unit", MARGIN, 48.0, "start", &self.unit);
        for (at, row) in self.rows.iter().enumerate() {
            let (top, length) = (HEAD + ROW * at as f64, self.length(row.value, left));
            let base = top + 18.0;
            text(&mut svg, "label", left - 8.0, base, "end", &row.label);
            let class = if row.is_ours { "bar ours" } else { "bar" };
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{length:.1}\" \
                 height=\"{BAR}\" rx=\"2\"/>",
                top + (ROW - BAR) / 2.0
            );
            text(&mut svg, "value", left + length + 8.0, base, "start", &short(row.value));
        }
        if let Some(goal) = &self.goal {
            let x = left + self.length(goal.value, left);
            let _ = writeln!(
                svg,
                "<line class=\"line\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{HEAD}\" y2=\"{bottom:.1}\"/>"
            );
            // On the side of the line where there is room.
            let anchor = if x > WIDTH / 2.0 { "end" } else { "start" };
            text(&mut svg, "goal", x, bottom + 18.0, anchor, &goal.label);
        }
        svg + "</svg>\n"
    }

    /// Writes the picture to a file.
    pub fn save(&self, path: &Path) -> Result<()> {
        fs::write(path, self.svg()).with_context(|| format!("writing {}", path.display()))
    }

    /// Where the bars begin: after the longest label, which may take half of the width.
    fn left(&self) -> f64 {
        let letters = self.rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
        (MARGIN + 8.0 + letters as f64 * LETTER).min(WIDTH / 2.0)
    }

    /// The length of a bar; the longest takes all the room.
    fn length(&self, value: f64, left: f64) -> f64 {
        let values = self.rows.iter().map(|row| row.value);
        let most = values.chain(self.goal.as_ref().map(|goal| goal.value)).fold(0.0, f64::max);
        // What is no number, or below zero, has no bar. So nothing is divided by zero either.
        let share = if value > 0.0 { value / most } else { 0.0 };
        share * (WIDTH - MARGIN - VALUE - left)
    }
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(
        svg,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
