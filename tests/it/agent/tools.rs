//! In-process tools.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::{Barrier, mpsc};
use toolwright::agent::{AgentClient, RawJson, query};
use toolwright::testing::Reply;
use toolwright::{Context, Image, Json, Tool, ToolRegistry, Value, data};

use super::calc;
use super::heard::Heard;
use super::scene::{Scene, all, say, turn, within};

/// Runs the script with these tools, all of them allowed.
async fn run(scene: &Scene, tools: impl IntoIterator<Item = Tool>) -> Heard {
    let options = scene
        .options()
        .mcp_server(calc::with(tools))
        .allowed_tools(["mcp__calc__*"])
        .build()
        .unwrap();
    let heard = all(&mut query("Go on.", options).await.unwrap()).await;
    assert_eq!(scene.model.turns_left(), 0, "{heard:#?}");
    assert!(!heard.result().is_error, "{heard:#?}");
    heard
}

#[tokio::test]
async fn two_read_only_calls_of_one_turn_run_at_the_same_time() {
    let Some(scene) = Scene::open().await else { return };
    let both = Arc::new(Barrier::new(2));
    let meet = calc::reader("meet", move |who: Value, _: Context| {
        let both = both.clone();
        async move {
            both.wait().await;
            format!("{who} has met")
        }
    });
    let calls = Reply::new()
        .call("mcp__calc__meet", json!({"who": "Ann"}))
        .call("mcp__calc__meet", json!({"who": "Bob"}));
    scene.model.reply(calls).say("They met.");
    run(&scene, [meet]).await;
    // The first to end is the first told.
    let mut texts: Vec<_> = scene.results().into_iter().map(|result| result.text).collect();
    texts.sort_unstable();
    assert_eq!(texts, [r#"{"who":"Ann"} has met"#, r#"{"who":"Bob"} has met"#]);
}

#[tokio::test]
async fn errors_and_panics_reach_the_model_and_the_run_goes_on() {
    let Some(scene) = Scene::open().await else { return };
    let fails = calc::reader("fails", async |_: Value, _: Context| Err::<(), _>("no such shelf"));
    let panics = calc::reader("panics", async |_: Value, _: Context| -> () {
        panic!("a panic that the test asked for")
    });
    scene.model.call("mcp__calc__fails", json!({})).call("mcp__calc__panics", json!({}));
    scene
        .model
        .call("mcp__calc__add", json!({"a": "two", "b": 40}))
        .call("mcp__calc__nope", json!({}));
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("Done.");
    run(&scene, [fails, panics]).await;

    let results = scene.results();
    let errors: Vec<_> = results.iter().map(|result| result.is_error).collect();
    assert_eq!(errors, [true, true, true, true, false]);
    // The CLI appends the schema of a tool that the model has not looked up.
    assert!(
        results[0].text.starts_with("no such shelf") && results[0].content.is_string(),
        "{results:#?}"
    );
    assert!(
        results[1].text.contains("panics") && !results[1].text.contains("asked for"),
        "{results:#?}"
    );
    assert!(results[2].text.contains("/a: expected number"), "{results:#?}");
    assert_eq!(
        results[3].text,
        "<tool_use_error>Error: No such tool available: mcp__calc__nope</tool_use_error>"
    );
    assert_eq!(results[4].text, "42");
}

#[tokio::test]
async fn an_image_reaches_the_model_as_an_image() {
    let Some(scene) = Scene::open().await else { return };
    let paint = calc::reader("paint", async |_: Value, _: Context| Image::png(calc::RED));
    scene.model.call("mcp__calc__paint", json!({})).say("Red.");
    run(&scene, [paint]).await;
    let results = scene.results();
    let blocks = results[0].content.as_array().unwrap();
    let image = blocks
        .iter()
        .find(|block| block["type"] == "image")
        .unwrap_or_else(|| panic!("{blocks:#?}"));
    assert_eq!(
        (&image["source"]["type"], &image["source"]["media_type"]),
        (&json!("base64"), &json!("image/png"))
    );
}

#[data]
struct Sum {
    sum: f64,
    exact: bool,
}

#[tokio::test]
async fn of_a_structured_result_the_model_gets_the_structured_content_only() {
    let Some(scene) = Scene::open().await else { return };
    let sum =
        calc::reader("sum", async |_: Value, _: Context| Json(Sum { sum: 42.5, exact: true }));
    scene.model.call("mcp__calc__sum", json!({})).say("Done.");
    run(&scene, [sum]).await;
    assert_eq!(scene.results()[0].text, r#"{"sum":42.5,"exact":true}"#);
}

#[tokio::test]
async fn a_long_text_reaches_the_model_whole_only_if_its_tool_says_so() {
    let Some(scene) = Scene::open().await else { return };
    const BOUND: usize = 50_000;
    let texts = [("just", BOUND), ("long", BOUND + 1)];
    let tools = texts.map(|(name, length)| {
        calc::reader(name, async move |_: Value, _: Context| "a".repeat(length))
    });
    let whole = calc::reader("whole", async |_: Value, _: Context| "a".repeat(BOUND + 1))
        .with_meta("anthropic/maxResultSizeChars", 2 * BOUND);
    for name in ["just", "long", "whole"] {
        scene.model.call(format!("mcp__calc__{name}"), json!({}));
    }
    scene.model.say("Done.");
    run(&scene, tools.into_iter().chain([whole])).await;
    let results = scene.results();
    let lengths: Vec<_> = results.iter().map(|result| result.text.matches('a').count()).collect();
    assert_eq!((lengths[0], lengths[2]), (BOUND, BOUND + 1));
    assert!(results[1].text.contains("<persisted-output>") && lengths[1] < 4_000, "{lengths:?}");
}

#[tokio::test]
async fn progress_is_taken() {
    let Some(scene) = Scene::open().await else { return };
    let slow = calc::reader("slow", async |_: Value, cx: Context| {
        for step in 1..=3 {
            cx.progress_of(f64::from(step), 3.0, format!("step {step}"));
        }
        "done"
    });
    scene.model.call("mcp__calc__slow", json!({})).say("Done.");
    let heard = run(&scene, [slow]).await;
    assert_eq!(scene.results()[0].text, "done", "{heard:#?}");
}

#[tokio::test]
async fn a_tool_knows_which_call_of_the_model_it_is() {
    let Some(scene) = Scene::open().await else { return };
    let which = calc::reader("which", async |_: Value, cx: Context| {
        cx.meta()["claudecode/toolUseId"].as_str().unwrap().to_owned()
    });
    scene.model.call("mcp__calc__which", json!({})).say("That one.");
    run(&scene, [which]).await;
    let result = scene.results().remove(0);
    assert_eq!(result.text, result.tool_use_id);
}

#[tokio::test]
async fn a_tool_added_at_run_time_is_callable_in_the_next_turn() {
    let Some(scene) = Scene::open().await else { return };
    let registry = calc::registry();
    let options =
        scene.options().mcp_server(registry.clone()).allow_registry(&registry).build().unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    scene.model.call("mcp__calc__add", json!({"a": 1, "b": 1})).say("Two.");
    say(&mut client, "Add.").await;

    registry.add(calc::reader("fresh", async |_: Value, _: Context| "fresh")).unwrap();
    // Answered after the CLI was told of the change, and so asked what the tools are.
    wait_for_tool(&client, "fresh").await;
    scene.model.call("mcp__calc__fresh", json!({})).say("Used it.");
    let heard = say(&mut client, "Now use the new one.").await;
    assert_eq!(heard.result().text(), "Used it.");
    assert_eq!(scene.results()[1].text, "fresh");
    within(client.close()).await;
}

async fn wait_for_tool(client: &AgentClient, name: &str) {
    within(async {
        loop {
            let servers = client.mcp_status().await.unwrap();
            let tools: Vec<_> = servers[0].tools.iter().map(RawJson::to_value).collect();
            if tools.iter().any(|tool| tool["name"] == name) {
                return;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_interrupt_stops_a_tool_and_the_next_prompt_runs_normally() {
    let Some(scene) = Scene::open().await else { return };
    let (began, mut beginnings) = mpsc::unbounded_channel();
    let (dropped, mut drops) = mpsc::unbounded_channel();
    let endless = calc::reader("endless", move |_: Value, _: Context| {
        let (began, guard) = (began.clone(), Guard(dropped.clone()));
        async move {
            let _guard = guard;
            began.send(()).unwrap();
            std::future::pending::<()>().await;
        }
    });
    let registry: ToolRegistry = calc::with([endless]);
    let options =
        scene.options().mcp_server(registry).allowed_tools(["mcp__calc__*"]).build().unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    scene.model.call("mcp__calc__endless", json!({}));
    client.query("Take your time.").await.unwrap();
    within(beginnings.recv()).await.unwrap();
    let receipt = within(client.interrupt()).await.unwrap();
    assert!(receipt.still_queued.is_empty(), "{receipt:?}");
    within(drops.recv()).await.unwrap();
    let heard = turn(&mut client).await;
    assert_eq!(heard.result().subtype, "error_during_execution");
    assert!(heard.result().is_error);
    let interruption = heard
        .messages()
        .iter()
        .rposition(|message| message.raw().contains("[Request interrupted by user"));
    assert_eq!(heard.kinds()[interruption.unwrap()..], ["user", "result"]);

    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
    let heard = say(&mut client, "What is 2 + 40?").await;
    assert_eq!((heard.result().text().as_ref(), heard.result().is_error), ("It is 42.", false));
    assert_eq!(scene.results().last().unwrap().text, "42");
    within(client.close()).await;
}

/// Tells that it was dropped.
struct Guard(mpsc::UnboundedSender<()>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}
