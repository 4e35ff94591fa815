//! Hooks as people write them: the closure's types follow from the matcher.

use super::*;

/// As the builder takes them.
fn hook<E, F, Fut>(matcher: HookMatcher<E>, callback: F) -> Hook
where
    E: HookEvent,
    F: FnOnce(E::Input, HookContext) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output: CallbackOutput<HookOutput<E>>> + Send + 'static,
{
    Hook::new(matcher, callback)
}

#[test]
fn the_event_follows_from_the_matcher() {
    let nothing = hook(
        HookMatcher::pre_tool_use("Bash"),
        |input: PreToolUseInput, cx: HookContext| async move {
            assert_eq!(input.tool_name, "Bash");
            assert_eq!(cx.tool_use_id.as_deref(), Some("toolu_1"));
            assert_eq!(cx.event, "PreToolUse");
            HookOutput::default()
        },
    );
    assert_eq!(answer_of(nothing, json!({"tool_name": "Bash"})).unwrap(), "{}");
}

#[test]
fn neither_types_nor_events_need_be_named() {
    let guard = hook(HookMatcher::pre_tool_use("Bash"), |input, _| async move {
        match input.tool_input.to_value()["command"].as_str() {
            Some("ls") => HookOutput::default().allow().updated_input(json!({"command": "ls -l"})),
            _ => HookOutput::default().deny("not this").additional_context("only ls"),
        }
    });
    assert_eq!(
        answer_of(guard, json!({"tool_input": {"command": "ls"}})).unwrap(),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls -l"}}}"#
    );
    let context = hook(HookMatcher::user_prompt_submit(), async |input, _| {
        HookOutput::default().additional_context(input.prompt)
    });
    assert_eq!(
        answer_of(context, json!({"prompt": "hi"})).unwrap(),
        r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"hi"}}"#
    );
    let model = hook(HookMatcher::pre_model_switch().matching("opus"), async |_, _| {
        HookOutput::default().ask("really?")
    });
    assert_eq!(
        answer_of(model, json!({})).unwrap(),
        r#"{"hookSpecificOutput":{"hookEventName":"PreModelSwitch","permissionDecision":"ask","permissionDecisionReason":"really?"}}"#
    );
    let stop = hook(HookMatcher::stop(), async |input: StopInput, _: HookContext| {
        match input.stop_hook_active {
            true => HookOutput::default(),
            false => HookOutput::default().block("go on"),
        }
    });
    assert_eq!(
        answer_of(stop, json!({"stop_hook_active": false})).unwrap(),
        r#"{"decision":"block","reason":"go on"}"#
    );
}

#[test]
fn what_a_closure_captures_needs_no_clone_and_its_errors_no_annotation() {
    let allowed = std::sync::Arc::new(vec![String::from("ls")]);
    let guard = hook(HookMatcher::pre_tool_use("Bash"), async move |input, _| {
        let command: String = serde_json::from_str(input.tool_input.get())?;
        if command.is_empty() {
            return Err("there is no command".into());
        }
        Ok(match allowed.contains(&command) {
            true => HookOutput::default(),
            false => HookOutput::default().deny("not this"),
        })
    });
    let answer = |input| answer_of(guard.clone(), json!({"tool_input": input}));
    assert_eq!(answer(json!("ls")).unwrap(), "{}");
    assert!(answer(json!("rm")).unwrap().contains("deny"));
    assert_eq!(answer(json!("")).unwrap_err(), "the callback failed: there is no command");
    assert!(answer(json!(1)).unwrap_err().starts_with("the callback failed: invalid type"));
}

#[test]
fn functions_are_hooks() {
    async fn guard(input: PreToolUseInput, _: HookContext) -> HookOutput<event::PreToolUse> {
        match input.input::<Vec<i32>>() {
            Ok(_) => HookOutput::default(),
            Err(error) => HookOutput::failed(error.to_string()),
        }
    }
    // The hook and its test need no CLI.
    let input = PreToolUseInput::from(json!({"tool_input": [1]}));
    assert_eq!(now(guard(input, HookContext::default())), HookOutput::default());
    let answer = answer_of(hook(HookMatcher::pre_tool_use("*"), guard), json!({"tool_input": 1}));
    assert_eq!(
        answer.unwrap_err(),
        "invalid type: integer `1`, expected a sequence at line 1 column 1"
    );
}

#[test]
fn events_that_are_not_known_can_be_used() {
    let moon =
        hook(HookMatcher::raw("MoonPhase", Some("full")), |input: RawHookInput, _| async move {
            let fields: Value = serde_json::from_str(input.raw()).unwrap();
            HookOutput::default()
                .with("howl", &fields["phase"])
                .with_specific("additionalContext", "auuu")
        });
    assert_eq!(
        answer_of(moon, json!({"phase": "full"})).unwrap(),
        r#"{"howl":"full","hookSpecificOutput":{"hookEventName":"MoonPhase","additionalContext":"auuu"}}"#
    );
}

#[test]
fn nothing_of_a_hook_runs_before_the_first_poll() {
    let bad = hook(HookMatcher::stop(), |_, _| -> std::future::Ready<HookOutput<event::Stop>> {
        panic!("run")
    });
    drop(Hooks(vec![bad]).call("hook_0", "{}", HookContext::default()).unwrap());
}

#[test]
fn what_a_hook_captures_is_not_cloned_before_the_first_poll() {
    struct Bomb;

    impl Clone for Bomb {
        fn clone(&self) -> Self {
            panic!("run")
        }
    }

    let bomb = Bomb;
    let bad = hook(HookMatcher::pre_tool_use("*"), async move |_, _| {
        let _bomb = &bomb;
        HookOutput::default()
    });
    drop(Hooks(vec![bad]).call("hook_0", "{}", HookContext::default()).unwrap());
}
