//! Nothing that is too long is an argument.

use expect_test::expect;
use serde_json::json;

use super::harness::{added, argv, complaints, options, registry};
use crate::agent::AgentClient;
use crate::agent::options::arg::LONGEST_TOGETHER;
use crate::agent::options::args::total;
use crate::agent::options::{AgentOptions, AgentOptionsBuilder, McpServer};
use crate::testing::ScriptedCli;

const LONGEST: usize = 100 * 1024;

fn longest(options: &AgentOptions) -> usize {
    argv(options)
        .iter()
        .filter(|arg| !arg.starts_with('#'))
        .map(String::len)
        .max()
        .unwrap_or_default()
}

#[test]
fn up_to_100_kib_stay_arguments() {
    let text = "x".repeat(LONGEST);
    assert_eq!(added(|b| b.system_prompt(text.as_str())), [format!("--system-prompt={text}")]);
}

#[test]
fn longer_values_go_by_file() {
    let text = "x".repeat(LONGEST + 1);
    assert_eq!(
        added(|b| b.system_prompt(text.as_str())),
        [
            "--system-prompt-file=/files/system-prompt.md".to_owned(),
            format!("# system-prompt.md: {text}")
        ]
    );
    assert_eq!(
        added(|b| b.append_system_prompt(text.as_str())),
        [
            "--append-system-prompt-file=/files/append-system-prompt.md".to_owned(),
            format!("# append-system-prompt.md: {text}")
        ]
    );
    let settings = added(|b| b.settings(json!({"a": text})));
    assert_eq!(settings[0], "--settings=/files/settings.json");
    let servers = added(|b| {
        b.mcp_server(registry("calc")).mcp_server(McpServer::stdio("a", "x").args([text.as_str()]))
    });
    assert_eq!(servers[0], "--mcp-config=/files/mcp-config.json");
}

#[test]
fn a_long_schema_goes_by_initialize() {
    let schema = json!({"type": "object", "description": "x".repeat(LONGEST)});
    let long = options(|b| b.json_schema(schema.clone()));
    assert_eq!(argv(&long), argv(&AgentOptions::default()));
    assert_eq!(long.initialize(), json!({"jsonSchema": schema}));
    assert_eq!(options(|b| b.json_schema(json!({"type": "object"}))).initialize(), json!({}));
}

#[test]
fn all_together_have_a_bound_too() {
    let text = "x".repeat(LONGEST);
    let crowded = options(|b| {
        b.system_prompt(text.as_str())
            .append_system_prompt(text.as_str())
            .extra_arg("name", Some(&"x".repeat(60 * 1024)))
    });
    assert!(longest(&crowded) < 60 * 1024 + 64);
    assert_eq!(argv(&crowded).iter().filter(|arg| arg.contains("/files/")).count(), 2);
    assert_eq!(crowded.initialize(), json!({}));
}

#[test]
fn a_schema_gives_way_when_all_together_are_long() {
    let schema = json!({"type": "object", "description": "x".repeat(LONGEST - 64)});
    let switch = "x".repeat(90 * 1024);
    let crowded = options(|b| {
        b.json_schema(schema.clone())
            .extra_arg("one", Some(&switch))
            .extra_arg("two", Some(&switch))
    });
    assert!(!argv(&crowded).iter().any(|arg| arg.starts_with("--json-schema")));
    assert_eq!(crowded.initialize(), json!({"jsonSchema": schema}));

    let small = json!({"type": "object"});
    let crowded = crowded.to_builder().system_prompt(&*switch).json_schema(small).build().unwrap();
    assert!(argv(&crowded).contains(&r#"--json-schema={"type":"object"}"#.to_owned()));
    assert_eq!(crowded.initialize(), json!({}));
}

/// Where the path of a settings file is shorter than that of a file of this library.
#[tokio::test]
async fn a_schema_is_an_argument_or_goes_by_initialize_though_settings_are_read() {
    let path = std::env::temp_dir().join(format!("toolwright-{}.json", uuid::Uuid::new_v4()));
    std::fs::write(&path, "{}").unwrap();
    let schema = json!({"type": "object", "description": "x".repeat(90 * 1024)});
    let padded = |length| {
        options(|b| {
            b.settings(&*path)
                .sandbox(json!({"enabled": true}))
                .json_schema(schema.clone())
                .extra_arg("one", Some(&"x".repeat(90 * 1024)))
                .extra_arg("two", Some(&"x".repeat(length)))
        })
    };
    let length = LONGEST_TOGETHER - total(&padded(0).args());
    for (length, is_arg) in [(length - 1024, true), (length, false)] {
        let cli = ScriptedCli::new();
        let seen = cli.seen();
        AgentClient::connect_with(cli, padded(length)).await.unwrap().close().await;
        let args = seen.args();
        assert_eq!(args.iter().any(|arg| arg.starts_with("--json-schema=")), is_arg);
        let initialize = &seen.sent()[0]["request"];
        assert_eq!(initialize["subtype"], "initialize");
        assert_eq!(initialize.get("jsonSchema") == Some(&schema), !is_arg, "{length}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn there_is_one_schema_however_it_goes() {
    let schema = json!({"type": "object", "description": "x".repeat(50 * 1024)});
    let folders = (0..2200).map(|n| format!("{n:0>100}"));
    let crowded = |b| folders.fold(b, |b: AgentOptionsBuilder, folder| b.add_dir(folder));
    assert_eq!(
        complaints(|b| crowded(b).json_schema(schema).extra_arg("json-schema", Some("{}"))),
        "extra_arg: --json-schema is set already"
    );
}

#[test]
fn what_can_go_into_no_file_is_complained_of() {
    let rules: Vec<_> = (0..9000).map(|n| format!("mcp__calc__t{n}")).collect();
    expect![[r#"
        --allowedTools has 151905 bytes, more than the 102400 that an argument may have
        --name has 102409 bytes, more than the 102400 that an argument may have"#]]
    .assert_eq(&complaints(|b| {
        b.allowed_tools(rules).extra_arg("name", Some(&"x".repeat(LONGEST + 1)))
    }));
    let folders = (0..3000).map(|n| format!("{n:0>100}"));
    expect!["the arguments have 333082 bytes together, more than the 262144 that they may have"]
        .assert_eq(&complaints(|b| folders.fold(b, |b, folder| b.add_dir(folder))));
}

#[test]
fn an_argument_may_be_exactly_as_long_as_the_bound() {
    assert_eq!(complaints(|b| b.extra_arg("name", Some(&"x".repeat(LONGEST)))), "none");
}
