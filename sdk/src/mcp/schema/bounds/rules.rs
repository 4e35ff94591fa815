//! What one schema says about a value itself, apart from its type.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::super::keyword::{get, is, text};
use super::super::normalise::bounds;
use super::super::portable::portable;
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
#[derive(Debug, Clone, Copy, Default)]
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
        let (least, most) = bounds(text(schema, "format").unwrap_or_default());
        let end = |key, of_type: Option<i64>| match number(schema, key) {
            Some(own) => Some(own.clone()),
            None => of_type.map(Value::from),
        };
        let range = match (end("minimum", least), end("maximum", most)) {
            (Some(least), Some(most)) if is_range(&least, &most) => {
                Some(format!("expected {least} to {most}"))
            }
            _ => None,
        };
        let mut numbers = Vec::new();
        let mut add = |key: &str, of_type: Option<i64>, wrong, words| {
            let Some(bound) = number(schema, key) else { return };
            if of_type.is_some() && bound.as_i64() == of_type {
                return;
            }
            let Some(decimal) = Decimal::of(&bound.to_string()) else { return };
            let is_wrong_if_equal = key.starts_with("exclusive");
            let expected = match &range {
                Some(range) if !is_wrong_if_equal => range.clone(),
                _ => format!("expected {words} {bound}"),
            };
            numbers.push(NumberRule { bound: decimal, wrong, is_wrong_if_equal, expected });
        };
        add("minimum", least, Ordering::Less, "at least");
        add("maximum", most, Ordering::Greater, "at most");
        add("exclusiveMinimum", None, Ordering::Less, "more than");
        add("exclusiveMaximum", None, Ordering::Greater, "less than");
        let (mut step, mut pattern) = (None, None);
        if let Some(value) = number(schema, "multipleOf").map(Value::to_string) {
            step = Decimal::of(&value).map(|decimal| (decimal, value));
        }
        if let Some(own) = text(schema, "pattern")
            && let Some(compiled) = Pattern::of(own)
        {
            let own = portable(own);
            pattern = Some((compiled, format!("expected a match of `{own}`{}", such_as(schema))));
        }
        Self {
            numbers,
            step,
            length: Sizes::of(schema, "minLength", "maxLength"),
            items: Sizes::of(schema, "minItems", "maxItems"),
            members: Sizes::of(schema, "minProperties", "maxProperties"),
            are_items_unique: is(schema, "uniqueItems", true),
            pattern,
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
        let has_numbers = !self.numbers.is_empty() || self.step.is_some();
        !(has_numbers || self.has_texts() || self.has_items() || self.has_members())
    }

    pub(super) fn has_texts(&self) -> bool {
        self.length.is_some() || self.pattern.is_some()
    }

    pub(super) fn has_pattern(&self) -> bool {
        self.pattern.is_some()
    }

    /// The most characters of a text.
    pub(super) fn longest(&self) -> Option<u64> {
        self.length.most
    }

    pub(super) fn set_longest(&mut self, most: Option<u64>) {
        self.length.most = most;
    }

    pub(super) fn has_items(&self) -> bool {
        self.items.is_some() || self.are_items_unique
    }

    pub(super) fn has_members(&self) -> bool {
        self.members.is_some()
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

    /// What is wrong with a text. Returns whether it is too long: then no pattern is to be matched,
    /// here or by another schema of the same text, as a match takes its time for each character.
    pub(crate) fn text(&self, text: &str, wrong: &mut dyn FnMut(String)) -> bool {
        if self.length.is_some() {
            let length = text.chars().count();
            self.length.check(length, "character", "characters", wrong);
            if self.length.most.is_some_and(|most| length as u64 > most) {
                return true;
            }
        }
        if let Some((pattern, expected)) = &self.pattern
            && !pattern.is_match(text)
        {
            wrong(format!("{expected}, got {:?}", clipped(text, 60)));
        }
        false
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

fn number<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Option<&'a Value> {
    get(schema, keyword).filter(|value| value.is_number())
}

/// False if the least value is only that of a signed type, which nobody has thought of.
fn is_range(least: &Value, most: &Value) -> bool {
    for format in &["int8", "int16", "int32"] {
        let (of_type, most_of_type) = bounds(format);
        if least.as_i64() == of_type && most.as_i64() != most_of_type {
            return false;
        }
    }
    true
}

impl Sizes {
    fn of(schema: &Map<String, Value>, least: &str, most: &str) -> Self {
        let count = |key| {
            let count = get(schema, key)?;
            // 5.0 is a count as well.
            count.as_u64().or(count.as_f64().map(|count| count as u64))
        };
        Self { least: count(least), most: count(most) }
    }

    fn is_some(self) -> bool {
        self.least.is_some() || self.most.is_some()
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
