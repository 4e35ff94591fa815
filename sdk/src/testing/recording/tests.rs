//! What is found to be a secret.

use std::fs::Permissions;
use std::io::{BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::entry::Entry;
use super::secrets::{Secrets, first_object};
use super::tape::Tape;
use crate::agent::transport::Launch;

fn secrets(given: &[&str], env: &[(&str, &str)], args: &[&str]) -> Secrets {
    let mut launch = Launch { env_clear: true, ..Launch::default() };
    launch.env = env.iter().map(|(name, value)| (name.into(), Some(value.into()))).collect();
    launch.args = args.iter().map(Into::into).collect();
    Secrets::new(given.iter().map(|&text| text.to_owned()).collect(), &launch)
}

fn redacted(secrets: &Secrets, mut value: Value) -> Value {
    secrets.redact(&mut value);
    value
}

#[test]
fn a_recording_is_for_this_user_alone() {
    let folder = std::env::temp_dir().join(format!("toolwright-{}", uuid::Uuid::new_v4()));
    let file = folder.join("run.jsonl");
    Tape::create(&file, secrets(&[], &[], &[])).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    // Who has opened it to others may go on so.
    std::fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    Tape::create(&file, secrets(&[], &[], &[])).unwrap();
    assert_eq!(mode(&file), 0o644);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn values_of_variables_are_secret_by_their_names() {
    let env = [
        ("SHOP_API_KEY", "peach-pear"),
        ("dbPassword", "say \"friend\""),
        ("MAX_OUTPUT_TOKENS", "32000000"),
        ("DB_PASS", "cherries"),
        ("FONT_COMPAT", "apples"),
        ("SHORT_TOKEN", "plum"),
        ("FILE_TOKEN", "raspberry\n"),
        ("BLANK_TOKEN", "      "),
    ];
    let secrets = secrets(&[], &env, &[]);
    let text = "peach-pear, say \"friend\", 32000000, plum, cherries, apples,      raspberry";
    let text = json!({"text": text, "peach-pear": 1});
    let expected = "[redacted], [redacted], 32000000, plum, [redacted], apples,      [redacted]";
    let expected = json!({"text": expected, "[redacted]": 1});
    assert_eq!(redacted(&secrets, text), expected);
    // In a text that is JSON, and in one of such texts.
    let once = json!({"password": "say \"friend\""}).to_string();
    let twice = json!({ "once": once }).to_string();
    assert_eq!(redacted(&secrets, json!([once])), json!([r#"{"password":"[redacted]"}"#]));
    assert!(!redacted(&secrets, json!([twice])).to_string().contains("friend"));
}

#[test]
fn configurations_have_secrets_too() {
    let config = json!({"mcpServers": {"shop": {
        "command": "shop", "env": {"SHOP_TOKEN": "peach-pear", "LANG": "peachy-pears"},
        "headers": {"authorization": "Basic cGVhcg==", "X-Shop-Auth": " plum-plum"},
    }}});
    let arg = format!("--mcp-config={config}");
    let secrets = secrets(&[], &[], &[&arg, "--model=sonnet"]);
    let mut recorded = arg.clone();
    secrets.redact_arg(&mut recorded);
    let expected = json!({"mcpServers": {"shop": {
        "command": "shop", "env": {"SHOP_TOKEN": "[redacted]", "LANG": "peachy-pears"},
        "headers": {"authorization": "[redacted]", "X-Shop-Auth": "[redacted]"},
    }}});
    assert_eq!(recorded, format!("--mcp-config={expected}"));
    // Wherever else they are.
    let text = json!("plum-plum costs peach-pear cGVhcg==");
    assert_eq!(redacted(&secrets, text), "[redacted] costs [redacted] cGVhcg==");
}

#[test]
fn keys_and_headers_are_secret_wherever_they_are() {
    let secrets = secrets(&["Jane Doe\n", "", "\n"], &[], &[]);
    for (text, expected) in [
        ("key sk-ant-api03-a_B-9, and more", "key [redacted], and more"),
        ("curl -H 'Authorization: Basic cGVhcg==' x", "curl -H 'Authorization: [redacted]' x"),
        ("{\"authorization\": \"token plum\"}", "{\"authorization\": \"[redacted]\"}"),
        (r#"{\"Authorization\":\"plum pear\"}"#, r#"{\"Authorization\":\"[redacted]\"}"#),
        ("AUTHORIZATION=plum\nnext", "AUTHORIZATION=[redacted]\nnext"),
        ("Authorization: OAuth k=\"plum\", t=\"pear\"\nnext", "Authorization: [redacted]\nnext"),
        ("-H 'Authorization: Digest r=\"plum\"' x", "-H 'Authorization: [redacted]' x"),
        (r#"-H "Authorization: Digest r=\"plum\"" x"#, r#"-H "Authorization: [redacted]" x"#),
        (r#"{"Authorization": "Digest r=\"plum\""}"#, r#"{"Authorization": "[redacted]"}"#),
        ("\"Authorization\" => \"Basic cGVhcg==\"]", "\"Authorization\" => \"[redacted]\"]"),
        ("'Authorization' => 'Basic \"plum\"')", "'Authorization' => '[redacted]')"),
        ("headers[\"Authorization\"] = \"plum\"", "headers[\"Authorization\"] = \"[redacted]\""),
        ("a bearer 0123456789abcdef.", "a bearer [redacted]"),
        ("the bearer of bad news", "the bearer of bad news"),
        ("psql postgres://jane:plum@db/fruit", "psql postgres://jane:[redacted]@db/fruit"),
        ("postgres://jane:p@ss-word@db/f", "postgres://jane:[redacted]@db/f"),
        ("http://localhost:80/a@b", "http://localhost:80/a@b"),
        ("Jane Doe has\nwritten", "[redacted] has\nwritten"),
        ("nothing here", "nothing here"),
    ] {
        assert_eq!(redacted(&secrets, json!(text)), expected);
    }
    let headers = json!([{"x-api-key": "plum", "Authorization": "plum", "n": 1, "u": null}]);
    let expected =
        json!([{"x-api-key": "[redacted]", "Authorization": "[redacted]", "n": 1, "u": null}]);
    assert_eq!(redacted(&secrets, headers), expected);
}

/// Or they would be taken out of the middle of other texts.
#[test]
fn what_is_too_short_for_a_secret_is_hidden_only_where_it_stands() {
    let config = json!({"headers": {"Authorization": "", "x-api-key": "auto"}});
    let secrets = secrets(&[], &[], &[&config.to_string()]);
    assert_eq!(redacted(&secrets, json!({"automatic": "autos"})), json!({"automatic": "autos"}));
    let expected = json!({"headers": {"Authorization": "[redacted]", "x-api-key": "[redacted]"}});
    assert_eq!(redacted(&secrets, config), expected);
}

/// A new folder, which is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("toolwright-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn secrets_are_in_files_of_any_name() {
    let folder = Folder::new();
    let file = folder.0.join("settings.local");
    std::fs::write(&file, "\u{feff}{\"env\": {\"SHOP_TOKEN\": \"peach-pear\"}}").unwrap();
    for arg in [
        format!("--settings={}", file.display()),
        format!("--mcp-config={}", file.display()),
        file.display().to_string(),
    ] {
        let secrets = secrets(&[], &[], &[&arg]);
        assert_eq!(redacted(&secrets, json!("peach-pear")), "[redacted]", "{arg}");
    }
}

/// Such as a debug log, whose length nothing bounds.
#[test]
fn what_is_no_configuration_is_not_read_whole() {
    for begin in ["2026-01-01 [DEBUG] begun\n", "{\"type\": \"user\"}\n{}\n"] {
        let endless = begin.as_bytes().chain(std::io::repeat(b' '));
        assert_eq!(first_object(BufReader::new(endless)), None, "{begin}");
    }
}

#[test]
fn secrets_that_come_while_the_run_goes_on_are_found() {
    let folder = Folder::new();
    let file = folder.0.join("run.jsonl");
    let tape = Tape::create(&file, secrets(&[], &[], &[])).unwrap();
    let server = json!({"type": "stdio", "env": {"SHOP_TOKEN": "peach-pear"}});
    for request in [
        json!({"subtype": "mcp_set_servers", "servers": {"shop": server}}),
        json!({"subtype": "apply_flag_settings", "settings": {"env": {"MY_KEY": "plum-plum"}}}),
    ] {
        tape.add(Entry::Sdk(json!({"type": "control_request", "request": request}))).unwrap();
    }
    tape.add(Entry::Cli(json!({"text": "plum-plum costs peach-pear"}))).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("peach") && !text.contains("plum"), "{text}");
    assert!(text.contains("[redacted] costs [redacted]"), "{text}");
}
