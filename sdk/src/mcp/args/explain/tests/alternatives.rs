//! Values that must match one of several schemas.

use std::collections::HashMap;

use serde_json::Value;
use toolwright::{Tool, data, tool};

use super::refused;

#[data]
enum Tone {
    /// Kind words only.
    Warm,
    Number(u8),
}

#[data]
#[serde(untagged)]
enum Place {
    City { city: String },
    Point { x: f64, y: f64, label: Option<String> },
}

#[tool]
fn write(tone: Tone, place: Option<Place>, value: Value) -> String {
    let tone = matches!(tone, Tone::Number(1));
    match place {
        Some(Place::City { city }) => city,
        Some(Place::Point { x, y, label }) => format!("{tone}{x}{y}{label:?}{value}"),
        None => String::new(),
    }
}

#[tool]
fn names(by_number: HashMap<u8, String>) -> usize {
    by_number.len()
}

fn assert_refused(tool: &Tool, arguments: &str, problems: &[&str]) {
    let expected = format!("Invalid arguments for `{}`:\n- {}", tool.name(), problems.join("\n- "));
    assert_eq!(refused(tool, arguments), expected, "{arguments}");
}

#[test]
fn what_is_missing_is_described_by_its_alternatives() {
    assert_refused(
        &write::tool(),
        "{}",
        &["/tone: missing, expected \"Warm\" or object with `Number`", "/value: missing"],
    );
}

#[test]
fn a_name_that_is_no_key_of_a_map_is_told_the_pattern() {
    assert_refused(
        &names::tool(),
        r#"{"by_number":{"one":"a"}}"#,
        &[r"/by_number/one: unknown, expected a name that matches `^\d+$`"],
    );
}
