//! Enums of every representation.

use expect_test::expect;
use toolwright::{Json, data, tool};

use super::{check, input_properties};

#[data]
#[serde(rename_all = "kebab-case")]
enum Unit {
    MilesPerHour,
    Knots,
}

/// One with words.
#[data]
enum Documented {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

#[data]
enum External {
    Nothing,
    Newtype(u8),
    Tuple(u8, String),
    Struct { a: Option<u8> },
}

#[data]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Internal {
    Circle { radius: f64 },
    Nothing,
}

#[data]
#[serde(tag = "kind", content = "of")]
enum Adjacent {
    Number(i8),
    Nothing,
}

#[data]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Number(f64),
    Struct { a: u8 },
}

#[tool]
fn enums(
    unit: Unit,
    documented: Documented,
    external: External,
    internal: Internal,
    adjacent: Adjacent,
    untagged: Untagged,
) -> String {
    let unit = matches!(unit, Unit::MilesPerHour | Unit::Knots);
    let documented = matches!(documented, Documented::Left | Documented::Right);
    let external = match external {
        External::Nothing => String::new(),
        External::Newtype(a) => a.to_string(),
        External::Tuple(a, b) => format!("{a}{b}"),
        External::Struct { a } => format!("{a:?}"),
    };
    let internal = match internal {
        Internal::Circle { radius } => radius,
        Internal::Nothing => 0.0,
    };
    let adjacent = match adjacent {
        Adjacent::Number(number) => number,
        Adjacent::Nothing => 0,
    };
    let untagged = match untagged {
        Untagged::Text(text) => text,
        Untagged::Number(number) => number.to_string(),
        Untagged::Struct { a } => a.to_string(),
    };
    format!("{unit}{documented}{external}{internal}{adjacent}{untagged}")
}

#[test]
fn every_representation_has_its_schema() {
    expect![[r#"
        unit {"type":"string","enum":["miles-per-hour","knots"]}
        documented {"oneOf":[{"type":"string","const":"Left","description":"To the left."},{"type":"string","const":"Right","description":"To the right."}],"description":"One with words."}
        external {"oneOf":[{"type":"string","enum":["Nothing"]},{"type":"object","properties":{"Newtype":{"type":"integer","minimum":0,"maximum":255}},"required":["Newtype"],"additionalProperties":false},{"type":"object","properties":{"Tuple":{"type":"array","prefixItems":[{"type":"integer","minimum":0,"maximum":255},{"type":"string"}],"minItems":2,"maxItems":2}},"required":["Tuple"],"additionalProperties":false},{"type":"object","properties":{"Struct":{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255}}}},"required":["Struct"],"additionalProperties":false}]}
        internal {"oneOf":[{"type":"object","properties":{"kind":{"type":"string","const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},{"type":"object","properties":{"kind":{"type":"string","const":"nothing"}},"required":["kind"]}]}
        adjacent {"oneOf":[{"type":"object","properties":{"kind":{"type":"string","const":"Number"},"of":{"type":"integer","minimum":-128,"maximum":127}},"required":["kind","of"]},{"type":"object","properties":{"kind":{"type":"string","const":"Nothing"}},"required":["kind"]}]}
        untagged {"anyOf":[{"type":"string"},{"type":"number"},{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":255}},"required":["a"]}]}
    "#]].assert_eq(&input_properties(&enums::tool()));
}

#[data]
#[derive(Default)]
enum Filter {
    #[default]
    #[serde(skip)]
    Unset,
    Tag(String),
    Author {
        name: String,
    },
}

#[data]
#[derive(Default)]
enum Impossible {
    #[default]
    #[serde(skip)]
    Never,
}

#[tool]
fn filtered(filter: Filter, or: Option<Impossible>) -> Json<Filter> {
    match or.unwrap_or_default() {
        Impossible::Never => Json(filter),
    }
}

/// A list of no values is none that every client compiles.
#[test]
fn variants_that_are_skipped_leave_no_empty_list() {
    let filter = r#"{"oneOf":[{"type":"object","properties":{"Tag":{"type":"string"}},"required":["Tag"],"additionalProperties":false},{"type":"object","properties":{"Author":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},"required":["Author"],"additionalProperties":false}]}"#;
    assert_eq!(
        input_properties(&filtered::tool()),
        format!("filter {filter}\nor {{\"type\":\"string\",\"not\":{{}}}}\n")
    );
    let tool = filtered::tool();
    let output = tool.output_schema().unwrap().get();
    check(&serde_json::from_str(output).unwrap());
    assert_eq!(output, filter);
}
