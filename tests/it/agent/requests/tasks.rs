use std::fs;
use std::process::Command;

use serde_json::json;
use toolwright::agent::AgentClient;
use toolwright::agent::message::{Message, SystemMessage};

use super::{Heard, Scene, connect, turn, within};

fn task_of(heard: &Heard) -> String {
    let mut started = heard.system().filter_map(|message| match message {
        SystemMessage::TaskStarted(task) => Some(task.task_id.clone()),
        _ => None,
    });
    started.next().unwrap_or_else(|| panic!("no task in {:?}", heard.kinds()))
}

/// Reads until a message of a task says so.
async fn until(client: &mut AgentClient, is_it: impl Fn(&SystemMessage) -> bool) {
    let mut messages = client.messages();
    loop {
        let message = within(messages.next()).await.unwrap().unwrap();
        if matches!(&message, Message::System(message) if is_it(message)) {
            return;
        }
    }
}

#[tokio::test]
async fn a_command_in_the_background_is_read_and_stopped() {
    let Some(scene) = Scene::open().await else { return };
    let [ready, pipe] = ["ready", "pipe"].map(|name| scene.project().join(name));
    assert!(Command::new("mkfifo").args([&ready, &pipe]).status().unwrap().success());
    let mut client = connect(scene.options().allowed_tools(["Bash"])).await;
    let command = "echo begun; echo > ready; cat pipe";
    let input = json!({"command": command, "description": "Waits", "run_in_background": true});
    scene.model.call("Bash", input).say("It runs.").say("It was stopped.");
    client.query("Run it.").await.unwrap();
    let task = task_of(&turn(&mut client).await);
    // It has printed once it writes to the first pipe.
    within(tokio::task::spawn_blocking(|| fs::read(ready))).await.unwrap().unwrap();
    let output = within(client.get_task_output(&task)).await.unwrap();
    assert_eq!((output.output.as_str(), output.total_bytes), ("begun\n", 6));
    assert!(!output.truncated);
    within(client.stop_task(&task)).await.unwrap();
    until(&mut client, |message| {
        matches!(message, SystemMessage::TaskUpdated(update)
            if update.patch.status.as_deref() == Some("killed"))
            || matches!(message, SystemMessage::TaskNotification(_))
    })
    .await;
    let output = within(client.get_task_output(&task)).await.unwrap();
    assert!(output.output.starts_with("begun\n"), "{output:?}");
    assert!(within(client.get_task_output("none")).await.is_err());
    within(client.stop_task("none")).await.unwrap();
    within(client.close()).await;
}

#[tokio::test]
async fn a_command_goes_on_in_the_background() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = connect(scene.options().allowed_tools(["Bash"])).await;
    let command = "mkfifo pipe; cat pipe";
    scene.model.call("Bash", json!({"command": command, "description": "Waits"})).say("Later.");
    client.query("Run it.").await.unwrap();
    assert!(!within(client.background_tasks(Some("toolu_none"))).await.unwrap());
    // Of nothing at all, too, it says that it was put there.
    assert!(within(client.background_tasks(None)).await.unwrap());
    // The CLI says that it runs once it has run for some time.
    until(&mut client, |message| matches!(message, SystemMessage::TaskStarted(_))).await;
    assert!(within(client.background_tasks(None)).await.unwrap());
    let heard = turn(&mut client).await;
    assert_eq!(heard.result().text(), "Later.");
    assert!(heard.tool_results()[0].content.text().contains("background"), "{heard:?}");
    within(client.close()).await;
}
