//! The form of results in each era.

use expect_test::expect;
use serde_json::value::RawValue;
use toolwright::{Context, Tool, ToolResult, Value, json};

use super::harness::{World, check, check_in};

#[test]
fn structured_content_is_an_object_in_the_legacy_era_and_anything_in_the_modern_one() {
    check(
        r#"legacy 1 tools/call {"name":"squares","arguments":{"n":3}}
           modern 2 tools/call {"name":"squares","arguments":{"n":3}}
           legacy 3 tools/call {"name":"mirror","arguments":{"point":{"x":1,"y":2}}}
           modern 4 tools/call {"name":"mirror","arguments":{"point":{"x":1,"y":2}}}
           legacy 5 tools/call {"name":"dressed"}
           modern 6 tools/call {"name":"dressed"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[1,4,9]"}],"structuredContent":{"result":[1,4,9]}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"[1,4,9]"}],"structuredContent":[1,4,9],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"x\":2,\"y\":1}"}],"structuredContent":{"x":2,"y":1}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"x\":2,\"y\":1}"}],"structuredContent":{"x":2,"y":1},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"3"}],"structuredContent":{"result":3}}}
            {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","content":[{"type":"text","text":"3"}],"structuredContent":3,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn without_an_output_schema_the_value_decides() {
    check(
        r#"legacy 1 tools/call {"name":"echo","arguments":{"value":{"result":1}}}
           legacy 2 tools/call {"name":"echo","arguments":{"value":[1]}}
           legacy 3 tools/call {"name":"echo","arguments":{"value":null}}
           legacy 4 tools/call {"name":"echo","arguments":{"value":"{"}}
           modern 5 tools/call {"name":"echo","arguments":{"value":null}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"result\":1}"}],"structuredContent":{"result":1},"_meta":{"example.com/b":1}}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]},"_meta":{"example.com/b":1}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"null"}],"structuredContent":{"result":null},"_meta":{"example.com/b":1}}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"\"{\""}],"structuredContent":{"result":"{"},"_meta":{"example.com/b":1}}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"null"}],"structuredContent":null,"_meta":{"example.com/b":1,"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn an_object_whose_members_nobody_knows_is_not_wrapped() {
    #[toolwright::tool]
    async fn loose() -> toolwright::Json<Value> {
        toolwright::Json(json!({"a": 1}))
    }
    check_in(
        World::with(|builder| builder.tools(toolwright::tools![loose])),
        r#"legacy 1 tools/call {"name":"loose"}
           modern 2 tools/call {"name":"loose"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn every_kind_of_content_is_written() {
    check(
        r#"legacy 1 tools/call {"name":"show"}
           modern 2 tools/call {"name":"show"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"line\none \u0000\"\\"},{"type":"image","data":"/////w==","mimeType":"image/png","annotations":{"audience":["user","assistant"],"priority":0.5},"_meta":{"example.com/a":null}},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","size":3},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"}},{"type":"resource","resource":{"uri":"file:///c.bin","mimeType":"application/octet-stream","blob":"AQ=="}}]}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"line\none \u0000\"\\"},{"type":"image","data":"/////w==","mimeType":"image/png","annotations":{"audience":["user","assistant"],"priority":0.5},"_meta":{"example.com/a":null}},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","size":3},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"}},{"type":"resource","resource":{"uri":"file:///c.bin","mimeType":"application/octet-stream","blob":"AQ=="}}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_pretty_value_goes_on_one_line() {
    let raw = Tool::new("raw", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        let pretty = RawValue::from_string("{\n  \"a\":\r\n 1}".to_owned()).unwrap();
        cx.log(toolwright::LoggingLevel::Error, &pretty);
        ToolResult::structured(&pretty)
    });
    check_in(
        World::with(|builder| builder.tool(raw)),
        r#"legacy 1 tools/call {"name":"raw"}"#,
        expect![[r#"
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":{   "a":   1}}}
        {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{   \"a\":   1}"}],"structuredContent":{   "a":   1}}}
    "#]],
    );
}

#[test]
fn a_value_that_contains_itself_keeps_its_schema_when_it_is_wrapped() {
    #[toolwright::data]
    enum Tree {
        Leaf(i32),
        Node(Vec<Tree>),
    }
    #[toolwright::tool]
    async fn grow() -> toolwright::Json<Tree> {
        toolwright::Json(Tree::Node(vec![Tree::Leaf(1), Tree::Node(vec![])]))
    }
    let registry = toolwright::ToolRegistry::builder("toy")
        .version("1")
        .tools(toolwright::tools![grow])
        .build()
        .unwrap();
    check_in(
        World::serving(registry, Default::default()),
        r#"legacy 1 tools/list
           modern 2 tools/list
           legacy 3 tools/call {"name":"grow"}
           modern 4 tools/call {"name":"grow"}"#,
        expect![[r##"
            {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"grow","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"outputSchema":{"type":"object","properties":{"result":{"oneOf":[{"type":"object","properties":{"Leaf":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["Leaf"],"additionalProperties":false},{"type":"object","properties":{"Node":{"type":"array","items":{"$ref":"#/properties/result"}}},"required":["Node"],"additionalProperties":false}]}},"required":["result"]}}]}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"grow","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"outputSchema":{"oneOf":[{"type":"object","properties":{"Leaf":{"type":"integer","minimum":-2147483648,"maximum":2147483647}},"required":["Leaf"],"additionalProperties":false},{"type":"object","properties":{"Node":{"type":"array","items":{"$ref":"#"}}},"required":["Node"],"additionalProperties":false}]}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"Node\":[{\"Leaf\":1},{\"Node\":[]}]}"}],"structuredContent":{"result":{"Node":[{"Leaf":1},{"Node":[]}]}}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"Node\":[{\"Leaf\":1},{\"Node\":[]}]}"}],"structuredContent":{"Node":[{"Leaf":1},{"Node":[]}]},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "##]],
    );
}

/// The Python and TypeScript clients raise on such a success, but pass on an error result.
#[test]
fn a_success_that_breaks_the_promise_of_its_output_schema_is_an_error_result() {
    let schema = || json!({"type": "object", "properties": {}});
    let broken = Tool::new("broken", "", schema(), async |_: Value, _: Context| "no structure")
        .with_output_schema(schema());
    check_in(
        World::with(|builder| builder.tool(broken)),
        r#"legacy 1 tools/call {"name":"broken"}
           modern 2 tools/call {"name":"broken"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The tool has an output schema and gave no structured content."}],"isError":true}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"The tool has an output schema and gave no structured content."}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}
