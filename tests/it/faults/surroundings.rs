//! What reaches the CLI of the program's own surroundings.

use std::collections::BTreeMap;
use std::env;
use std::process::Command;

use toolwright::agent::query;

use super::fake::Fake;
use super::{Heard, result, within};

/// Says that this process has the poison.
const MARK: &str = "TOOLWRIGHT_TEST_POISONED";
const POISON: [&str; 9] = [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_MODEL",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDECODE",
];

type Environment = BTreeMap<String, String>;

async fn environment(is_cleared: bool) -> Environment {
    let fake = Fake::initialized().then("user").then("surroundings").say(result());
    let options = match is_cleared {
        true => fake.options(),
        false => fake.inheriting_options(),
    };
    let mut run = within(query("Go.", options.build().unwrap())).await.unwrap();
    let heard = Heard::of(&mut run).await;
    fake.is_gone().await;
    serde_json::from_value(heard.value("surroundings")["environment"].take()).unwrap()
}

/// The variables that may say something to the CLI.
fn of_interest(environment: &Environment) -> Vec<(&str, &str)> {
    let of_interest =
        |name: &str| ["ANTHROPIC", "CLAUDE"].iter().any(|prefix| name.starts_with(prefix));
    environment
        .iter()
        .filter(|(name, _)| of_interest(name))
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

#[tokio::test]
#[ignore = "run in a process of its own, whose environment is poisoned"]
async fn in_poisoned_surroundings() {
    assert!(env::var_os(MARK).is_some());
    let cleared = environment(true).await;
    let expected = [
        ("CLAUDE_AGENT_SDK_VERSION", env!("CARGO_PKG_VERSION")),
        ("CLAUDE_CODE_ENTRYPOINT", "sdk-rs"),
        ("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1"),
    ];
    assert_eq!(of_interest(&cleared), expected);
    let names: Vec<_> =
        cleared.keys().map(String::as_str).filter(|name| !name.starts_with("CLAUDE")).collect();
    assert_eq!(names, ["FAKE_CLI_SCRIPT", "PATH"]);

    let inherited = environment(false).await;
    assert_eq!(inherited.get("CLAUDECODE"), None, "with it the CLI refuses to start");
    assert_eq!(inherited["CLAUDE_CODE_ENTRYPOINT"], "sdk-rs");
    assert_eq!(
        inherited["ANTHROPIC_API_KEY"], "poison",
        "without `env_clear` the CLI is configured as it is outside"
    );
}

#[test]
fn nothing_poisonous_reaches_a_cli() {
    let mut child = Command::new(env::current_exe().unwrap());
    child
        .args([
            "--ignored",
            "--exact",
            "faults::surroundings::in_poisoned_surroundings",
            "--nocapture",
        ])
        .env(MARK, "1");
    child.envs(POISON.map(|name| (name, "poison")));
    let output = child.output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}
