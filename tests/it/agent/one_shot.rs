//! `query`: one prompt, or a stream of prompts, to the end.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_core::Stream;
use serde_json::json;
use tokio::sync::mpsc;
use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::Thinking;
use toolwright::agent::{AgentOptionsBuilder, Message, Prompt, UserPrompt, query};

use super::calc;
use super::heard::Heard;
use super::scene::{Scene, all, within};

#[tokio::test]
async fn the_temporary_files_of_the_cli_are_in_the_folder_of_its_model() {
    let Some(scene) = Scene::open().await else { return };
    let command = json!({"command": "echo It runs.", "description": "Runs"});
    scene.model.call("Bash", command).say("It ran.");
    let mut run = query("Run it.", scene.options().build().unwrap()).await.unwrap();
    assert_eq!(all(&mut run).await.tool_results()[0].content.text(), "It runs.");
    assert_eq!(std::fs::read_dir(scene.temporary()).unwrap().count(), 0);
}

#[tokio::test]
async fn an_in_process_tool_answers_the_real_cli() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
    let options = scene
        .options()
        .mcp_server(calc::registry())
        .allowed_tools(["mcp__calc__*"])
        .build()
        .unwrap();
    let mut run = query("What is 2 + 40?", options).await.unwrap();
    assert_eq!(run.server_info().claude_code_version, Some(scene.version()));
    let heard = all(&mut run).await;

    assert_eq!(heard.text(), "It is 42.");
    let result = heard.result();
    assert_eq!((result.subtype.as_str(), result.is_error, result.num_turns), ("success", false, 2));
    assert_eq!(result.text(), "It is 42.");
    let told = heard.tool_results();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].content.text(), "42");
    let message =
        heard.messages().iter().find(|message| message.raw().contains("tool_result")).unwrap();
    assert!(
        message.raw().contains(r#""content":[{"type":"text","text":"42"}]"#)
            && !message.raw().contains("is_error"),
        "{message:?}"
    );
    assert_eq!(scene.results()[0].text, "42");

    let SystemMessage::Init(init) = heard.system().next().unwrap() else {
        panic!("{:?}", heard.kinds())
    };
    let server = &init.mcp_servers[0];
    assert_eq!(
        (server.name.as_str(), server.status.as_str(), server.source.as_deref()),
        ("calc", "connected", Some("sdk"))
    );
    assert!(init.tools.iter().any(|tool| tool == "mcp__calc__add"), "{:?}", init.tools);
    assert!(run.handle().exit().unwrap().status.unwrap().success());
}

/// Such requests look like those that the CLI makes beside the conversation.
#[tokio::test]
async fn a_model_that_has_no_tools_and_does_not_think_takes_its_turn() {
    let Some(scene) = Scene::open().await else { return };
    for model in ["claude-haiku-4-5", "my-model"] {
        scene.model.say("spam");
        let options = scene.options().no_tools().model(model).thinking(Thinking::Disabled);
        let mut run = query("Which kind is it?", options.build().unwrap()).await.unwrap();
        assert_eq!(all(&mut run).await.text(), "spam", "{model}");
    }
    assert_eq!(scene.model.turns_left(), 0);
}

#[tokio::test]
async fn a_run_can_be_finished_without_looking_at_its_messages() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("Hello.");
    let run = query("Hi", scene.options().build().unwrap()).await.unwrap();
    let result = within(run.finish()).await.unwrap();
    assert_eq!(result.text(), "Hello.");
    assert!(scene.request().user_texts().contains(&"Hi".to_owned()));
}

#[tokio::test]
async fn prompts_come_from_a_stream() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("One.").call("mcp__calc__add", json!({"a": 1, "b": 1})).say("Two.");
    let options = scene
        .options()
        .mcp_server(calc::registry())
        .allowed_tools(["mcp__calc__*"])
        .build()
        .unwrap();
    let (say, prompts) = mpsc::unbounded_channel();
    say.send("First").unwrap();
    let mut say = Some(say);
    let mut run = query(Prompt::stream(Prompts(prompts)), options).await.unwrap();
    let mut heard = Heard::default();
    while let Some(message) = within(run.next()).await {
        let message = message.unwrap();
        // The stream ends with the second prompt, and the run with that prompt's turn.
        if matches!(message, Message::Result(_))
            && let Some(say) = say.take()
        {
            say.send("Second").unwrap();
        }
        heard.push(message);
    }
    let results: Vec<_> = heard.results().iter().map(|result| result.text()).collect();
    assert_eq!(results, ["One.", "Two."]);
    assert_eq!(scene.results()[0].text, "2");
}

#[tokio::test]
async fn an_image_in_a_prompt_reaches_the_model() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("It is red.");
    let prompt = UserPrompt::text("Which colour is this?").and_image(calc::RED, "image/png");
    let run = query(prompt, scene.options().build().unwrap()).await.unwrap();
    within(run.finish()).await.unwrap();

    let request = scene.request();
    let messages = request.body()["messages"].as_array().unwrap();
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let image = blocks.filter(|block| block["type"] == "image").collect::<Vec<_>>();
    assert_eq!(image.len(), 1, "{messages:#?}");
    assert_eq!(
        (&image[0]["source"]["type"], &image[0]["source"]["media_type"]),
        (&json!("base64"), &json!("image/png"))
    );
    assert!(request.user_texts().contains(&"Which colour is this?".to_owned()));
}

struct Prompts(mpsc::UnboundedReceiver<&'static str>);

impl Stream for Prompts {
    type Item = &'static str;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<&'static str>> {
        self.0.poll_recv(cx)
    }
}

#[tokio::test]
async fn what_the_cli_does_is_written_to_a_file_or_to_standard_error() {
    let Some(scene) = Scene::open().await else { return };
    let printed = async |options: AgentOptionsBuilder| {
        let lines = Arc::new(AtomicUsize::new(0));
        let counted = lines.clone();
        let options = options.stderr(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        scene.model.say("Hello.");
        let run = within(query("Hi.", options.build().unwrap())).await.unwrap();
        within(run.finish()).await.unwrap();
        lines.load(Ordering::Relaxed)
    };
    let mut variables = scene.model.environment().into_iter();
    let (_, config) = variables.find(|(name, _)| name == "CLAUDE_CONFIG_DIR").unwrap();
    let logs = || std::fs::read_dir(Path::new(&config).join("debug")).map_or(0, Iterator::count);
    assert_eq!((printed(scene.options()).await, logs()), (0, 0));
    assert_eq!(printed(scene.options().debug(true)).await, 0);
    assert!(logs() > 0);
    assert!(printed(scene.options().extra_arg("debug-to-stderr", None)).await > 0);
}
