//! Answers of the client, in the forms that clients write, and questions that it does not hear.

use std::sync::{Arc, mpsc};

use serde_json::{Value, json};
use toolwright::host::Limits;
use toolwright::{AskError, Context, Tool, ToolRegistry};

use super::scene::{Scene, in_time};

/// A call that has asked, with 1 as the id of the question.
fn asked() -> Scene {
    let ask = Tool::new("ask", "", json!({"type": "object"}), async |_: Value, cx: Context| {
        cx.ask("roots/list", &mut |_: &mut Vec<u8>| {}).await.map(String::from)
    });
    let registry = ToolRegistry::builder("toy").tool(ask).build().unwrap();
    let scene = Scene::new(&registry, Limits::default());
    scene.call(1, "ask", "{}");
    scene.runtime.block_on(tokio::task::yield_now());
    assert_eq!(
        scene.said.text(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\",\"params\":{}}\n"
    );
    scene
}

fn text(scene: &Scene) -> String {
    scene.settle();
    let said = scene.said.text();
    let answer: Value = serde_json::from_str(said.lines().nth(1).unwrap()).unwrap();
    assert_eq!((said.lines().count(), &answer["id"]), (2, &json!(1)), "{said}");
    answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_whole_number_may_be_written_as_a_fraction_and_a_missing_error_as_null() {
    in_time(|| {
        let scene = asked();
        scene.line(r#"{"jsonrpc":"2.0","id":1.0,"result":{"roots":[]},"error":null}"#);
        assert_eq!(text(&scene), r#"{"roots":[]}"#);
    });
}

#[test]
fn an_answer_under_another_id_is_nobodys() {
    in_time(|| {
        let scene = asked();
        for id in ["2", r#""1""#, "null", "1.00", "01", "-1"] {
            scene.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
        }
        scene.line(r#"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"#);
        assert_eq!(text(&scene), r#"{"a":1}"#);
    });
}

/// It is not answered itself: its id may be that of a request of the client.
#[test]
fn an_answer_that_is_too_long_fails_its_question() {
    in_time(|| {
        let heads =
            [r#"{"jsonrpc":"2.0","id":1,"result":{"a":"xxx"#, r#"{"jsonrpc":"2.0","result":"#];
        for head in heads {
            let scene = asked();
            scene.runner.receive_too_long(head.as_bytes(), br#"xxx"},"id":1}"#, 99);
            assert!(text(&scene).contains("the line has 99 bytes"), "{}", scene.said.text());
        }
    });
}

#[test]
fn a_question_after_the_end_of_the_connection_is_closed() {
    in_time(|| {
        let (given, taken) = mpsc::channel();
        let schema = json!({"type": "object"});
        let give = Tool::new("give", "", schema, move |_: Value, cx: Context| {
            let given = given.clone();
            async move { given.send(cx).unwrap() }
        });
        let registry = ToolRegistry::builder("toy").tool(give).build().unwrap();
        let scene = Scene::new(&registry, Limits::default());
        scene.line(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"x","version":"1"}}}"#);
        scene.call(2, "give", "{}");
        scene.settle();
        let cx = taken.recv().unwrap();
        let confirm = || scene.runtime.block_on(async { cx.confirm("Sure?").await });
        assert_eq!(confirm(), Err(AskError::Closed), "the call has ended");
        scene.runner.close();
        assert!(Arc::into_inner(scene.runner).is_some());
        assert_eq!(confirm(), Err(AskError::Closed), "the connection has ended");
    });
}
