//! Progress bars.

use super::plain::fit;

/// The columns of the bar itself.
const BAR: usize = 20;

/// How far something is, from 0 to 1; `None` if that cannot be said.
pub(super) fn fraction(done: f64, total: f64) -> Option<f64> {
    let fraction = done / total;
    (total > 0.0 && fraction.is_finite()).then(|| fraction.clamp(0.0, 1.0))
}

/// A bar in so many columns at most. `message` is plain.
pub(super) fn bar(fraction: f64, message: &str, columns: usize) -> String {
    let (full, percent) = (part(fraction, BAR as f64), part(fraction, 100.0));
    let bar = format!("[{}{}] {percent:3}%", "#".repeat(full), ".".repeat(BAR - full));
    labelled(&bar, message, columns)
}

/// How much is done of what nobody has counted. `message` is plain.
pub(super) fn amount(done: f64, message: &str, columns: usize) -> String {
    labelled(&done.to_string(), message, columns)
}

/// The fraction of a whole. Nothing is shown as full before it is.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the fraction is from 0 to 1"
)]
pub(super) fn part(fraction: f64, whole: f64) -> usize {
    (fraction * whole) as usize
}

fn labelled(label: &str, message: &str, columns: usize) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    match message.is_empty() {
        true => fit(label, columns),
        false => fit(&format!("{label} {message}"), columns),
    }
}
