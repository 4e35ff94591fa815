//! What a run of another user gets.

use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use super::*;
use crate::agent::user::User;
use crate::agent::user::tests::{may_enter_temporary_folders, may_run_as_others};

#[tokio::test]
async fn a_cli_of_another_user_can_use_the_configuration() {
    if !may_run_as_others() {
        return;
    }
    let user = User::find("65534").unwrap();
    if !may_enter_temporary_folders(user) {
        return;
    }
    let scene = Scene::new();
    scene.put(ID, None, &[r#"{"type":"user"}"#]).await;
    scene.put(ID, Some("subagents/agent-a"), &[r#"{"type":"user"}"#]).await;
    scene.home.give_to(user).unwrap();
    let hidden = Folder::create().unwrap();
    write(&hidden.path().join("secret"), b"of root").unwrap();
    let link = scene.home.path().join(".claude/cowork_settings.json");
    symlink(hidden.path().join("secret"), link).unwrap();
    let (options, folder) = resumed(scene.options().resume(ID).user("65534")).await;
    let folder = folder.unwrap();
    let user = options.launch().unwrap().0.user.unwrap();
    // It reads, changes and adds files, here as in the folders below.
    let mut shell = Command::new("/bin/sh");
    shell.args([
        "-ec",
        "umask 077; cat .claude.json; cd projects/-; cat *.jsonl */subagents/*.jsonl >all",
    ]);
    shell.current_dir(folder.path()).uid(user.0).gid(user.1.unwrap_or(user.0)).env_clear();
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!folder.path().join("cowork_settings.json").exists(), "it leads to what is root's");
    assert_eq!(files(folder.path(), folder.path()).len(), 7);
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
    let error = from_store(scene.options().resume(ID).user("nobody at all").build().unwrap()).await;
    assert!(matches!(error, Err(ConnectError::User { .. })));
}

#[tokio::test]
async fn what_the_user_could_not_read_is_not_copied() {
    let scene = Scene::new();
    scene.own();
    let options = scene.options().resume(ID).user("4294967000").build().unwrap();
    let (user, folder) = (options.user().unwrap(), Folder::create().unwrap());
    config::copy(&Surroundings::of(&options.process.env), folder.path(), user).await.unwrap();
    assert_eq!(files(folder.path(), folder.path()), []);
    let error = from_store(options).await.unwrap_err();
    assert!(error.to_string().contains("may not read this"), "{error}");
    assert!(scene.store.keys().is_empty());
}

#[tokio::test]
async fn a_moved_session_that_the_user_could_not_read_does_not_go_on() {
    let (scene, begun) = (Scene::new(), SessionKey::new("-nowhere", ID));
    let said = [entry(&json!({"type": "user", "uuid": "a", "cwd": "/nowhere"}))];
    write_lines(&scene.home.path().join(format!(".claude/projects/-/{ID}.jsonl")), &said).unwrap();
    scene.store.append(&begun, &said).await.unwrap();
    let options = scene.options().resume(ID).user("4294967000").build().unwrap();
    let error = from_store(options).await.unwrap_err();
    assert!(error.to_string().contains("may not read this"), "{error}");
}
