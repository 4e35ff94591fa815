//! Bounds of numbers and lengths.

use serde_json::{Map, Value};

use super::problem::Check;
use super::words::counted;

impl Check<'_> {
    pub(super) fn number(&mut self, schema: &Map<String, Value>, number: &serde_json::Number) {
        let Some(value) = number.as_f64() else { return };
        type Holds = fn(f64, f64) -> bool;
        let bounds: [(&str, Holds, &str); 4] = [
            ("minimum", |value, bound| value >= bound, "at least"),
            ("maximum", |value, bound| value <= bound, "at most"),
            ("exclusiveMinimum", |value, bound| value > bound, "more than"),
            ("exclusiveMaximum", |value, bound| value < bound, "less than"),
        ];
        for (key, holds, words) in bounds {
            let is_broken = |bound: f64| !holds(value, bound);
            let bound = schema.get(key).filter(|bound| bound.as_f64().is_some_and(is_broken));
            if let Some(bound) = bound {
                self.problem(format!("expected {words} {bound}, got {number}"));
            }
        }
        let step = schema.get("multipleOf").filter(|step| {
            step.as_f64().is_some_and(|step| step > 0.0 && !is_multiple(value / step))
        });
        if let Some(step) = step {
            self.problem(format!("expected a multiple of {step}, got {number}"));
        }
    }

    pub(super) fn length(
        &mut self,
        schema: &Map<String, Value>,
        suffix: &str,
        length: usize,
        unit: &str,
    ) {
        let bound = |prefix: &str| schema.get(&format!("{prefix}{suffix}")).and_then(Value::as_u64);
        if let Some(least) = bound("min").filter(|least| (length as u64) < *least) {
            self.problem(format!("expected at least {}, got {length}", counted(least, unit)));
        }
        if let Some(most) = bound("max").filter(|most| (length as u64) > *most) {
            self.problem(format!("expected at most {}, got {length}", counted(most, unit)));
        }
    }
}

/// True if a quotient is whole within rounding: 0.3 divided by 0.1 is not exactly 3.
fn is_multiple(quotient: f64) -> bool {
    (quotient - quotient.round()).abs() <= 1e-9 * quotient.abs().max(1.0)
}
