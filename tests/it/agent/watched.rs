//! Runs of the real CLI that are watched: at the terminal, and in a trace.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use serde_json::json;
use toolwright::agent::query;
use toolwright::agent::view::{Style, Terminal};

use super::calc;
use super::scene::{Scene, within};

/// What was written.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs what the model is told, before somebody who types this, and gives what is shown.
async fn watched(scene: &Scene, typed: &'static str) -> String {
    let screen = Screen::default();
    let mut terminal = Terminal::new(Cursor::new(typed), screen.clone(), Style::default());
    let options = terminal.attach(scene.options().mcp_server(calc::registry())).build().unwrap();
    let run = within(query("Go on.", options)).await.unwrap();
    within(terminal.watch(run)).await.unwrap();
    screen.text()
}

#[tokio::test]
async fn what_the_model_asks_is_answered_at_the_terminal() {
    let Some(scene) = Scene::open().await else { return };
    let option = |label, description| json!({"label": label, "description": description});
    let questions = json!({"questions": [
        {
            "question": "Which colours do you like?", "header": "Colours", "multiSelect": true,
            "options": [option("Red", "warm"), option("Green", "calm"), option("Blue", "cold")],
        },
        {
            "question": "Who else is to be asked?", "header": "Others", "multiSelect": false,
            "options": [option("Ann", "the first"), option("Bob", "the second")],
        },
    ]});
    scene.model.call("AskUserQuestion", questions).say("Thanks.");
    let shown = watched(&scene, "1,3\nNobody at all\n").await;
    let told = &scene.results()[0];
    assert!(!told.is_error, "{told:?}");
    for part in ["Which colours do you like?", "Red, Blue", "Nobody at all"] {
        assert!(told.text.contains(part), "{part}: {told:?}");
    }
    assert!(shown.contains("2  Green: calm") && shown.contains("2  Bob: the second"), "{shown}");
}

#[tokio::test]
async fn what_the_model_asks_may_stay_open() {
    let Some(scene) = Scene::open().await else { return };
    let options = json!([{"label": "A", "description": ""}, {"label": "B", "description": ""}]);
    let question = json!({
        "question": "Which?", "header": "One", "multiSelect": false, "options": options,
    });
    scene.model.call("AskUserQuestion", json!({"questions": [question]})).say("Then not.");
    watched(&scene, "\n").await;
    let told = &scene.results()[0];
    assert!(told.is_error && told.text.contains("the user does not answer"), "{told:?}");
}

#[tokio::test]
async fn what_is_always_allowed_is_asked_once_and_written_nowhere() {
    let Some(scene) = Scene::open().await else { return };
    let add = || json!({"a": 2, "b": 40});
    scene.model.call("mcp__calc__add", add()).call("mcp__calc__add", add()).say("Done.");
    let shown = watched(&scene, "a\n").await;
    assert_eq!(shown.matches("[a]lways in this session").count(), 1, "{shown}");
    let told: Vec<_> = scene.results().into_iter().map(|result| result.text).collect();
    assert_eq!(told, ["42", "42"]);
    assert!(!scene.project().join(".claude/settings.local.json").exists());
}

#[tokio::test]
async fn the_trace_reaches_the_commands_of_the_cli() {
    let Some(scene) = Scene::open().await else { return };
    let command = json!({"command": "echo \"$TRACEPARENT $TRACESTATE\"", "description": "Show"});
    scene.model.call("Bash", command).say("Done.");
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let options = scene.options().allowed_tools(["Bash"]).trace_context(parent, "a=b");
    let run = within(query("Go on.", options.build().unwrap())).await.unwrap();
    within(run.finish()).await.unwrap();
    assert_eq!(scene.results()[0].text, format!("{parent} a=b"));
}
