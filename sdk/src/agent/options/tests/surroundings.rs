//! The process, its environment and its bounds.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expect_test::expect;
use serde_json::json;

use super::harness::options;
use crate::agent::options::{AgentOptions, AgentOptionsBuilder};
use crate::agent::transport::{Launch, ProcessGroup};

fn launch(f: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder) -> Launch {
    options(f).launch().unwrap().0
}

/// The variables without those that say who we are.
fn env(launch: &Launch) -> String {
    let (own, others) = launch.env.split_at(3);
    let own: Vec<_> = own.iter().map(|(name, _)| name.to_str().unwrap()).collect();
    let names = [
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_AGENT_SDK_VERSION",
        "CLAUDE_CODE_SDK_READS_SESSION_STATE",
    ];
    assert_eq!(own, names);
    format!("{others:?}")
}

#[test]
fn the_cli_is_told_who_we_are() {
    let value = |launch: &Launch, name: &str| {
        let mut values = launch.env.iter().filter(|(known, _)| known == name);
        let (_, value) = values.next().unwrap();
        assert!(values.next().is_none(), "{name} is set once");
        value.as_ref().map(|value| value.to_str().unwrap().to_owned())
    };
    let ours = launch(AgentOptionsBuilder::env_clear);
    assert_eq!(value(&ours, "CLAUDE_CODE_ENTRYPOINT").as_deref(), Some("sdk-rs"));
    let version = value(&ours, "CLAUDE_AGENT_SDK_VERSION");
    assert_eq!(version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(value(&ours, "CLAUDE_CODE_SDK_READS_SESSION_STATE").as_deref(), Some("1"));

    let users = launch(|b| {
        b.env("CLAUDE_CODE_ENTRYPOINT", "app")
            .env("CLAUDE_CODE_SDK_READS_SESSION_STATE", "0")
            .env_remove("CLAUDE_AGENT_SDK_VERSION")
    });
    assert_eq!(value(&users, "CLAUDE_CODE_ENTRYPOINT").as_deref(), Some("app"));
    assert_eq!(value(&users, "CLAUDE_CODE_SDK_READS_SESSION_STATE").as_deref(), Some("0"));
    assert_eq!(value(&users, "CLAUDE_AGENT_SDK_VERSION"), None);
}

#[test]
fn the_environment_is_inherited_and_changed() {
    let launch = launch(|b| {
        b.env("A", "1")
            .env("B", "2")
            .env_remove("C")
            .env("A", "3")
            .env_remove("B")
            .env("C", "")
            .envs([("D", "4")])
    });
    assert!(!launch.env_clear);
    expect![[r#"[("A", Some("3")), ("B", None), ("C", Some("")), ("D", Some("4"))]"#]]
        .assert_eq(&env(&launch));
}

#[test]
fn a_cleared_environment_is_what_is_said_before_and_after() {
    let launch = launch(|b| b.env("A", "1").env_clear().env("B", "2"));
    assert!(launch.env_clear);
    expect![[r#"[("A", Some("1")), ("B", Some("2"))]"#]].assert_eq(&env(&launch));
}

#[test]
fn options_that_are_variables_give_way_to_the_users_own() {
    let ours = launch(|b| b.enable_file_checkpointing(true).client_app("app/1"));
    expect![[r#"[("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING", Some("true")), ("CLAUDE_AGENT_SDK_CLIENT_APP", Some("app/1"))]"#]]
        .assert_eq(&env(&ours));
    let users = launch(|b| b.env_remove("CLAUDE_AGENT_SDK_CLIENT_APP").client_app("app/1"));
    expect![[r#"[("CLAUDE_AGENT_SDK_CLIENT_APP", None)]"#]].assert_eq(&env(&users));
}

#[test]
fn the_cli_waits_as_long_for_its_background_work() {
    let waits = |wait| env(&launch(|b| b.background_wait(wait)));
    assert_eq!(env(&launch(|b| b)), "[]");
    expect![[r#"[("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", Some("600000"))]"#]]
        .assert_eq(&waits(Some(Duration::from_secs(600))));
    expect![[r#"[("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", Some("1800000"))]"#]]
        .assert_eq(&waits(Some(Duration::from_secs(1800))));
    expect![[r#"[("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", Some("1"))]"#]]
        .assert_eq(&waits(Some(Duration::ZERO)));
    expect![[r#"[("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", Some("0"))]"#]].assert_eq(&waits(None));
    expect![[r#"[("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", Some("9007199254740991"))]"#]]
        .assert_eq(&waits(Some(Duration::MAX)));
    let users =
        launch(|b| b.background_wait(None).env("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", "5"));
    expect![[r#"[("CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS", Some("5"))]"#]].assert_eq(&env(&users));
}

#[test]
fn a_run_waits_as_long_as_its_cli() {
    const NAME: &str = "CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS";
    let waits = |f: fn(AgentOptionsBuilder) -> AgentOptionsBuilder| {
        options(|b| f(b.env_clear())).process.background_wait()
    };
    const DEFAULT: Option<Duration> = Some(Duration::from_secs(600));
    assert_eq!(waits(|b| b), DEFAULT);
    assert_eq!(waits(|b| b.env(NAME, "0")), None);
    assert_eq!(waits(|b| b.env(NAME, "1800000")), Some(Duration::from_secs(1800)));
    assert_eq!(waits(|b| b.env(NAME, "-1")), DEFAULT);
    assert_eq!(waits(|b| b.env(NAME, "soon")), DEFAULT);
    assert_eq!(waits(|b| b.background_wait(None)), None);
    assert_eq!(waits(|b| b.background_wait(DEFAULT)), DEFAULT);
    assert_eq!(waits(|b| b.background_wait(None).env(NAME, "5")), Some(Duration::from_millis(5)));
    assert_eq!(waits(|b| b.background_wait(None).env_remove(NAME)), DEFAULT);
}

#[test]
fn the_working_folder() {
    assert_eq!(launch(|b| b.cwd("/srv/project")).cwd.unwrap().to_str(), Some("/srv/project"));
    assert_eq!(launch(|b| b).cwd, None);
}

#[test]
fn the_process_gets_its_path_graces_and_group() {
    let options = options(|b| {
        b.cli_path("/opt/claude")
            .stderr(|_| {})
            .process_group(ProcessGroup::Inherited)
            .close_grace(Duration::from_millis(10))
            .terminate_grace(Duration::from_secs(2))
    });
    expect![[r#"Process { cli_path: Some("/opt/claude"), stderr: true, graces: Graces { end: 10ms, terminate: 2s }, group: Inherited }"#]]
        .assert_eq(&format!("{:?}", options.process()));
    expect!["Process { cli_path: None, stderr: false, graces: Graces { end: 5s, terminate: 5s }, group: Auto }"]
        .assert_eq(&format!("{:?}", AgentOptions::default().process()));
}

#[test]
fn lines_of_standard_error_are_told() {
    let told = Arc::new(Mutex::new(String::new()));
    let sink = told.clone();
    let options = options(|b| b.stderr(move |line| sink.lock().unwrap().push_str(line)));
    options.process.stderr.as_ref().unwrap()("a warning");
    assert_eq!(*told.lock().unwrap(), "a warning");
}

#[test]
fn bounds_by_default() {
    let options = AgentOptions::default();
    assert_eq!(options.limits.max_line, 256 << 20);
    assert_eq!(options.limits.max_unread, 512 << 20);
    assert_eq!(options.limits.control_timeout, Duration::from_secs(60));
    assert_eq!(options.limits.initialize_timeout, Duration::from_secs(120));
}

#[test]
fn bounds_of_ones_own() {
    let options = options(|b| {
        b.max_line(1)
            .max_unread(2)
            .control_timeout(Duration::from_secs(3))
            .initialize_timeout(Duration::from_secs(4))
    });
    assert_eq!((options.limits.max_line, options.limits.max_unread), (1, 2));
    assert_eq!(
        (options.limits.control_timeout, options.limits.initialize_timeout),
        (Duration::from_secs(3), Duration::from_secs(4))
    );
}

#[test]
fn a_user_has_a_name_or_a_number() {
    assert_eq!(launch(|b| b.user("4294967294")).user, Some((4_294_967_294, None)));
    assert_eq!(launch(|b| b.user("root")).user, Some((0, Some(0))));
    let error = options(|b| b.user("nobody at all")).launch().unwrap_err();
    assert_eq!(error.to_string(), "there is no user nobody at all");
}

#[test]
fn a_sandbox_joins_the_settings_of_a_file() {
    let folder = std::env::temp_dir().join(format!("toolwright-settings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let launch = |text: &str| {
        std::fs::write(folder.join("s.json"), text).unwrap();
        let options = options(|b| {
            b.cwd(&folder).settings(Path::new("s.json")).sandbox(json!({"enabled": true}))
        });
        options.with_settings_read()?.launch()
    };
    let (launched, _files) =
        launch("\u{feff}{\"model\":\"opus\",\"sandbox\":{\"enabled\":false}}").unwrap();
    let flag = "--settings=";
    let args: Vec<_> = launched.args.iter().map(|arg| arg.to_str().unwrap()).collect();
    let file = args.iter().find_map(|arg| arg.strip_prefix(flag)).unwrap();
    let expected = r#"{"model":"opus","sandbox":{"enabled":true}}"#;
    assert_eq!(std::fs::read_to_string(file).unwrap(), expected);
    for wrong in ["[]", "{", ""] {
        assert!(launch(wrong).unwrap_err().to_string().contains("s.json"), "{wrong}");
    }
    // What this program reads must be open to the user that the CLI runs as.
    std::fs::write(folder.join("s.json"), "{}").unwrap();
    let own = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(folder.join("s.json"), own).unwrap();
    let of_user = options(|b| {
        b.cwd(&folder).settings(Path::new("s.json")).sandbox(json!({})).user("4294967000")
    });
    let error = of_user.with_settings_read().unwrap_err();
    assert!(error.to_string().contains("may not read this"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
