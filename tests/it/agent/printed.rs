//! The programs of the documents, as they are printed there.

use std::error::Error;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::{env, fs};

use serde_json::json;
use toolwright::{ToolRegistry, tool, tools};

use super::scene::{Scene, within};

type Outcome = Result<(), Box<dyn Error>>;

/// Says that this process is one in which the program may look for a `claude` of its own: it has an
/// environment that points at a scripted model.
const PREPARED: &str = "TOOLWRIGHT_PREPARED";

/// Add two numbers.
///
/// Returns the exact sum.
#[tool(read_only, idempotent)]
async fn add(
    /// Left operand.
    a: f64,
    /// Right operand.
    b: f64,
) -> f64 {
    a + b
}

/// Say the same.
#[tool(read_only)]
async fn echo(text: &str) -> String {
    text.to_owned()
}

#[rustfmt::skip]
async fn in_process(registry: ToolRegistry) -> Outcome {
    use toolwright::agent::{query, AgentOptions, Message};

    let options = AgentOptions::builder()
        .mcp_server(registry)                         // answered in this process, over the control protocol
        .allowed_tools(["mcp__calc__*"])
        .model("sonnet")
        .build()?;

    let mut run = query("What is 2 + 40?", options).await?;
    while let Some(message) = run.next().await {
        match message? {
            Message::Assistant(m) => print!("{}", m.text()),
            Message::Result(r) => println!("{} turns, ${:.4}", r.num_turns, r.total_cost_usd),
            _ => {}
        }
    }
    Ok(())
}

/// Runs in a process of its own, started by the test below.
#[tokio::test]
async fn the_program() {
    if env::var_os(PREPARED).is_some() {
        let registry = ToolRegistry::builder("calc").tools(tools![add, echo]).build().unwrap();
        within(in_process(registry)).await.unwrap();
    }
}

#[tokio::test]
async fn the_printed_program_runs() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.");
    let programs = scene.project().join("bin");
    fs::create_dir(&programs).unwrap();
    symlink(scene.cli(), programs.join("claude")).unwrap();
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "agent::printed::the_program", "--nocapture"])
        .env_clear()
        .envs(scene.model.environment())
        .env("PATH", programs)
        .env("TMPDIR", scene.temporary())
        .env(PREPARED, "1")
        .current_dir(scene.project());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("It is 42.2 turns, $0.0"), "{printed}");
    assert_eq!(scene.results()[0].text, "42");
    assert!(scene.request().body()["model"].as_str().unwrap().contains("sonnet"));
}

/// Only has to compile.
#[rustfmt::skip]
#[expect(dead_code, reason = "it would need somebody to talk to")]
async fn a_conversation(options: toolwright::agent::AgentOptions) -> Outcome {
    use toolwright::agent::{AgentClient, PermissionMode};

    let mut client = AgentClient::connect(options).await?;
    client.query("Hello").await?;
    while let Some(message) = client.next_response().await { drop(message?); }
    client.interrupt().await?;
    client.set_model(Some("opus")).await?;
    client.set_permission_mode(PermissionMode::Plan).await?;
    client.mcp_status().await?;
    client.close().await;
    Ok(())
}

#[rustfmt::skip]
#[test]
#[expect(unused_variables, reason = "as printed")]
fn callbacks() {
    use toolwright::agent::hook::PreToolUseInput;
    use toolwright::agent::{AgentOptions, HookContext, HookMatcher, HookOutput, Permission, PermissionRequest};

    let options =
        AgentOptions::builder()
            .can_use_tool(|request: PermissionRequest| async move {
                if request.tool_name == "Bash" { Permission::deny("no shell here") } else { Permission::allow() }
            })
            .hook(HookMatcher::pre_tool_use("Bash"), |input: PreToolUseInput, cx: HookContext| async move { HookOutput::default() })
    ;
    assert!(options.build().unwrap().warnings().is_empty());
}
