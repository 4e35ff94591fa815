//! Results come through the protocol as the tools returned them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright::mcp::protocol::{Annotations, Role};
use toolwright::testing::TestClient;
use toolwright::{
    Audio, Content, EmbeddedResource, Image, Json, ResourceLink, ToolRegistry, ToolResult, data,
    tool, tools,
};

use super::program;

#[data]
#[derive(Debug, Clone, PartialEq)]
struct Hit {
    id: u64,
    score: f64,
}

/// An object that looks like the wrapping of the legacy era.
#[data]
#[derive(Debug, PartialEq)]
struct Wrapping {
    result: Vec<u32>,
}

#[data]
#[derive(Debug, PartialEq)]
struct Sum {
    result: i64,
}

#[tool]
async fn nothing() {}

#[tool]
async fn number() -> f64 {
    42.5
}

#[tool]
async fn digits() -> &'static str {
    "42"
}

#[tool]
async fn quoted() -> &'static str {
    "\"so\"\nit said"
}

#[tool]
async fn hit() -> Json<Hit> {
    Json(Hit { id: u64::MAX, score: 0.1 })
}

#[tool]
async fn hits() -> Json<Vec<Hit>> {
    Json(vec![Hit { id: 1, score: 1.0 }; 2])
}

#[tool]
async fn wrapping() -> Json<Wrapping> {
    Json(Wrapping { result: vec![1, 2] })
}

/// The text is no copy of the value.
#[tool]
async fn found() -> (&'static str, Json<Vec<u32>>) {
    ("two hits", Json(vec![1, 2]))
}

/// The text is what a value would be that is wrapped like this one.
#[tool]
async fn sum() -> (&'static str, Json<Sum>) {
    ("42", Json(Sum { result: 42 }))
}

#[tool]
async fn maybe(some: bool) -> Option<u32> {
    some.then_some(7)
}

#[tool]
async fn everything() -> ToolResult {
    let mut image = Image::png(b"png");
    let annotations = Annotations::default().audience([Role::User]).priority(0.5);
    image.annotations = Some(annotations);
    let mut link = ResourceLink::new("file:///a", "a");
    link.size = Some(3);
    link.meta.insert("k".into(), 1.into());
    ToolResult::text("all")
        .with(image)
        .with(Audio::wav(b"wav"))
        .with(link)
        .with(EmbeddedResource::text("file:///b", "text/plain", "b"))
        .with(EmbeddedResource::blob("file:///c", "application/x-c", b"c"))
        .with(Content::text("end"))
        .with_meta("rows", 3)
}

fn registry() -> ToolRegistry {
    ToolRegistry::builder("toy")
        .tools(tools![nothing, number, digits, quoted, hit, hits, wrapping, found, sum])
        .tools(tools![maybe, everything])
        .build()
        .unwrap()
}

fn clients() -> [TestClient; 2] {
    let client = || TestClient::in_memory(&registry()).unwrap();
    [client(), client().modern()]
}

#[tokio::test]
async fn a_result_is_what_the_tool_returned() {
    for mut client in clients() {
        for tool in registry().tools() {
            let arguments =
                json!(if tool.name() == "maybe" { json!({"some": true}) } else { json!({}) });
            let direct = registry().call(tool.name(), &arguments).await.unwrap();
            assert_eq!(client.call(tool.name(), &arguments).unwrap(), direct, "{}", tool.name());
        }
    }
}

#[test]
fn results_are_decoded() {
    for mut client in clients() {
        client.call_as::<()>("nothing", ()).unwrap();
        assert_eq!(client.call_as::<f64>("number", ()).unwrap(), 42.5);
        assert_eq!(client.call_as::<String>("number", ()).unwrap(), "42.5");
        assert_eq!(client.call_as::<String>("digits", ()).unwrap(), "42");
        assert_eq!(client.call_as::<u8>("digits", ()).unwrap(), 42);
        assert_eq!(client.call_as::<String>("quoted", ()).unwrap(), "\"so\"\nit said");
        assert_eq!(client.call_as::<Hit>("hit", ()).unwrap(), Hit { id: u64::MAX, score: 0.1 });
        assert_eq!(client.call_as::<Vec<Hit>>("hits", ()).unwrap().len(), 2);
        assert_eq!(client.call_as::<Wrapping>("wrapping", ()).unwrap().result, [1, 2]);
        let object: BTreeMap<String, Value> = client.call_as("wrapping", ()).unwrap();
        assert_eq!(object["result"], json!([1, 2]));
        assert_eq!(client.call_as::<Vec<u32>>("found", ()).unwrap(), [1, 2]);
        assert_eq!(client.call_as::<Sum>("sum", ()).unwrap(), Sum { result: 42 });
        let maybe = |client: &mut TestClient, some| {
            client.call_as::<Option<u32>>("maybe", json!({"some": some})).unwrap()
        };
        assert_eq!((maybe(&mut client, true), maybe(&mut client, false)), (Some(7), None));
    }
}

#[test]
fn a_result_stays_as_it_is_on_the_wire_for_those_who_want_it() {
    let [mut legacy, mut modern] = clients();
    let wire = |client: &mut TestClient| {
        client.call_tool("hits", json!({})).unwrap()["structuredContent"].is_array()
    };
    assert_eq!((wire(&mut legacy), wire(&mut modern)), (false, true));
}

/// A program does not say whether it has wrapped a value.
#[test]
fn a_value_of_a_program_is_what_it_can_be_decoded_as() {
    let answers = |text: &str| {
        let content = json!([{"type": "text", "text": text}]);
        let result = json!({"content": content, "structuredContent": {"result": [1, 2]}});
        program([json!({"jsonrpc": "2.0", "id": 0, "result": result})])
    };
    assert_eq!(answers("two hits").call_as::<Vec<u32>>("found", ()).unwrap(), [1, 2]);
    assert_eq!(answers("[1,2]").call_as::<Vec<u32>>("found", ()).unwrap(), [1, 2]);
    assert_eq!(answers("two hits").call_as::<Wrapping>("wrapping", ()).unwrap().result, [1, 2]);
    let error = answers("two hits").call_as::<String>("found", ()).unwrap_err().to_string();
    assert!(error.contains("the result is no alloc::string::String: invalid type: map"), "{error}");
}
