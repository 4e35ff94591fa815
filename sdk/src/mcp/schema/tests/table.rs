//! The table of `docs/SCHEMAS.md`: each row is a type, its schema, and what decoding enforces.

mod difference;
mod rows;
mod judge;

use serde_json::Value;
use serde_json::value::RawValue;
use toolwright::Context;

use crate::mcp::tool::Tool;
use difference::Difference;

/// A type as the argument `it` of a tool.
struct Row {
    /// As people write it.
    written: &'static str,
    tool: Tool,
    /// How the type differs from its schema, each with a value that shows it.
    differs: &'static [(Difference, &'static str)],
    /// Values that are taken, and such that are not, one after the other.
    takes: &'static str,
    refuses: &'static str,
}

impl Row {
    fn schema(&self) -> Value {
        serde_json::from_str(self.tool.input_schema().get()).unwrap()
    }

    /// Whether the tool takes this value as its argument.
    fn takes(&self, value: &str) -> bool {
        let arguments = format!(r#"{{"it":{value}}}"#);
        self.tool.decoder().decode(Some(&arguments), &Context::detached()).is_ok()
    }
}

fn values(text: &'static str) -> Vec<&'static str> {
    let values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    values.map(|value| value.unwrap().get()).collect()
}

/// Without the features some rows of the page are not here.
#[cfg(all(feature = "chrono", feature = "uuid", feature = "url"))]
#[test]
fn the_page_has_the_schema_of_each_type() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/SCHEMAS.md");
    let text = std::fs::read_to_string(&page).unwrap();
    const RULE: &str = "|---|---|---|\n";
    let (before, after) = text.split_once(RULE).unwrap();
    let after = after.split_once("\n\n").unwrap().1;
    let rows = rows::rows();
    for (difference, _) in rows.iter().flat_map(|row| row.differs) {
        let why = format!("\n| {} | ", difference.words);
        assert!(before.contains(&why), "the page does not say why: {}", difference.words);
    }
    let line = |row: &Row| {
        let schema = row.schema()["properties"]["it"].to_string().replace('|', "\\|");
        let words: Vec<_> = row.differs.iter().map(|(difference, _)| difference.words).collect();
        let words = if words.is_empty() { "–".into() } else { words.join("; ") };
        format!("| `{}` | `{schema}` | {words} |\n", row.written)
    };
    let rows: String = rows.iter().map(line).collect();
    expect_test::expect_file![page].assert_eq(&format!("{before}{RULE}{rows}\n{after}"));
}

#[test]
fn each_type_takes_and_refuses_its_examples() {
    for row in rows::rows() {
        for value in values(row.takes) {
            assert!(row.takes(value), "{} refuses {value}", row.written);
        }
        for value in values(row.refuses) {
            assert!(!row.takes(value), "{} takes {value}", row.written);
        }
    }
}
