mod adding;
mod telling;

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context as TaskContext, Poll, Waker};

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use toolwright::mcp::{CallError, Link, Speech};
use toolwright::{Context, Resource, Tool, ToolRegistry, ToolResult, tool, tools};

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
fn slow() -> &'static str {
    "in place"
}

#[tool]
async fn fall() {
    panic!("on purpose")
}

#[tool]
async fn report(cx: &Context) -> String {
    cx.progress(0.5, "nobody hears this");
    format!("{:?} {:?} {:?}", cx.host(), cx.request_id(), cx.protocol_version())
}

/// A tool with a schema by hand.
fn by_hand(name: &'static str, schema: &str) -> Tool {
    Tool::new(name, "", schema, async |_: Value, _: Context| "done")
}

fn good(name: &'static str) -> Tool {
    by_hand(name, r#"{"type":"object"}"#)
}

/// The complaints of `build` about these tools.
fn check(tools: impl IntoIterator<Item = Tool>, expected: Expect) {
    let error = ToolRegistry::builder("toy").tools(tools).build().unwrap_err();
    assert_eq!(error.complaints().join("\n"), error.to_string());
    expected.assert_eq(&error.to_string());
}

fn names(registry: &ToolRegistry) -> Vec<String> {
    registry.tools().iter().map(|tool| tool.name().to_owned()).collect()
}

/// Calls a tool that never waits.
fn call(registry: &ToolRegistry, name: &str, arguments: Value) -> Result<ToolResult, CallError> {
    match pin!(registry.call(name, arguments)).poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => panic!("`{name}` waits"),
    }
}

#[test]
fn all_complaints_come_at_once() {
    let long: &'static str = "a123456789".repeat(13).leak();
    check(
        [
            good("fine"),
            good("a b"),
            good(""),
            good("ns/tool"),
            good("naïve"),
            good(long),
            good("fine"),
            good("fine"),
            by_hand("broken", r#"{"type":"#),
            by_hand("twice bad", r#"{"type":"array"}"#),
            by_hand("twice bad", r#"{"type":"array"}"#),
        ],
        expect![[r#"
            tool `a b`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
            tool ``: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
            tool `ns/tool`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
            tool `naïve`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
            tool `a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
            tool `fine`: there is more than one of that name
            tool `broken`: the schema is not JSON: EOF while parsing a value at line 1 column 8
            tool `twice bad`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
            tool `twice bad`: the input schema must say `"type": "object"` at its root
            tool `twice bad`: there is more than one of that name"#]],
    );
}

#[test]
fn a_name_may_have_a_hundred_and_twenty_eight_characters() {
    let longest: &'static str = "a".repeat(128).leak();
    let registry =
        ToolRegistry::builder("toy").tools([good(longest), good("A_b-c.9")]).build().unwrap();
    assert_eq!(names(&registry), [longest, "A_b-c.9"]);
}

#[test]
fn an_input_schema_must_be_one_of_objects() {
    check(
        [
            by_hand("none", "{}"),
            by_hand("array", r#"{"type":"array"}"#),
            by_hand("list", r#"{"type":["object","null"]}"#),
            by_hand("any", r#"{"anyOf":[{"type":"object"}]}"#),
            by_hand("true", "true"),
            by_hand("null", "null"),
            by_hand("text", r#""object""#),
        ],
        expect![[r#"
            tool `none`: the input schema must say `"type": "object"` at its root; that of a `Map<String, Value>` says it
            tool `array`: the input schema must say `"type": "object"` at its root
            tool `list`: the input schema must say `"type": "object"` at its root
            tool `any`: the input schema must say `"type": "object"` at its root, and have the alternatives in one of its members
            tool `true`: the input schema is not a JSON object
            tool `null`: the input schema is not a JSON object
            tool `text`: the input schema is not a JSON object"#]],
    );
}

#[test]
fn keywords_must_have_values_of_their_kind() {
    check(
        [
            by_hand(
                "draft-07",
                r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}"#,
            ),
            by_hand("schema", r#"{"$schema":7,"type":"object"}"#),
            by_hand("properties", r#"{"type":"object","properties":[]}"#),
            by_hand("property", r#"{"type":"object","properties":{"a":1}}"#),
            by_hand("required", r#"{"type":"object","required":true}"#),
            by_hand(
                "deep",
                r#"{"type":"object","properties":{"a":{"items":{"type":"text"}},"b":{"enum":"x"}}}"#,
            ),
            by_hand("defs", r#"{"type":"object","$defs":{"d":{"minimum":"1","pattern":1}}}"#),
            by_hand("branches", r#"{"type":"object","anyOf":[],"oneOf":{},"allOf":[1]}"#),
            by_hand("counts", r#"{"type":"object","minProperties":-1,"maxProperties":1.5}"#),
        ],
        expect![[r#"
            tool `draft-07`: the input schema has `$schema`: "http://json-schema.org/draft-07/schema#", which should be the dialect 2020-12, or nothing
            tool `schema`: the input schema has `$schema`: 7, which should be the dialect 2020-12, or nothing
            tool `properties`: the input schema has `properties`: [], which should be an object of schemas
            tool `property`: the input schema has `properties`: {"a":1}, which should be an object of schemas
            tool `required`: the input schema has `required`: true, which should be a list of names
            tool `deep`: the input schema has `type`: "text", which should be a JSON type or a list of them
            tool `deep`: the input schema has `enum`: "x", which should be a list of values that is not empty
            tool `defs`: the input schema has `minimum`: "1", which should be a number
            tool `defs`: the input schema has `pattern`: 1, which should be a regular expression of ECMA-262
            tool `branches`: the input schema has `anyOf`: [], which should be a list of schemas that is not empty
            tool `branches`: the input schema has `oneOf`: {}, which should be a list of schemas that is not empty
            tool `branches`: the input schema has `allOf`: [1], which should be a list of schemas that is not empty
            tool `counts`: the input schema has `minProperties`: -1, which should be a count
            tool `counts`: the input schema has `maxProperties`: 1.5, which should be a count"#]],
    );
}

#[test]
fn an_output_schema_may_be_of_any_value_but_must_be_a_schema() {
    let with = |name: &'static str, schema: &str| good(name).with_output_schema(schema);
    check(
        [
            with("true", "true"),
            with("type", r#"{"type":"int"}"#),
            with("broken", "{"),
            with("draft", r#"{"$schema":"http://json-schema.org/draft-04/schema#"}"#),
        ],
        expect![[r#"
            tool `true`: the output schema is not a JSON object
            tool `type`: the output schema has `type`: "int", which should be a JSON type or a list of them
            tool `broken`: the schema is not JSON: EOF while parsing an object at line 1 column 1
            tool `draft`: the output schema has `$schema`: "http://json-schema.org/draft-04/schema#", which should be the dialect 2020-12, or nothing"#]],
    );
    let fine = [
        with("array", r#"{"type":"array"}"#),
        with("any", "{}"),
        with("object", r#"{"type":"object"}"#),
    ];
    assert!(ToolRegistry::builder("toy").tools(fine).build().is_ok());
}

#[test]
fn what_is_unusual_and_allowed_is_taken() {
    let dialect = "https://json-schema.org/draft/2020-12/schema";
    let fine = [
        by_hand("dialect", &format!(r#"{{"$schema":"{dialect}","type":"object"}}"#)),
        by_hand("fragment", &format!(r#"{{"$schema":"{dialect}#","type":"object"}}"#)),
        by_hand(
            "booleans",
            r#"{"type":"object","properties":{"a":{"items":true}},"additionalProperties":false}"#,
        ),
        by_hand(
            "own",
            r#"{"type":"object","x-mine":{"type":7},"properties":{"type":{"type":"string"}},"default":{"type":"odd"}}"#,
        ),
        by_hand("combined", r#"{"type":"object","oneOf":[{"required":["a"]},{"not":{}}]}"#),
    ];
    assert!(ToolRegistry::builder("toy").tools(fine).build().is_ok());
}

#[test]
fn a_schema_given_by_hand_passes_byte_for_byte() {
    let schema =
        r#"{ "type" : "object","properties":{"z":{},"a":{ } } ,"é":1.0,"n":1e2,"s":"\u00e9\/" }"#;
    assert_eq!(by_hand("text", schema).input_schema().get(), schema);
    assert_eq!(
        by_hand("lines", "\n{\"type\":\r\n\"object\"}\n").input_schema().get(),
        "{\"type\":  \"object\"}"
    );
    let value = json!({"type": "object", "b": 1, "a": 2});
    assert_eq!(
        Tool::new("value", "", value, async |_: Value, _: Context| "").input_schema().get(),
        r#"{"type":"object","b":1,"a":2}"#
    );
}

#[test]
fn claude_knows_names_of_letters_digits_and_two_marks() {
    let registry = ToolRegistry::builder("my.notes 🗒").tool(good("a.b-c_1")).build().unwrap();
    assert_eq!(registry.allowed_tools(), ["mcp__my_notes_____a_b-c_1"]);
}

#[test]
fn tools_keep_their_order() {
    let registry = ToolRegistry::builder("calc")
        .tool(good("z"))
        .tools(tools![slow, add])
        .tool(good("a"))
        .build()
        .unwrap();
    assert_eq!(names(&registry), ["z", "slow", "add", "a"]);
    assert_eq!(
        registry.allowed_tools(),
        ["mcp__calc__z", "mcp__calc__slow", "mcp__calc__add", "mcp__calc__a"]
    );
    assert!(registry.remove("slow"));
    registry.add(good("m")).unwrap();
    assert_eq!(names(&registry), ["z", "add", "a", "m"]);
    assert_eq!(
        format!("{registry:?}"),
        r#"ToolRegistry { name: "calc", tools: ["z", "add", "a", "m"], .. }"#
    );
}

#[test]
fn a_tool_that_cannot_be_added_changes_nothing() {
    let registry = ToolRegistry::builder("toy").tools([good("a"), good("b")]).build().unwrap();
    let generation = registry.tool_list().generation();
    let refusal = |tool: Tool| registry.add(tool).unwrap_err().to_string();
    expect!["tool `a`: there is one of that name already"].assert_eq(&refusal(good("a")));
    expect![[r#"
        tool `a b`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)
        tool `a b`: the input schema is not a JSON object"#]]
    .assert_eq(&refusal(by_hand("a b", "[]")));
    assert_eq!(names(&registry), ["a", "b"]);
    assert!(!registry.remove("c"));
    assert_eq!(registry.tool_list().generation(), generation);
    let refused = registry.set_tools([good("c"), good("c")]).unwrap_err().to_string();
    expect!["tool `c`: there is more than one of that name"].assert_eq(&refused);
    assert_eq!(names(&registry), ["a", "b"]);
    assert_eq!(registry.tool_list().generation(), generation);
    registry.remove("a");
    registry.add(good("a")).unwrap();
    assert_ne!(registry.tool_list().generation(), generation);
}

#[test]
fn clones_are_one_registry() {
    let registry = ToolRegistry::builder("toy").build().unwrap();
    let clone = registry.clone();
    registry.add(good("a")).unwrap();
    assert_eq!(names(&clone), ["a"]);
    assert!(clone.remove("a"));
    assert_eq!(names(&registry), [""; 0]);
}

/// Counts the notifications.
#[derive(Default)]
struct Listener(AtomicUsize);

impl Link for Listener {
    fn speak(&self, _: Speech<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn every_session_that_lives_is_told_of_every_change() {
    let registry = ToolRegistry::builder("toy").tool(good("a")).build().unwrap();
    let (stays, leaves) = (Arc::new(Listener::default()), Arc::new(Listener::default()));
    for listener in [&stays, &leaves] {
        let listener: Arc<dyn Link> = listener.clone();
        registry.subscribe(Arc::downgrade(&listener));
    }
    let told = || (stays.0.load(Ordering::Relaxed), Arc::strong_count(&stays));
    registry.add(good("b")).unwrap();
    assert_eq!(told(), (1, 1));
    assert_eq!(leaves.0.load(Ordering::Relaxed), 1);
    drop(leaves);
    assert!(registry.remove("b"));
    assert_eq!(told(), (2, 1));
    assert!(!registry.remove("b"));
    assert!(registry.add(good("a")).is_err());
    assert_eq!(told(), (2, 1), "nothing has changed");
    registry.set_tools(["c", "a", "d"].map(good)).unwrap();
    assert_eq!((told(), names(&registry)), ((3, 1), ["c", "a", "d"].map(str::to_owned).into()));
}

#[test]
fn a_call_without_a_client_gives_the_result() {
    let registry =
        ToolRegistry::builder("toy").tools(tools![add, slow, fall, report]).build().unwrap();
    let text = |name: &str, arguments: Value| {
        call(&registry, name, arguments).map(|result| (result.is_error, result.to_text()))
    };
    assert_eq!(text("add", json!({"a": 2, "b": 40})), Ok((false, "42".into())));
    assert_eq!(text("slow", json!({})), Ok((false, "in place".into())));
    assert_eq!(text("report", json!({})), Ok((false, r#"Detached None """#.into())));
    assert_eq!(
        text("fall", json!({})),
        Ok((true, "The tool `fall` failed: an internal error stopped it.".into()))
    );
    assert_eq!(
        text("add", json!({"a": 2})),
        Ok((true, "Invalid arguments for `add`:\n- /b: missing, expected number".into()))
    );
}

#[test]
fn a_call_that_cannot_be_made_is_an_error() {
    let registry = ToolRegistry::builder("toy").tools(tools![add]).build().unwrap();
    let error =
        |name: &str, arguments: Value| call(&registry, name, arguments).unwrap_err().to_string();
    assert_eq!(error("sub", json!({})), "there is no tool `sub`");
    for arguments in [json!([1, 2]), json!(7), json!("{}")] {
        assert_eq!(
            error("add", arguments),
            "the arguments cannot be sent: a JSON object is needed"
        );
    }
    let unkeyed = std::collections::HashMap::from([((1, 2), 3)]);
    let refused =
        pin!(registry.call("add", unkeyed)).poll(&mut TaskContext::from_waker(Waker::noop()));
    assert_eq!(refused, Poll::Ready(Err(CallError::Arguments("key must be a string".into()))));
}

#[test]
fn of_two_threads_that_remove_a_tool_one_has_removed_it() {
    for _ in 0..200 {
        let registry = ToolRegistry::builder("toy").tool(slow::tool()).build().unwrap();
        let start = std::sync::Barrier::new(2);
        let removed = std::thread::scope(|scope| {
            let remove = || {
                start.wait();
                registry.remove("slow")
            };
            let threads = [scope.spawn(remove), scope.spawn(remove)];
            threads.map(|thread| thread.join().unwrap())
        });
        assert_ne!(removed[0], removed[1]);
    }
}

#[test]
fn a_uri_is_taken_however_it_is_written() {
    let toy = |uri: &'static str| Resource::new(uri, "toy", "", async |_, _| "text");
    let all = ["toy://a b", "toy://a%20b", "toy://é/{x}", "toy://%C3%A9/{x}", "toy://b"].map(toy);
    let error = ToolRegistry::builder("toy").resources(all).build().unwrap_err();
    expect![[r#"
        resource `toy://a%20b`: there is more than one of that URI
        resource `toy://%C3%A9/{x}`: there is more than one of that URI"#]]
    .assert_eq(&error.to_string());
    let registry = ToolRegistry::builder("toy").resources([toy("toy://%5b")]).build().unwrap();
    let error = registry.add_resource(toy("toy://%5B")).unwrap_err();
    assert_eq!(error.complaints(), ["resource `toy://%5B`: there is one of that URI already"]);
}
