//! Sessions of the worktrees of a repository.

use std::process::Command;

use super::*;
use crate::agent::sessions::{SessionError, project, worktrees};

fn prompt(text: &str) -> Value {
    said("user", "u", None, text)
}

/// A repository and a second worktree of it.
fn repository(home: &Home, [first, second]: [&str; 2]) -> [PathBuf; 2] {
    let [first, second] = [first, second].map(|name| home.path().join(name));
    fs::create_dir(&first).unwrap();
    let tree = second.to_str().unwrap();
    let commit = "-c user.name=n -c user.email=e commit --quiet --allow-empty --message=m";
    let add = "worktree add --quiet --detach";
    for (arguments, last) in [("init --quiet", None), (commit, None), (add, Some(tree))] {
        let mut git = Command::new("git");
        git.args(arguments.split(' ').chain(last));
        git.current_dir(&first).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(git.status().unwrap().success(), "{arguments}");
    }
    [first, second]
}

#[test]
fn a_session_of_another_worktree_is_found_unless_that_is_not_wanted() {
    let home = Home::new();
    let [first, second] = repository(&home, ["first", "second"]);
    let folder = project::project_key(&second);
    home.write(&format!("{folder}/{ID}.jsonl"), &[prompt("Hello")]);
    let here = home.sessions().in_project(first);
    assert_eq!(here.list_sessions(..).unwrap().len(), 1);
    assert!(here.session_info(ID).unwrap().is_some());
    let alone = here.without_worktrees();
    assert_eq!(alone.list_sessions(..).unwrap(), []);
    assert!(matches!(alone.session_info(ID), Err(SessionError::NotFound { .. })));
}

#[test]
fn a_folder_in_a_worktree_is_no_other_one_with_the_same_name() {
    let home = Home::new();
    let [app, tree] = repository(&home, ["app", "app-x"]);
    let inner = app.join("x");
    fs::create_dir(&inner).unwrap();
    let mut said = prompt("Hello");
    said["cwd"] = project::canonical(&inner).into();
    home.write(&format!("{}/{ID}.jsonl", project::project_key(&inner)), &[said]);
    assert_eq!(home.sessions().in_project(app).list_sessions(..).unwrap().len(), 1);
    let alone = home.sessions().in_project(tree).without_worktrees();
    assert_eq!(alone.list_sessions(..).unwrap(), []);
}

/// Git tells its hooks the repository that they run for.
#[test]
fn a_hook_of_a_repository_may_list_another_one() {
    let home = Home::new();
    let [first, _] = repository(&home, ["first", "second"]);
    let [other, _] = repository(&home, ["other", "third"]);
    let mut git = Command::new("git");
    git.envs([("GIT_DIR", first.join(".git")), ("GIT_WORK_TREE", first)]);
    let listed = worktrees::list(other.to_str().unwrap(), git).unwrap();
    let names = listed.lines().filter_map(|line| line.strip_prefix("worktree "));
    let names: Vec<_> = names.filter_map(|path| Path::new(path).file_name()).collect();
    assert_eq!(names, ["other", "third"]);
}
