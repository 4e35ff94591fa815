use std::fs;
use std::time::SystemTime;

use serde_json::json;
use toolwright::agent::requests::ReadFile;
use toolwright::agent::{ControlError, UserPrompt};

use super::{Scene, connect, turn, within};

const MESSAGE: &str = "0b3e1f0a-5d3c-4b8e-9d7a-1c2d3e4f5a6b";

#[tokio::test]
async fn files_are_read() {
    let Some(scene) = Scene::open().await else { return };
    let file = scene.project().join("a.txt");
    fs::write(&file, "héllo\nworld\n").unwrap();
    let client = connect(scene.options()).await;

    let text = within(client.read_file("a.txt")).await.unwrap();
    assert_eq!(text.contents, "héllo\nworld\n");
    assert!(text.abs_path.ends_with("/a.txt") && !text.truncated && text.lossy == Some(false));
    let bytes = ReadFile::new("a.txt").base64().max_bytes(3);
    let bytes = within(client.read_file(bytes)).await.unwrap();
    assert_eq!((bytes.bytes().unwrap(), bytes.truncated), ("hé".as_bytes().to_vec(), true));
    let error = within(client.read_file("none.txt")).await.unwrap_err();
    assert!(
        matches!(&error, ControlError::Refused { message, .. } if message.contains("none.txt"))
    );

    within(client.seed_read_state(&file, SystemTime::now())).await.unwrap();
    let suggested = within(client.file_suggestions("a")).await.unwrap();
    assert!(suggested.cwd.ends_with("/project"), "{suggested:?}");
    within(client.close()).await;
}

#[tokio::test]
async fn files_go_back() {
    let Some(scene) = Scene::open().await else { return };
    let file = scene.project().join("new.txt");
    let options = scene.options().enable_file_checkpointing(true).allowed_tools(["Write"]);
    let mut client = connect(options).await;
    scene.model.call("Write", json!({"file_path": file, "content": "x\ny\n"})).say("Written.");
    client.query(UserPrompt::from("Write it.").uuid(MESSAGE)).await.unwrap();
    turn(&mut client).await;
    assert!(file.exists());

    let would = within(client.rewind_files(MESSAGE, true)).await.unwrap();
    assert!(would.can_rewind && would.deletions == 2 && file.exists(), "{would:?}");
    assert!(would.files_changed[0].ends_with("/new.txt"), "{would:?}");
    let has = within(client.rewind_files(MESSAGE, false)).await.unwrap();
    assert!(has.can_rewind && !file.exists(), "{has:?}");
    // Only a dry run says what changes.
    assert!(has.files_changed.is_empty() && has.deletions == 0, "{has:?}");
    within(client.close()).await;
}

#[tokio::test]
async fn a_rewind_that_cannot_be_done_is_refused() {
    let Some(scene) = Scene::open().await else { return };
    for (stores, why) in [
        (true, "No file checkpoint found for this message."),
        (false, "File rewinding is not enabled."),
    ] {
        let client = connect(scene.options().enable_file_checkpointing(stores)).await;
        let would = within(client.rewind_files(MESSAGE, true)).await.unwrap();
        assert_eq!((would.can_rewind, would.error.as_deref()), (false, Some(why)));
        let error = within(client.rewind_files(MESSAGE, false)).await.unwrap_err();
        assert!(
            matches!(&error, ControlError::Refused { message, .. } if message == why),
            "{error}"
        );
        within(client.close()).await;
    }
}
