//! Hooks.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use toolwright::agent::hook::{
    HookContext, OnFailure, PostToolUseInput, PreToolUseInput, StopInput, UserPromptSubmitInput,
};
use toolwright::agent::{
    AgentOptionsBuilder, HookMatcher, HookOutput, Permission, PermissionRequest,
};
use toolwright::json;
use toolwright::testing::Reply;

use super::stage::Stage;
use super::tools::{add, done};

pub(super) async fn hooks(stage: &mut Stage) {
    stage.script([add(), done()]).script([Reply::new().text("In words: done.")]);
    let (submit, pre, post, stop) =
        (stage.asked.clone(), stage.asked.clone(), stage.asked.clone(), stage.asked.clone());
    let read = |raw: &str| serde_json::from_str(raw).unwrap();
    let options = stage
        .calc()
        .include_hook_events(true)
        .hook(
            HookMatcher::user_prompt_submit(),
            move |input: UserPromptSubmitInput, _: HookContext| {
                submit.note(read(input.raw()));
                async { HookOutput::default().additional_context("it is Sunday") }
            },
        )
        .hook(HookMatcher::pre_tool_use("*"), move |input: PreToolUseInput, _: HookContext| {
            pre.note(read(input.raw()));
            async { HookOutput::default() }
        })
        .hook(HookMatcher::post_tool_use("*"), move |input: PostToolUseInput, _: HookContext| {
            post.note(read(input.raw()));
            async { HookOutput::default().additional_context("checked by hand") }
        })
        .hook(HookMatcher::stop(), move |input: StopInput, _: HookContext| {
            stop.note(read(input.raw()));
            let is_second = input.stop_hook_active;
            async move {
                match is_second {
                    true => HookOutput::default(),
                    false => HookOutput::default().block("say it in words"),
                }
            }
        });
    stage.play(options).await;
}

pub(super) async fn blocked_tool(stage: &mut Stage) {
    stage.script([add(), done()]);
    let options = stage.calc().hook(
        HookMatcher::pre_tool_use("mcp__calc__.*"),
        |_: PreToolUseInput, _: HookContext| async { HookOutput::default().deny("policy says no") },
    );
    stage.play(options).await;
}

pub(super) async fn blocked_prompt(stage: &mut Stage) {
    stage.script([done()]);
    let options = stage.calc().hook(
        HookMatcher::user_prompt_submit(),
        |_: UserPromptSubmitInput, _: HookContext| async {
            HookOutput::default().block("not today")
        },
    );
    stage.play(options).await;
}

pub(super) async fn blocked_prompt_that_is_not_repeated(stage: &mut Stage) {
    stage.script([done()]);
    let options = stage.calc().hook(HookMatcher::user_prompt_submit(), async |_, _| {
        HookOutput::default().block("not today").suppress_original_prompt()
    });
    stage.play(options).await;
}

pub(super) async fn allowed_by_a_hook(stage: &mut Stage) {
    stage.script([add(), done()]);
    let options = stage.options().mcp_server(stage.registry()).hook(
        HookMatcher::pre_tool_use("*"),
        |_: PreToolUseInput, _: HookContext| async {
            HookOutput::default().allow().updated_input(json!({"a": 20, "b": 3}))
        },
    );
    stage.play(options).await;
}

pub(super) async fn stopped_prompt(stage: &mut Stage) {
    stage.script([done()]);
    let options = stage
        .calc()
        .hook(HookMatcher::user_prompt_submit(), async |_, _| HookOutput::default().stop("enough"));
    stage.play(options).await;
}

pub(super) async fn stopped_at_the_end(stage: &mut Stage) {
    stage.script([done()]);
    let options =
        stage.calc().hook(HookMatcher::stop(), async |_, _| HookOutput::default().stop("enough"));
    stage.play(options).await;
}

pub(super) async fn stopped_though_blocked(stage: &mut Stage) {
    stage.script([done()]).script([done()]);
    let options = stage.calc().hook(HookMatcher::stop(), async |_, _| {
        HookOutput::default().block("go on").stop("enough")
    });
    stage.play(options).await;
}

/// A hook may stop the turn behind a call, but not behind one that others have denied.
pub(super) async fn stopped_call(stage: &mut Stage) {
    stage.script([add(), done()]);
    let options = stage.options().mcp_server(stage.registry());
    let options = options
        .hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::default().stop("enough"));
    stage.play(options).await;
}

/// Without a permission callback.
pub(super) async fn decided_by_a_hook(stage: &mut Stage) {
    decide(stage, stage.options().mcp_server(stage.registry())).await;
}

/// The permission callback takes longer.
pub(super) async fn decided_first_by_a_hook(stage: &mut Stage) {
    let options = stage.options().mcp_server(stage.registry());
    decide(stage, options.can_use_tool(async |_| pending::<Permission>().await)).await;
}

async fn decide(stage: &mut Stage, options: AgentOptionsBuilder) {
    stage.script([add(), add(), add(), add(), done()]);
    let (asked, number) = (stage.asked.clone(), Arc::new(AtomicUsize::new(0)));
    let options = options.hook(HookMatcher::permission_request("*"), async move |input, _| {
        asked.note(serde_json::from_str(input.raw()).unwrap());
        HookOutput::default().decide(match number.fetch_add(1, Ordering::Relaxed) {
            0 => Permission::allow(),
            1 => Permission::allow().with_input(json!({"a": 20, "b": 3})),
            2 => Permission::deny("not this one"),
            _ => Permission::deny("not this one").and_interrupt(),
        })
    });
    stage.play(options).await;
}

/// Hooks take longer than the permission callback, or have no opinion.
pub(super) async fn decided_first_by_the_callback(stage: &mut Stage) {
    stage.script([add(), Reply::new().call("mcp__calc__forget", json!({"what": "it"})), done()]);
    let options = stage.options().mcp_server(stage.registry());
    let options = options
        .can_use_tool(async |_| Permission::allow())
        .hook(HookMatcher::permission_request("mcp__calc__add"), async |_, _| {
            pending::<HookOutput<_>>().await
        })
        .hook(HookMatcher::permission_request("mcp__calc__forget"), async |_, _| {
            HookOutput::default()
        });
    stage.play(options).await;
}

/// Subagents may be started without asking; what they do is asked for.
pub(super) async fn subagent_hooks(stage: &mut Stage) {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    stage.script([Reply::new().call("Agent", input), done()]);
    stage.agent([add(), Reply::new().text("It is 42.")]).agent([Reply::new().text("Forty-two.")]);
    let (began, stopped, asked) = (stage.asked.clone(), stage.asked.clone(), stage.asked.clone());
    let options = stage.options().mcp_server(stage.registry()).tools(["Agent"]);
    let options = options
        .hook(HookMatcher::subagent_start(), async move |input, _| {
            began.note(json!({"began": input.agent_type, "agent_id": input.agent_id}));
            HookOutput::default()
        })
        .hook(HookMatcher::subagent_stop(), async move |input, _| {
            stopped.note(json!({"active": input.stop_hook_active, "agent_id": input.agent_id,
                "said": input.last_assistant_message}));
            match input.stop_hook_active {
                true => HookOutput::default(),
                false => HookOutput::default().block("say it in words"),
            }
        })
        .can_use_tool(async move |request: PermissionRequest| {
            asked.note(serde_json::from_str(request.raw()).unwrap());
            Permission::allow()
        });
    stage.play(options).await;
}

/// Each hook has something to tell the user.
pub(super) async fn hooks_that_speak(stage: &mut Stage) {
    stage.script([add(), Reply::new().call("mcp__calc__fails", json!({})), done()]);
    stage.script([done()]);
    let options = stage.options().mcp_server(stage.registry());
    let options = options
        .hook(HookMatcher::user_prompt_submit(), async |_, _| {
            HookOutput::default().system_message("a prompt").additional_context("it is Sunday")
        })
        .hook(HookMatcher::pre_tool_use("*"), async |_, _| {
            HookOutput::default().system_message("before, one")
        })
        .hook(HookMatcher::pre_tool_use("*"), async |_, _| {
            HookOutput::default().system_message("before, two").allow()
        })
        .hook(HookMatcher::post_tool_use("*"), async |_, _| {
            HookOutput::default().system_message("after").additional_context("checked")
        })
        .hook(HookMatcher::post_tool_use_failure("*"), async |_, _| {
            HookOutput::default().system_message("failed")
        })
        .hook(HookMatcher::post_tool_batch(), async |_, _| {
            HookOutput::default().system_message("all")
        })
        .hook(HookMatcher::stop(), async |input, _| match input.stop_hook_active {
            true => HookOutput::default().system_message("the end"),
            false => HookOutput::default().system_message("not yet").block("go on"),
        });
    stage.play(options).await;
}

pub(super) async fn hooks_that_speak_and_decide(stage: &mut Stage) {
    stage.script([add(), add(), done()]);
    let options = stage.options().mcp_server(stage.registry());
    let number = Arc::new(AtomicUsize::new(0));
    let options = options
        .hook(HookMatcher::pre_tool_use("*"), async move |_, _| {
            match number.fetch_add(1, Ordering::Relaxed) {
                0 => HookOutput::default().system_message("no").deny("not this one"),
                _ => HookOutput::default(),
            }
        })
        .hook(HookMatcher::permission_request("*"), async |_, _| {
            HookOutput::default().system_message("yes").decide(Permission::allow())
        })
        .hook(HookMatcher::stop(), async |_, _| {
            HookOutput::default().system_message("enough").stop("enough")
        });
    stage.play(options).await;
}

/// Their failures are told, and count as empty answers.
pub(super) async fn hooks_that_fail(stage: &mut Stage) {
    stage.script([add(), Reply::new().call("mcp__calc__fails", json!({})), done()]);
    let options = stage.calc();
    let options = options
        .hook(HookMatcher::user_prompt_submit(), async |_, _| HookOutput::failed("broken, submit"))
        .hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::failed("broken, pre"))
        .hook(HookMatcher::post_tool_use("*"), async |_, _| HookOutput::failed("broken, post"))
        .hook(HookMatcher::post_tool_use_failure("*"), async |_, _| {
            HookOutput::failed("broken, failure")
        })
        .hook(HookMatcher::post_tool_batch(), async |_, _| HookOutput::failed("broken, batch"))
        .hook(HookMatcher::stop(), async |_, _| HookOutput::failed("broken, stop"));
    stage.play(options).await;
}

/// Their failures count as blocks.
pub(super) async fn hooks_that_fail_closed(stage: &mut Stage) {
    stage.script([add(), Reply::new().call("mcp__calc__forget", json!({"what": "it"})), done()]);
    let options = stage.calc();
    let options = options
        .hook(
            HookMatcher::pre_tool_use("mcp__calc__add").on_failure(OnFailure::Block),
            async |_, _| HookOutput::failed("broken, pre"),
        )
        .hook(HookMatcher::post_tool_use("*").on_failure(OnFailure::Block), async |_, _| {
            HookOutput::failed("broken, post")
        });
    stage.play(options).await;
}

/// No failure keeps a turn or a subagent from its end.
pub(super) async fn stop_hooks_that_fail_closed(stage: &mut Stage) {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    stage.script([Reply::new().call("Agent", input), done()]);
    stage.agent([Reply::new().text("It is 42.")]);
    let options = stage.calc().tools(["Agent"]);
    let options = options
        .hook(HookMatcher::subagent_stop().on_failure(OnFailure::Block), async |_, _| {
            HookOutput::failed("broken, subagent")
        })
        .hook(HookMatcher::stop().on_failure(OnFailure::Block), async |_, _| {
            HookOutput::failed("broken, stop")
        });
    stage.play(options).await;
}

pub(super) async fn hook_that_fails_closed_on_a_prompt(stage: &mut Stage) {
    stage.script([done()]);
    let options = stage
        .calc()
        .hook(HookMatcher::user_prompt_submit().on_failure(OnFailure::Block), async |_, _| {
            HookOutput::failed("broken")
        });
    stage.play(options).await;
}

/// A call is not made if the hook before it takes too long.
pub(super) async fn late_hooks(stage: &mut Stage) {
    stage.script([add(), Reply::new().call("mcp__calc__forget", json!({"what": "it"})), done()]);
    let second = Duration::from_secs(1);
    let options = stage.calc();
    let options = options
        .hook(HookMatcher::pre_tool_use("mcp__calc__add").timeout(second), async |_, _| {
            pending::<HookOutput<_>>().await
        })
        .hook(HookMatcher::post_tool_use("mcp__calc__forget").timeout(second), async |_, _| {
            pending::<HookOutput<_>>().await
        })
        .hook(HookMatcher::stop().timeout(second), async |_, _| pending::<HookOutput<_>>().await);
    stage.play(options).await;
}

pub(super) async fn late_hook_of_a_prompt(stage: &mut Stage) {
    stage.script([done()]);
    let matcher = HookMatcher::user_prompt_submit().timeout(Duration::from_secs(1));
    let options = stage.calc().hook(matcher, async |_, _| pending::<HookOutput<_>>().await);
    stage.play(options).await;
}

/// The user is told of their failures only.
pub(super) async fn subagent_hooks_that_speak(stage: &mut Stage) {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    stage.script([Reply::new().call("Agent", input), done()]);
    stage.agent([add(), Reply::new().text("It is 42.")]).agent([Reply::new().text("Forty-two.")]);
    let options = stage.calc().tools(["Agent"]);
    let options = options
        .hook(HookMatcher::subagent_start(), async |_, _| {
            HookOutput::default().system_message("it begins")
        })
        .hook(HookMatcher::pre_tool_use("mcp__.*"), async |_, _| {
            HookOutput::default().system_message("before")
        })
        .hook(HookMatcher::post_tool_use("mcp__.*"), async |_, _| HookOutput::failed("broken"))
        .hook(HookMatcher::subagent_stop(), async |input, _| match input.stop_hook_active {
            true => HookOutput::default().system_message("it ends"),
            false => HookOutput::default().system_message("not yet").block("say it in words"),
        });
    stage.play(options).await;
}

/// It ends the turn, and the model is not asked again.
pub(super) async fn blocked_batch(stage: &mut Stage) {
    stage.script([add(), done()]);
    let options = stage
        .calc()
        .hook(HookMatcher::post_tool_batch(), async |_, _| HookOutput::default().block("enough"));
    stage.play(options).await;
}

pub(super) async fn batch_whose_hook_fails_closed(stage: &mut Stage) {
    stage.script([add(), done()]);
    let matcher = HookMatcher::post_tool_batch().on_failure(OnFailure::Block);
    stage.play(stage.calc().hook(matcher, async |_, _| HookOutput::failed("broken"))).await;
}
