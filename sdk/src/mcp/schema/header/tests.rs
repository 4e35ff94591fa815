use expect_test::expect;
use serde_json::json;

use super::*;

fn search(schema: &Value) -> (Vec<(String, String)>, String) {
    let mut defects = Vec::new();
    let found = headers(schema, &mut defects).into_iter();
    (found.map(|Header { name, path }| (name, path.join("/"))).collect(), defects.join("\n"))
}

#[test]
fn headers_are_found_through_properties() {
    let (found, defects) = search(&json!({
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "zone": {
                "type": "object",
                "properties": {
                    "number": {"type": "integer", "x-mcp-header": "X!1"},
                    "x-mcp-header": {"type": "boolean"},
                },
            },
            "plain": {"type": "number"},
        },
    }));
    assert_eq!(defects, "");
    let found: Vec<_> = found.iter().map(|(name, path)| (&**name, &**path)).collect();
    assert_eq!(found, [("mcp-param-region", "region"), ("mcp-param-x!1", "zone/number")]);
}

#[test]
fn what_makes_a_client_drop_the_tool_is_a_defect() {
    let (found, defects) = search(&json!({
        "type": "object",
        "x-mcp-header": "Root",
        "properties": {
            "a": {"type": "string", "x-mcp-header": ""},
            "b": {"type": "string", "x-mcp-header": "Two Words"},
            "c": {"type": "string", "x-mcp-header": 5},
            "d": {"type": "number", "x-mcp-header": "D"},
            "e": {"type": ["string", "null"], "x-mcp-header": "E"},
            "f": {"x-mcp-header": "F"},
            "g": {"type": "string", "x-mcp-header": "Region"},
            "h": {"type": "string", "x-mcp-header": "REGION"},
            "i": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}},
            "j": {"anyOf": [{"properties": {"k": {"type": "string", "x-mcp-header": "K"}}}]},
        },
        "$defs": {"l": {"type": "string", "x-mcp-header": "L"}},
    }));
    assert_eq!(found, [("mcp-param-region".to_owned(), "g".to_owned())]);
    expect![[r#"
        argument `a`: the header "" must be a token (RFC 9110, section 5.6.2): one or more of A-Z, a-z, 0-9 and !#$%&'*+-.^_`|~
        argument `b`: the header "Two Words" must be a token (RFC 9110, section 5.6.2): one or more of A-Z, a-z, 0-9 and !#$%&'*+-.^_`|~
        argument `c`: the header 5 must be a token (RFC 9110, section 5.6.2): one or more of A-Z, a-z, 0-9 and !#$%&'*+-.^_`|~
        argument `d`: the header "D" is for a string, an integer or a boolean, and its type is "number"
        argument `e`: the header "E" is for a string, an integer or a boolean, and its type is ["string","null"]
        argument `f`: the header "F" is for a string, an integer or a boolean, and its type is null
        argument `h`: another one has the header "REGION"; upper and lower case make no difference
        the header "Item" at `/i/items` is for an argument that `properties` alone lead to
        the header "K" at `/j/anyOf/k` is for an argument that `properties` alone lead to
        the header "L" at `/$defs/l` is for an argument that `properties` alone lead to
        the header "Root" at `/` is for an argument that `properties` alone lead to"#]].assert_eq(&defects);
}
