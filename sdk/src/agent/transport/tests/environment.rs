use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use super::{Launch, outcome, run, script, shell};
use crate::agent::transport::environment::apply;
use crate::agent::user::tests::may_run_as_others;

fn set(name: &str, value: &str) -> (OsString, Option<OsString>) {
    (name.into(), Some(value.into()))
}

/// What the child finds, a variable a line.
fn environment(
    env: Vec<(OsString, Option<OsString>)>,
    env_clear: bool,
) -> BTreeMap<String, String> {
    let (output, exit) = run(outcome(shell(), Launch { env, env_clear, ..script("/usr/bin/env") }));
    assert!(exit.status.unwrap().success(), "{exit}");
    output
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

#[test]
fn it_is_inherited() {
    let env = environment(Vec::new(), false);
    assert!(!env.contains_key("CLAUDECODE"));
    assert_eq!(env["PATH"], std::env::var("PATH").unwrap());
}

#[test]
fn the_mark_of_an_outer_cli_is_taken_away() {
    let changes = |launch: &Launch| {
        let mut command = Command::new("claude");
        apply(&mut command, launch, None);
        command
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned)))
            .collect::<BTreeMap<_, _>>()
    };
    assert_eq!(changes(&Launch::default()).get(OsStr::new("CLAUDECODE")), Some(&None));
    let launch = Launch { env: vec![set("CLAUDECODE", "1")], ..Launch::default() };
    assert_eq!(changes(&launch)[OsStr::new("CLAUDECODE")], Some("1".into()));
}

#[test]
fn what_the_user_says_is_over_all() {
    let env = vec![
        set("CLAUDECODE", "mine"),
        set("EMPTY", ""),
        set("TWICE", "first"),
        set("TWICE", "second"),
        ("PATH".into(), None),
    ];
    let env = environment(env, false);
    assert_eq!(env["CLAUDECODE"], "mine");
    assert_eq!(env["EMPTY"], "");
    assert_eq!(env["TWICE"], "second");
    assert_ne!(env.get("PATH").map(String::as_str), std::env::var("PATH").ok().as_deref());
}

#[test]
fn nothing_is_inherited_into_a_cleared_environment() {
    let env = environment(vec![set("ONLY", "this")], true);
    let by_the_shell = ["PWD", "OLDPWD", "SHLVL", "_", "__CF_USER_TEXT_ENCODING"];
    let names: Vec<_> =
        env.keys().map(String::as_str).filter(|name| !by_the_shell.contains(name)).collect();
    assert_eq!(names, ["ONLY"]);
}

#[test]
fn the_working_folder_is_in_pwd_unless_the_user_says_so() {
    let mut command = Command::new("claude");
    let launch = Launch { env: vec![set("PWD", "/mine")], ..Launch::default() };
    apply(&mut command, &Launch::default(), Some(Path::new("/folder")));
    assert!(
        command
            .get_envs()
            .any(|(name, value)| name == "PWD" && value == Some(OsStr::new("/folder")))
    );
    apply(&mut command, &launch, Some(Path::new("/folder")));
    assert!(
        command.get_envs().any(|(name, value)| name == "PWD" && value == Some(OsStr::new("/mine")))
    );
}

#[test]
fn it_runs_as_another_user() {
    if !may_run_as_others() {
        return;
    }
    let ids = |user| {
        let (output, exit) =
            run(outcome(shell(), Launch { user, ..script("id -u; id -g; id -G") }));
        assert!(exit.status.unwrap().success(), "{exit}");
        output.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ids(Some((65_534, Some(65_533)))), ["65534", "65533", "65533"]);
    assert_eq!(ids(Some((65_534, None)))[0], "65534");
    assert_eq!(ids(None)[0], "0");
}
