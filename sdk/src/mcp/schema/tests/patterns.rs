//! Patterns in derived schemas.

use std::collections::HashMap;

use toolwright::{Context, ToolRegistry, data, tool, tools};

use super::input_properties;

#[data]
#[derive(PartialEq, Eq, Hash)]
#[schemars(extend("pattern" = r"^[\w\@\-]+\@$"))]
struct Code(String);

#[data]
struct Order {
    #[schemars(contains(pattern = "a-b"))]
    note: String,
}

#[tool]
fn order(order: Order, counts: HashMap<Code, u8>) -> usize {
    order.note.len() + counts.len() + counts.keys().map(|code| code.0.len()).sum::<usize>()
}

/// schemars writes `a\-b`, which no validator in JavaScript compiles.
#[test]
fn needless_escapes_are_removed() {
    expect_test::expect![[r#"
        order {"type":"object","properties":{"note":{"type":"string","pattern":"a-b"}},"required":["note"]}
        counts {"type":"object","additionalProperties":false,"patternProperties":{"^[\\w@\\-]+@$":{"type":"integer","minimum":0,"maximum":255}}}
    "#]].assert_eq(&input_properties(&order::tool()));
    ToolRegistry::builder("toy").tools(tools![order]).build().unwrap();
}

#[test]
fn a_pattern_whose_escapes_are_removed_is_enforced() {
    let tool = order::tool();
    let refused = |note: &str| {
        let arguments = format!(r#"{{"order":{{"note":"{note}"}},"counts":{{}}}}"#);
        let decoded = tool.decoder().decode(Some(&arguments), &Context::detached());
        decoded.err().map(|refused| refused.to_string())
    };
    assert_eq!(refused("xa-by"), None);
    let problem = refused("ab").unwrap();
    assert!(problem.contains("/order/note: expected a match of `a-b`"), "{problem}");
}
