use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as TaskContext, Waker};

use serde_json::json;

use super::*;
use crate::mcp::context::Context;

/// A host decodes while it holds the line, and lets other threads read while it polls.
#[test]
fn a_handler_begins_when_it_is_polled() {
    static BEGAN: AtomicBool = AtomicBool::new(false);
    let tool = Tool::new("late", "", json!({"type": "object"}), |_: Value, _: Context| {
        BEGAN.store(true, Ordering::Relaxed);
        async { "done" }
    });
    let mut work = tool.decoder().decode(None, &Context::detached()).ok().unwrap().work.0;
    assert!(!BEGAN.load(Ordering::Relaxed));
    let polled = work.as_mut().poll(&mut TaskContext::from_waker(Waker::noop()));
    assert!(polled.is_ready());
    assert!(BEGAN.load(Ordering::Relaxed));
}

#[test]
fn getters_give_what_was_set() {
    let bare = Tool::new("bare", "Does nothing.", json!({"type": "object"}), nothing);
    assert_eq!((bare.name(), bare.description()), ("bare", "Does nothing."));
    assert_eq!((bare.title(), bare.timeout(), bare.kind()), (None, None, Kind::Async));
    assert!(bare.output_schema().is_none() && bare.icons().is_empty() && bare.meta().is_empty());
    assert_eq!(bare.annotations(), &ToolAnnotations::default());
    assert!(bare.scopes().is_empty());

    let dressed = bare
        .with_title("Bare")
        .with_description(format!("Does {}.", "much"))
        .with_timeout(Duration::from_secs(1))
        .with_icon(Icon::new("data:,"))
        .with_meta("a", 1)
        .with_scopes(["b", "c"])
        .with_output_schema(r#"{"type": "integer"}"#)
        .annotate(|annotations| annotations.read_only_hint = Some(true));
    assert_eq!((dressed.title(), dressed.timeout()), (Some("Bare"), Some(Duration::from_secs(1))));
    assert_eq!(dressed.description(), "Does much.");
    assert_eq!(dressed.icons(), [Icon::new("data:,")]);
    assert_eq!(dressed.scopes(), ["b", "c"]);
    assert_eq!(dressed.meta().get("a"), Some(&json!(1)));
    assert_eq!(dressed.output_schema().map(RawValue::get), Some(r#"{"type": "integer"}"#));
    assert_eq!(dressed.input_schema().get(), r#"{"type":"object"}"#);
    assert_eq!(dressed.annotations().read_only_hint, Some(true));
}

#[test]
fn an_output_schema_replaces_the_complaints_about_another() {
    let tool = |schema: &str| {
        let tool = Tool::new("bare", "", json!({"type": "object"}), nothing);
        tool.with_output_schema("{")
            .with_output_schema(r#"{"type":"int"}"#)
            .with_output_schema(schema)
    };
    let build = |tool| crate::ToolRegistry::builder("toy").tool(tool).build();
    build(tool("{}")).unwrap();
    let error = build(tool(r#"{"enum":0}"#)).unwrap_err();
    assert_eq!(error.complaints().len(), 1, "{error}");
}

#[test]
fn a_scope_that_no_token_can_have_is_a_complaint() {
    for scope in ["", "a b", "a\"", "a\\", "é", "a\n"] {
        let tool = Tool::new("bare", "", json!({"type": "object"}), nothing).with_scopes([scope]);
        let built = crate::ToolRegistry::builder("toy").tool(tool).build();
        let complaint = built.unwrap_err().to_string();
        assert!(complaint.starts_with(&format!("tool `bare`: its scope {scope:?}")), "{complaint}");
    }
}

/// The arguments of a tool by hand.
#[toolwright::data]
struct Note {
    text: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[test]
fn problems_have_the_place_at_which_they_are() {
    let tool =
        Tool::new("note", "", json!({"type": "object"}), |note: Note, _: Context| async move {
            note.text + &note.tags.concat()
        });
    for (arguments, expected) in [
        (r#"{"txt":1}"#, "missing field `text`"),
        (r#"{"tags":["a","b"]}"#, "missing field `text`"),
        (r#"{"text":1,"tags":[]}"#, "/text: invalid type: integer `1`, expected a string"),
        (r#"{"tags":["a",["b"]],"text":""}"#, "/tags/1: invalid type: sequence, expected a string"),
    ] {
        let refused = tool.decoder().decode(Some(arguments), &Context::detached()).err().unwrap();
        let expected = format!("Invalid arguments for `note`:\n- {expected}");
        assert_eq!(refused.to_string(), expected, "{arguments}");
    }
}

async fn nothing(_: Value, _: Context) {}

/// What a tool by hand with an output schema answers if it returns this.
#[cfg(debug_assertions)]
fn answered(schema: Value, result: Value) -> String {
    let give = move |_: Value, _: Context| {
        let result = result.clone();
        async move { crate::Json(result) }
    };
    let tool = Tool::new("give", "", json!({"type": "object"}), give).with_output_schema(schema);
    let registry = crate::ToolRegistry::builder("toy").tool(tool).build().unwrap();
    let mut called = std::pin::pin!(registry.call("give", json!({})));
    match called.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())) {
        std::task::Poll::Ready(Ok(result)) => result.to_text(),
        other => panic!("{other:?}"),
    }
}

#[cfg(debug_assertions)]
#[test]
fn a_result_that_breaks_its_schema_is_an_error_in_debug_builds() {
    let schema = json!({
        "type": "object",
        "properties": {"list": {"type": "array", "items": {"type": ["integer", "null"]}}},
        "required": ["list"],
    });
    let kept = json!({"list": [1, null, 2.0, -5], "more": true});
    assert_eq!(answered(schema.clone(), kept.clone()), kept.to_string());
    assert_eq!(
        answered(schema.clone(), json!({"list": [1, 1.5, "2"]})),
        "The result of `give` breaks the tool's output schema:\n\
         - /list/1: expected integer or null, got number 1.5\n\
         - /list/2: expected integer or null, got string \"2\": write 2 without quotes"
    );
    assert_eq!(
        answered(schema, json!([])),
        "The result of `give` breaks the tool's output schema:\n\
         - expected object with `list` (array), got array"
    );
    assert_eq!(
        answered(json!({"type": "integer", "minimum": 0}), json!(u64::MAX)),
        u64::MAX.to_string()
    );
}

#[cfg(debug_assertions)]
#[test]
fn an_output_schema_that_leads_back_to_itself_ends() {
    for schema in [
        json!({"type": "object", "allOf": [{"$ref": "#"}]}),
        json!({"type": "object", "oneOf": [{"anyOf": [{"$ref": "#"}]}, {"$ref": "#"}]}),
        json!({"$ref": "#"}),
    ] {
        assert_eq!(answered(schema, json!({"a": 1})), r#"{"a":1}"#);
    }
}
