//! What a schema says about a value apart from its type.

use serde_json::Value;

/// The bounds of types of 32 bits, which nobody chose.
const OF_TYPES: [i64; 3] = [i32::MIN as i64, i32::MAX as i64, u32::MAX as i64];

/// The keywords of sizes, with what is counted.
const SIZES: [(&str, &str, &str); 3] = [
    ("minLength", "maxLength", "character"),
    ("minItems", "maxItems", "item"),
    ("minProperties", "maxProperties", "member"),
];

/// What the schema itself says, in short sentences, each after a space.
pub(crate) fn bounds(schema: &Value) -> String {
    let of = |keyword: &str| {
        let bound = Some(&schema[keyword]).filter(|it| it.is_number());
        bound.filter(|it| it.as_i64().is_none_or(|bound| !OF_TYPES.contains(&bound)))
    };
    let mut said = range(of("minimum"), of("maximum"), "");
    for (keyword, words) in [
        ("exclusiveMinimum", "More than"),
        ("exclusiveMaximum", "Less than"),
        ("multipleOf", "A multiple of"),
    ] {
        if let Some(bound) = of(keyword) {
            said += &format!(" {words} {bound}.");
        }
    }
    for (least, most, noun) in SIZES {
        said += &range(of(least), of(most), noun);
    }
    if schema["uniqueItems"] == true {
        said += " No item twice.";
    }
    for (keyword, words) in [("pattern", "A match of"), ("format", "In the format")] {
        if let Some(text) = schema[keyword].as_str() {
            said += &format!(" {words} `{text}`.");
        }
    }
    said
}

fn range(least: Option<&Value>, most: Option<&Value>, noun: &str) -> String {
    let (words, last) = match (least, most) {
        (Some(least), Some(most)) if least == most => (String::new(), least),
        (Some(least), Some(most)) => (format!("{least} to "), most),
        (Some(least), None) => ("At least ".into(), least),
        (None, Some(most)) => ("At most ".into(), most),
        (None, None) => return String::new(),
    };
    match noun {
        "" => format!(" {words}{last}."),
        noun => format!(" {words}{last} {noun}{}.", if *last == 1 { "" } else { "s" }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bounds_are_short_sentences() {
        for (schema, said) in [
            (json!({"type": "string"}), ""),
            (json!(true), ""),
            (json!({"minimum": 1, "maximum": 20}), " 1 to 20."),
            (json!({"minimum": 0, "maximum": u32::MAX}), " At least 0."),
            (json!({"minimum": i32::MIN, "maximum": i32::MAX}), ""),
            (json!({"maximum": 0.5}), " At most 0.5."),
            (
                json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1, "multipleOf": 0.1}),
                " More than 0. Less than 1. A multiple of 0.1.",
            ),
            (json!({"minLength": 1, "maxLength": 1}), " 1 character."),
            (json!({"minItems": 1, "uniqueItems": true}), " At least 1 item. No item twice."),
            (json!({"minProperties": 2, "maxProperties": 3}), " 2 to 3 members."),
            (
                json!({"pattern": "^a+$", "maxLength": 4}),
                " At most 4 characters. A match of `^a+$`.",
            ),
            (json!({"format": "date-time"}), " In the format `date-time`."),
        ] {
            assert_eq!(bounds(&schema), said, "{schema}");
        }
    }
}
