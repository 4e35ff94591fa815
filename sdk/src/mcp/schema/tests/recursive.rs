//! Types that contain themselves keep their references, and these resolve.

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::{Args, Json, data, tool, tools};

use super::{check, input};
use crate::mcp::tool::Tool;

/// A tree.
#[data]
struct Node {
    name: String,
    children: Vec<Node>,
    parent: Option<Box<Node>>,
}

fn size(node: &Node) -> usize {
    1 + node.children.iter().chain(node.parent.as_deref()).map(size).sum::<usize>()
        + node.name.len()
}

#[tool]
fn by_name(
    /// The root.
    node: Node,
    other: &Node,
) -> usize {
    size(&node) + size(other)
}

#[tool]
fn whole(Args(node): Args<Node>) -> usize {
    size(&node)
}

#[tool]
fn list() -> Json<Vec<Node>> {
    Json(Vec::new())
}

#[data]
#[serde(untagged)]
enum Any {
    Number(f64),
    List(Vec<Any>),
}

#[tool]
fn root_is_no_object() -> Json<Any> {
    Json(Any::List(vec![Any::Number(1.0)]))
}

/// The output schema of each era, the modern one first.
fn output(tool: &Tool) -> [Value; 2] {
    use crate::mcp::protocol::Revision;
    [Revision::V2026_07_28, Revision::LATEST_LEGACY].map(|revision| {
        let info = serde_json::to_value(tool.definition().info(revision.profile())).unwrap();
        check(&info["outputSchema"]);
        info["outputSchema"].clone()
    })
}

fn takes(schema: &Value, value: &Value) -> bool {
    jsonschema::draft202012::is_valid(schema, value)
}

#[test]
fn references_resolve_wherever_the_type_stands() {
    let node = json!({"name": "a", "children": [{"name": "b", "children": []}], "parent": {"name": "c", "children": []}});
    let bad = json!({"name": "a", "children": [{"name": 1, "children": []}]});
    for (schema, wrap) in [(input(&by_name::tool()), true), (input(&whole::tool()), false)] {
        let arguments =
            |node: &Value| if wrap { json!({"node": node, "other": node}) } else { node.clone() };
        assert!(takes(&schema, &arguments(&node)), "{schema}");
        assert!(!takes(&schema, &arguments(&bad)), "{schema}");
    }
    // What goes out has its nulls.
    let node = json!({"name": "a", "children": [{"name": "b", "children": [], "parent": null}], "parent": null});
    let bad = json!({"name": "a", "children": [{"name": "b", "children": []}], "parent": null});
    let [modern, legacy] = output(&list::tool());
    assert!(takes(&modern, &json!([node])) && !takes(&modern, &json!([bad])), "{modern}");
    assert!(
        takes(&legacy, &json!({"result": [node]})) && !takes(&legacy, &json!({"result": [bad]})),
        "{legacy}"
    );
    let [modern, legacy] = output(&root_is_no_object::tool());
    assert!(
        takes(&modern, &json!([1, [[2]]])) && !takes(&modern, &json!([1, [["2"]]])),
        "{modern}"
    );
    assert!(
        takes(&legacy, &json!({"result": [1, [[2]]]}))
            && !takes(&legacy, &json!({"result": [1, [["2"]]]})),
        "{legacy}"
    );
}

#[test]
fn definitions_stand_at_the_root() {
    for tool in tools![by_name, whole] {
        let name = tool.name();
        match name {
            "by_name" => expect![[r##"{"type":"object","properties":{"node":{"description":"The root.","type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"$ref":"#/$defs/Node"}},"required":["name","children"]},"other":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"$ref":"#/$defs/Node"}},"required":["name","children"],"description":"A tree."}},"required":["node","other"],"additionalProperties":false,"$defs":{"Node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"$ref":"#/$defs/Node"}},"required":["name","children"],"description":"A tree."}}}"##]],
            _ => expect![[r##"{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#"}},"parent":{"$ref":"#"}},"required":["name","children"],"description":"A tree."}"##]],
        }
        .assert_eq(&input(&tool).to_string());
    }
    let [modern, legacy] = output(&list::tool());
    expect![[r##"{"type":"array","items":{"description":"A tree.","type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["name","children","parent"]},"$defs":{"Node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["name","children","parent"],"description":"A tree."}}}"##]].assert_eq(&modern.to_string());
    expect![[r##"{"type":"object","properties":{"result":{"type":"array","items":{"description":"A tree.","type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["name","children","parent"]}}},"required":["result"],"$defs":{"Node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}},"parent":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["name","children","parent"],"description":"A tree."}}}"##]].assert_eq(&legacy.to_string());
}

#[test]
fn problems_are_found_behind_references() {
    let registry = toolwright::ToolRegistry::builder("test").tool(by_name::tool()).build().unwrap();
    let arguments = json!({"node": {"name": "a", "children": [{"name": "b", "children": [{"children": []}]}]}, "other": {"name": "", "children": []}});
    let mut call = std::pin::pin!(registry.call("by_name", arguments));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(Ok(result)) = call.as_mut().poll(&mut cx) else {
        panic!("it waits")
    };
    expect![[r#"
        Invalid arguments for `by_name`:
        - /node/children/0/children/0/name: missing, expected string"#]]
    .assert_eq(&result.to_text());
}
