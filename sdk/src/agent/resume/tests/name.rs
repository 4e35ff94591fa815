//! The name that the user gives to the folder of transcripts.

use super::*;

#[tokio::test]
async fn the_users_name_of_the_folder_is_the_key() {
    let scene = Scene::new();
    let named = || {
        let config = scene.home.path().join(".claude");
        scene.options().env("CLAUDE_CONFIG_DIR", config).env("CLAUDE_CODE_PROJECT_DIR_NAME", "mine")
    };
    let said = [entry(&json!({"type": "user", "uuid": "a"}))];
    scene.store.append(&SessionKey::new("mine", ID), &said).await.unwrap();
    // One that only the CLI's own files have.
    let own = scene.home.path().join(format!(".claude/projects/mine/{OTHER}.jsonl"));
    write_lines(&own, &said).unwrap();
    for id in [ID, OTHER] {
        let (options, folder) = resumed(named().resume(id)).await;
        let folder = folder.unwrap();
        assert!(folder.path().join(format!("projects/mine/{id}.jsonl")).is_file(), "{id}");
        // What begins there is found by the next run.
        let fork = id.replace("f1d0f3c", "0000000");
        let written = folder.path().join(format!("projects/mine/{fork}.jsonl"));
        let mirror = Mirror::of(&options).unwrap();
        let entries = [json!({"type": "user", "uuid": "a"})];
        mirror.take(&json!({"filePath": written, "entries": entries}).to_string());
        mirror.flushed().await;
        assert!(resumed(named().resume(fork)).await.1.is_some());
    }
    assert!(scene.store.keys().iter().all(|key| key.project_key == "mine"));
}

#[tokio::test]
async fn a_name_that_did_not_count_does_not_begin_to() {
    let scene = Scene::new();
    scene.put(ID, None, &[SAID]).await;
    let options = scene.options().env("CLAUDE_CODE_PROJECT_DIR_NAME", "mine");
    let (options, folder) = resumed(options.resume(ID)).await;
    assert!(folder.unwrap().path().join(format!("projects/-/{ID}.jsonl")).is_file());
    let removed = ("CLAUDE_CODE_PROJECT_DIR_NAME".into(), None);
    assert!(options.launch().unwrap().0.env.contains(&removed));
}
