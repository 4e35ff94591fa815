//! A CLI that does not get as far as being ready.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use toolwright::agent::hook::{HookMatcher, OnFailure};
use toolwright::agent::{
    AgentClient, AgentOptions, ConnectError, ControlError, Error, HookContext, HookOutput,
    RunError, query,
};

use super::fake::Fake;
use super::{Heard, SHORT, says, within};
use crate::cli::Folder;

async fn refused(options: AgentOptions) -> ConnectError {
    let one_shot = within(query("Go.", options.clone())).await.expect_err("it starts");
    let conversation = within(AgentClient::connect(options)).await.expect_err("it starts");
    assert_eq!(std::mem::discriminant(&one_shot), std::mem::discriminant(&conversation));
    one_shot
}

#[tokio::test]
async fn a_cli_that_is_not_there_is_named() {
    let folder = Folder::create();
    let path = folder.path().join("claude");
    let error = refused(AgentOptions::builder().cli_path(&path).env_clear().build().unwrap()).await;
    assert!(
        matches!(&error, ConnectError::CliNotFound { searched } if *searched == [path.clone()]),
        "{error:?}"
    );
    assert!(error.to_string().contains(path.to_str().unwrap()));
}

#[tokio::test]
async fn a_cli_that_cannot_be_executed_is_named() {
    let folder = Folder::create();
    let path = folder.path().join("claude");
    fs::write(&path, "not a program").unwrap();
    for mode in [0o644, 0o755] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let error =
            refused(AgentOptions::builder().cli_path(&path).env_clear().build().unwrap()).await;
        assert!(
            matches!(&error, ConnectError::Spawn { path: named, .. } if *named == path),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn an_old_cli_runs_all_the_same() {
    let fake = Fake::new().initialize(json!({"claude_code_version": "1.0.3"})).turn([says("old")]);
    let mut run = fake.query().await;
    assert_eq!(run.server_info().claude_code_version.as_deref(), Some("1.0.3"));
    let heard = Heard::of(&mut run).await;
    assert_eq!(heard.text(), "old");
    assert!(heard.error.is_none());
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_without_the_agent_is_refused() {
    let agents = json!([{"name": "Explore"}, {"name": "tidy:reviewer"}]);
    for (name, is_there) in [("reviwer", false), ("iewer", false), ("reviewer", true)] {
        let fake = Fake::new().initialize(json!({"agents": agents}));
        let options = fake.options().agent(name).build().unwrap();
        if is_there {
            within(within(AgentClient::connect(options)).await.unwrap().close()).await;
        } else {
            let error = refused(options).await;
            assert_eq!(
                error.to_string(),
                format!("the claude program has no agent {name}, only Explore, tidy:reviewer")
            );
        }
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn an_old_cli_is_refused_what_it_cannot_do() {
    let fake = Fake::new().initialize(json!({"claude_code_version": "1.0.3"}));
    let matcher = HookMatcher::pre_tool_use("*").on_failure(OnFailure::Block);
    let options = fake
        .options()
        .hook(matcher, |_, _: HookContext| async { HookOutput::default() })
        .build()
        .unwrap();
    let error = refused(options).await;
    assert!(
        matches!(&error, ConnectError::Unsupported { option } if option.contains("OnFailure")),
        "{error:?}"
    );
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_dies_before_it_is_ready_says_how() {
    let last_words = "claude: no such option\n";
    let before = Fake::new().with("stderr", last_words).with("exit", 3);
    let in_it =
        Fake::new().with("control", "initialize").with("stderr", last_words).with("exit", 3);
    let with_a_response_begun = Fake::new()
        .with("control", "initialize")
        .text(r#"{"type":"control_response","response":{"subtype":"success","request_id":"req_1","resp"#)
        .with("stderr", last_words)
        .with("exit", 3);
    for fake in [before, in_it, with_a_response_begun] {
        match refused(fake.options().build().unwrap()).await {
            ConnectError::Exited(exit) => {
                assert_eq!(exit.status.and_then(|status| status.code()), Some(3));
                assert!(exit.stderr.ends_with(last_words), "{exit:?}");
                assert!(exit.to_string().contains("claude: no such option"), "{exit}");
            }
            error => panic!("{error:?}"),
        }
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_cli_that_says_why_it_cannot_start_is_heard() {
    let result = json!({
        "type": "result", "subtype": "error_during_execution", "is_error": true,
        "errors": ["org pin mismatch"], "startup_failure_reason": "org_pin_mismatch",
    });
    let before = Fake::new().say(json!({"type": "keep_alive"})).say(result.clone());
    let in_it = Fake::new().with("control", "initialize").say(result);
    for fake in [before, in_it] {
        let fake = fake.with("exit", 1);
        let error = refused(fake.options().build().unwrap()).await;
        assert_eq!(
            error.to_string(),
            "the claude program cannot start (org_pin_mismatch): org pin mismatch"
        );
        assert_eq!(Error::from(error).exit().and_then(|exit| exit.status?.code()), Some(1));
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_cli_that_ends_well_before_it_is_ready_has_failed_too() {
    let fake = Fake::new().with("control", "initialize").with("exit", 0);
    let error = refused(fake.options().build().unwrap()).await;
    assert!(
        matches!(&error, ConnectError::Exited(exit) if exit.status.is_some_and(|status| status.success())),
        "{error:?}"
    );
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_dies_while_a_server_is_initialised_says_how() {
    let registry = toolwright::ToolRegistry::builder("calc").build().unwrap();
    let request = super::rpc(
        "calc",
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}),
    );
    let fake = Fake::new().with("control", "initialize").asks("m", request).with("exit", 4);
    let error = refused(fake.options().mcp_server(registry).build().unwrap()).await;
    assert!(
        matches!(&error, ConnectError::Exited(exit) if exit.status.and_then(|status| status.code()) == Some(4)),
        "{error:?}"
    );
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_refuses_to_initialise_is_ended() {
    let fake = Fake::new().with("control", "initialize").with("refuse", "not today");
    let error = refused(fake.options().build().unwrap()).await;
    assert!(
        matches!(&error, ConnectError::Initialize(ControlError::Refused { message, .. }) if message == "not today"),
        "{error:?}"
    );
    fake.is_gone().await;
}

#[tokio::test]
async fn a_cli_that_never_gets_ready_is_ended() {
    let fake = Fake::new().then("sleep");
    let options = fake
        .options()
        .initialize_timeout(SHORT)
        .close_grace(SHORT)
        .terminate_grace(SHORT)
        .build()
        .unwrap();
    let error = refused(options).await;
    assert!(
        matches!(&error, ConnectError::Initialize(ControlError::TimedOut { after, .. }) if *after == SHORT),
        "{error:?}"
    );
    fake.is_gone().await;
}

#[tokio::test]
async fn an_answer_to_initialize_that_says_nothing_is_enough() {
    for answer in [
        json!({}),
        json!(null),
        json!(5),
        json!([]),
        json!({"commands": 5, "models": {"a": 1}, "account": null}),
    ] {
        let fake = Fake::new().initialize(answer).turn([says("hi")]);
        assert_eq!(Heard::of(&mut fake.query().await).await.text(), "hi");
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_cli_that_dies_right_after_it_was_ready_fails_the_run() {
    let fake = Fake::initialized().with("stderr", "out of memory\n").with("exit", 9);
    let mut run = fake.query().await;
    let heard = Heard::of(&mut run).await;
    let Some(RunError::Process(exit)) = &heard.error else { panic!("{heard:?}") };
    assert_eq!(exit.status.and_then(|status| status.code()), Some(9));
    assert!(exit.to_string().contains("out of memory"));
    assert!(within(run.next()).await.is_none(), "the error is told once");

    let mut client = fake.connect().await;
    fake.is_gone().await;
    // Nothing is outstanding, so only `messages` waits for the end.
    let mut messages = client.messages();
    while let Some(Ok(_)) = within(messages.next()).await {}
    let error = client.query("Go.").await.unwrap_err();
    assert!(
        matches!(&error, RunError::Process(exit) if exit.status.and_then(|status| status.code()) == Some(9)),
        "{error:?}"
    );
    fake.is_gone().await;
}

#[test]
fn a_temporary_file_that_cannot_be_written_is_no_failure_of_the_transport() {
    let missing = Folder::create().path().join("missing");
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "faults::start::without_a_temporary_folder"])
        .env_clear()
        .env("TMPDIR", missing)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("1 passed"), "{output:?}");
}

#[tokio::test]
#[ignore = "run in a process of its own, whose folder for temporary files does not exist"]
async fn without_a_temporary_folder() {
    let fake = Fake::new();
    let error = refused(fake.options().system_prompt("x".repeat(200_000)).build().unwrap()).await;
    assert!(error.to_string().contains("temporary file"), "{error:?}");
    assert!(matches!(error, ConnectError::TemporaryFile(_)), "{error:?}");
}
