//! Settings and the sandbox, typed.

use serde_json::{Value, json};

use super::harness::{added, complaints, options};
use crate::agent::options::{InlineSettings, Sandbox, SystemPrompt};
use crate::agent::permission::PermissionMode;

#[test]
fn a_sandbox_is_an_object_of_the_settings() {
    let sandbox = Sandbox::new()
        .enabled(true)
        .fail_if_unavailable(false)
        .auto_allow_bash_if_sandboxed(false)
        .allow_unsandboxed_commands(false)
        .exclude_commands(["docker *"])
        .exclude_commands(["podman *"])
        .allow_domains(["a.example"])
        .deny_domains(["b.example"])
        .allow_unix_sockets(["/run/a"])
        .allow_write(["/w"])
        .deny_write(["/w/no"])
        .deny_read(["/r"])
        .allow_read(["/r/yes"])
        .field("bwrapPath", "/bin/bwrap");
    assert!(!format!("{sandbox:?}").contains("docker"), "{sandbox:?}");
    let expected = json!({
        "enabled": true,
        "failIfUnavailable": false,
        "autoAllowBashIfSandboxed": false,
        "allowUnsandboxedCommands": false,
        "excludedCommands": ["docker *", "podman *"],
        "network": {
            "allowedDomains": ["a.example"],
            "deniedDomains": ["b.example"],
            "allowUnixSockets": ["/run/a"],
        },
        "filesystem": {
            "allowWrite": ["/w"],
            "denyWrite": ["/w/no"],
            "denyRead": ["/r"],
            "allowRead": ["/r/yes"],
        },
        "bwrapPath": "/bin/bwrap",
    });
    assert_eq!(Value::from(sandbox.clone()), expected);
    let [_, file] = added(|b| b.sandbox(sandbox)).try_into().unwrap();
    let file: Value = serde_json::from_str(file.split_once(": ").unwrap().1).unwrap();
    assert_eq!(file, json!({"sandbox": expected}));
}

#[test]
fn a_sandbox_is_on_and_needed() {
    let value = json!({"enabled": true, "failIfUnavailable": true});
    assert_eq!(Value::from(Sandbox::default()), value);
}

#[test]
fn settings_are_an_object() {
    let settings = InlineSettings::new()
        .allow(["Read"])
        .allow(["Grep"])
        .deny(["WebFetch"])
        .ask(["Bash"])
        .additional_directories(["/more"])
        .default_mode(PermissionMode::Plan)
        .env("A", "1")
        .env("B", "2")
        .model("opus")
        .output_style("Explanatory")
        .language("French")
        .api_key_helper("print-key")
        .cleanup_period_days(7)
        .disable_all_hooks(true)
        .field("spinnerTipsEnabled", false);
    assert!(!format!("{settings:?}").contains("print-key"), "{settings:?}");
    assert_eq!(
        Value::from(settings),
        json!({
            "permissions": {
                "allow": ["Read", "Grep"],
                "deny": ["WebFetch"],
                "ask": ["Bash"],
                "additionalDirectories": ["/more"],
                "defaultMode": "plan",
            },
            "env": {"A": "1", "B": "2"},
            "model": "opus",
            "outputStyle": "Explanatory",
            "language": "French",
            "apiKeyHelper": "print-key",
            "cleanupPeriodDays": 7,
            "disableAllHooks": true,
            "spinnerTipsEnabled": false,
        })
    );
}

#[test]
fn a_member_of_another_form_is_replaced_or_left() {
    let settings = InlineSettings::new().field("permissions", json!({"allow": 5})).allow(["Read"]);
    assert_eq!(Value::from(settings), json!({"permissions": {"allow": ["Read"]}}));
    let settings = InlineSettings::new().field("env", 5).env("A", "1");
    assert_eq!(Value::from(settings), json!({"env": 5}));
    let sandbox = Sandbox::new().field("network", 5).allow_domains(["a.example"]);
    assert_eq!(Value::from(sandbox)["network"], 5);
}

#[test]
fn a_field_takes_nothing_from_what_methods_have_set() {
    let settings = InlineSettings::new()
        .deny(["Read(./.env)"])
        .field("permissions", json!({"disableBypassPermissionsMode": "disable", "deny": ["Bash"]}))
        .allow(["Read"])
        .model("opus")
        .field("model", "haiku");
    let permissions = json!({
        "deny": ["Read(./.env)", "Bash"],
        "disableBypassPermissionsMode": "disable",
        "allow": ["Read"],
    });
    let expected = json!({"permissions": permissions, "model": "haiku"});
    assert_eq!(Value::from(settings), expected);

    let sandbox = Sandbox::new()
        .deny_read(["~/.ssh"])
        .allow_domains(["a.example"])
        .field("filesystem", json!({"disabled": false}))
        .field("network", json!({"allowLocalBinding": true, "allowedDomains": ["b.example"]}));
    let sandbox = Value::from(sandbox);
    assert_eq!(sandbox["filesystem"], json!({"denyRead": ["~/.ssh"], "disabled": false}));
    let network = json!({"allowedDomains": ["a.example", "b.example"], "allowLocalBinding": true});
    assert_eq!(sandbox["network"], network);
}

#[test]
fn a_system_prompt_in_parts_goes_by_initialize() {
    let parts = ["One.", SystemPrompt::DYNAMIC_BOUNDARY, "Two."];
    let options = options(|b| b.system_prompt(SystemPrompt::parts(parts)));
    assert_eq!(options.initialize()["systemPrompt"], json!(parts));
    let args = super::harness::argv(&options);
    assert!(!args.iter().any(|arg| arg.starts_with("--system-prompt")), "{args:?}");
    let none = SystemPrompt::parts(Vec::<String>::new());
    assert_eq!(complaints(|b| b.system_prompt(none)), "system_prompt: it has no parts");
    assert_eq!(
        complaints(|b| b.system_prompt(SystemPrompt::parts(["One."])).append_system_prompt("Two.")),
        "append_system_prompt: make it one of the parts of the system prompt"
    );
}
