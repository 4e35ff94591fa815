use std::time::Duration;

use expect_test::expect;

use super::*;

fn at<E: HookEvent>(matcher: HookMatcher<E>) -> Hook {
    Hook::new(matcher, |_, cx: HookContext| async move {
        HookOutput::default().system_message(cx.event)
    })
}

#[test]
fn initialize_names_every_hook() {
    let hooks = Hooks(vec![
        at(HookMatcher::pre_tool_use("Bash|Edit")
            .timeout(Duration::from_secs(60))
            .on_failure(OnFailure::Block)),
        at(HookMatcher::stop()),
        at(HookMatcher::pre_tool_use("mcp__.*")
            .timeout(Duration::from_millis(1500))
            .on_failure(OnFailure::Continue)),
        at(HookMatcher::session_start().matching("startup|resume")),
        at(HookMatcher::raw("MoonPhase", None)),
    ]);
    expect![[r#"
        {
          "PreToolUse": [
            {
              "matcher": "Bash|Edit",
              "hookCallbackIds": [
                "hook_0"
              ],
              "timeout": 60,
              "onFailure": "block"
            },
            {
              "matcher": "mcp__.*",
              "hookCallbackIds": [
                "hook_2"
              ],
              "timeout": 1.5,
              "onFailure": "continue"
            }
          ],
          "Stop": [
            {
              "hookCallbackIds": [
                "hook_1"
              ]
            }
          ],
          "SessionStart": [
            {
              "matcher": "startup|resume",
              "hookCallbackIds": [
                "hook_3"
              ]
            }
          ],
          "MoonPhase": [
            {
              "hookCallbackIds": [
                "hook_4"
              ]
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&hooks.initialize()).unwrap());
    assert!(hooks.blocks_on_failure());
    assert!(!Hooks(vec![at(HookMatcher::stop())]).blocks_on_failure());
    let goes_on = HookMatcher::stop().on_failure(OnFailure::Continue);
    assert!(!Hooks(vec![at(goes_on)]).blocks_on_failure());
    assert_eq!(Hooks::default().initialize(), None);
}

#[test]
fn hooks_are_found_by_their_ids() {
    let hooks = Hooks(vec![at(HookMatcher::stop()), at(HookMatcher::pre_tool_use("*"))]);
    let call = |id: &str| {
        hooks
            .call(id, "{}", HookContext::default())
            .map(|output| now(output).unwrap().get().to_owned())
    };
    assert_eq!(call("hook_0").unwrap(), r#"{"systemMessage":"Stop"}"#);
    assert_eq!(call("hook_1").unwrap(), r#"{"systemMessage":"PreToolUse"}"#);
    for unknown in [
        "hook_2",
        "hook_",
        "hook_-1",
        "hook_+1",
        "hook_01",
        "1",
        "",
        "hook_99999999999999999999999",
    ] {
        assert_eq!(call(unknown), None, "{unknown}");
    }
}

#[test]
fn an_input_that_is_not_json_is_a_failure() {
    let hooks = Hooks(vec![at(HookMatcher::stop())]);
    let output = now(hooks.call("hook_0", "{", HookContext::default()).unwrap());
    assert!(output.unwrap_err().starts_with("the input cannot be read: "));
}

#[test]
fn the_signal_is_the_one_that_was_given() {
    let hook = Hook::new(HookMatcher::stop(), |_, cx: HookContext| async move {
        HookOutput::default().continue_(cx.cancel.is_cancelled())
    });
    let cancel = CancelToken::default();
    cancel.cancel();
    let cx = HookContext { cancel, ..HookContext::default() };
    let output = now(Hooks(vec![hook]).call("hook_0", "{}", cx).unwrap());
    assert_eq!(output.unwrap().get(), r#"{"continue":true}"#);
}

#[test]
fn there_are_34_events() {
    assert_eq!(event::ALL.len(), 34);
    let tools: Vec<_> = event::ALL
        .iter()
        .filter(|(_, field)| *field == "tool_name")
        .map(|(event, _)| *event)
        .collect();
    assert_eq!(
        tools,
        [
            "PreToolUse",
            "PreSkillShellCommand",
            "PostToolUse",
            "PostToolUseFailure",
            "PermissionRequest",
            "PermissionDenied"
        ]
    );
}
