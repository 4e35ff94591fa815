//! What one schema says about a value itself, apart from its type.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::super::normalise::bounds;
use super::super::problem::{clipped, such_as};
use super::decimal::Decimal;
use super::pattern::Pattern;

/// The bounds of a schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    numbers: Vec<NumberRule>,
    step: Option<(Decimal, String)>,
    length: Sizes,
    items: Sizes,
    members: Sizes,
    pub(super) are_items_unique: bool,
    /// With what is expected, in words.
    pattern: Option<(Pattern, String)>,
}

/// A bound of numbers: what it may not be compared to the bound, and in words.
#[derive(Debug, Clone)]
struct NumberRule {
    bound: Decimal,
    wrong: Ordering,
    is_wrong_if_equal: bool,
    expected: String,
}

/// The least and the greatest size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Sizes {
    least: Option<u64>,
    most: Option<u64>,
}

impl Rules {
    /// The bounds of an integer type, which its format names, are no rules: decoding enforces them.
    pub(crate) fn of(schema: &Map<String, Value>) -> Self {
        if !schema.keys().any(|key| Self::is_bound(key)) {
            return Self::default();
        }
        let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
        let (least, most) = bounds(format);
        let number = |key: &str| schema.get(key).filter(|value| value.is_number());
        let mut numbers = Vec::new();
        let end = |key, of_type: Option<i64>| number(key).cloned().or(of_type.map(Value::from));
        let range = || {
            let range = end("minimum", least).zip(end("maximum", most));
            range.filter(|(least, most)| is_range(least, most))
        };
        for (key, of_type, wrong, is_wrong_if_equal, words) in [
            ("minimum", least, Ordering::Less, false, "at least"),
            ("maximum", most, Ordering::Greater, false, "at most"),
            ("exclusiveMinimum", None, Ordering::Less, true, "more than"),
            ("exclusiveMaximum", None, Ordering::Greater, true, "less than"),
        ] {
            let bound = number(key).filter(|bound| of_type.is_none() || bound.as_i64() != of_type);
            if let Some(bound) = bound
                && let Some(decimal) = Decimal::of(&bound.to_string())
            {
                let expected = match range() {
                    Some((least, most)) if !is_wrong_if_equal => {
                        format!("expected {least} to {most}")
                    }
                    _ => format!("expected {words} {bound}"),
                };
                numbers.push(NumberRule { bound: decimal, wrong, is_wrong_if_equal, expected });
            }
        }
        let step = number("multipleOf").map(Value::to_string);
        let pattern = schema.get("pattern").and_then(Value::as_str);
        Self {
            numbers,
            step: step.and_then(|step| Some((Decimal::of(&step)?, step))),
            length: Sizes::of(schema, "minLength", "maxLength"),
            items: Sizes::of(schema, "minItems", "maxItems"),
            members: Sizes::of(schema, "minProperties", "maxProperties"),
            are_items_unique: schema.get("uniqueItems") == Some(&Value::Bool(true)),
            pattern: pattern.and_then(|text| {
                let expected = format!("expected a match of `{text}`{}", such_as(schema));
                Some((Pattern::of(text)?, expected))
            }),
        }
    }

    /// True if a keyword says something about a value, apart from its type.
    pub(super) fn is_bound(keyword: &str) -> bool {
        matches!(
            keyword,
            "minimum"
                | "maximum"
                | "exclusiveMinimum"
                | "exclusiveMaximum"
                | "multipleOf"
                | "minLength"
                | "maxLength"
                | "minItems"
                | "maxItems"
                | "minProperties"
                | "maxProperties"
                | "uniqueItems"
                | "pattern"
        )
    }

    pub(super) fn is_empty(&self) -> bool {
        let sizes = [self.length, self.items, self.members];
        self.numbers.is_empty()
            && self.step.is_none()
            && sizes.iter().all(|sizes| *sizes == Sizes::default())
            && !self.are_items_unique
            && self.pattern.is_none()
    }

    pub(super) fn has_texts(&self) -> bool {
        self.length != Sizes::default() || self.pattern.is_some()
    }

    pub(super) fn has_items(&self) -> bool {
        self.items != Sizes::default() || self.are_items_unique
    }

    pub(super) fn has_members(&self) -> bool {
        self.members != Sizes::default()
    }

    /// What is wrong with a number, which is given as JSON text.
    pub(crate) fn number(&self, text: &str, wrong: &mut dyn FnMut(String)) {
        if self.numbers.is_empty() && self.step.is_none() {
            return;
        }
        let Some(number) = Decimal::of(text) else { return };
        let shown = clipped(text, 60);
        for rule in &self.numbers {
            let order = number.cmp(&rule.bound);
            if order == rule.wrong || (order == Ordering::Equal && rule.is_wrong_if_equal) {
                wrong(format!("{}, got {shown}", rule.expected));
            }
        }
        if let Some((step, expected)) = &self.step
            && !number.is_multiple_of(step)
        {
            wrong(format!("expected a multiple of {expected}, got {shown}"));
        }
    }

    pub(crate) fn text(&self, text: &str, wrong: &mut dyn FnMut(String)) {
        if self.length != Sizes::default() {
            self.length.check(text.chars().count(), "character", "characters", wrong);
        }
        if let Some((pattern, expected)) = &self.pattern
            && !pattern.is_match(text)
        {
            wrong(format!("{expected}, got {:?}", clipped(text, 60)));
        }
    }

    /// What is wrong with an array of so many items.
    pub(crate) fn items(&self, count: usize, wrong: &mut dyn FnMut(String)) {
        self.items.check(count, "item", "items", wrong);
    }

    /// What is wrong with an object of so many members.
    pub(crate) fn members(&self, count: usize, wrong: &mut dyn FnMut(String)) {
        self.members.check(count, "property", "properties", wrong);
    }
}

/// False if the least value is only that of a signed type, which nobody has thought of.
fn is_range(least: &Value, most: &Value) -> bool {
    ["int8", "int16", "int32"].iter().all(|format| {
        let (of_type, most_of_type) = bounds(format);
        least.as_i64() != of_type || most.as_i64() == most_of_type
    })
}

impl Sizes {
    fn of(schema: &Map<String, Value>, least: &str, most: &str) -> Self {
        let count = |key| {
            let count: &Value = schema.get(key)?;
            // 5.0 is a count as well.
            count.as_u64().or(count.as_f64().map(|count| count as u64))
        };
        Self { least: count(least), most: count(most) }
    }

    fn check(self, size: usize, one: &str, many: &str, wrong: &mut dyn FnMut(String)) {
        let counted = |count| format!("{count} {}", if count == 1 { one } else { many });
        if let Some(least) = self.least
            && (size as u64) < least
        {
            wrong(format!("expected at least {}, got {size}", counted(least)));
        }
        if let Some(most) = self.most
            && (size as u64) > most
        {
            wrong(format!("expected at most {}, got {size}", counted(most)));
        }
    }
}
