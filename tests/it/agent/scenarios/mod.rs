//! Each scenario gives the same messages on the scripted CLI and on the real one.
//!
//! A scenario is a function that is called with two stages. A stage makes of the same replies a
//! script for the model of the real CLI, or for the CLI in memory; options, prompts and callbacks
//! are the same. The messages are compared as the JSON they came in, after ids are numbered. What
//! cannot be the same is a list with reasons, in `differences.rs`.

mod agents;
mod builtins;
mod comparison;
mod differences;
mod endings;
mod hook_outputs;
mod hooks;
mod matchers;
mod output;
mod permissions;
mod replies;
mod requests;
mod sequences;
mod stage;
mod steering;
mod tools;

use stage::Stage;

/// Makes a test of each scenario.
macro_rules! scenarios {
    ($($module:ident::{$($scenario:ident),+ $(,)?}),+ $(,)?) => {$($(
        #[tokio::test]
        async fn $scenario() {
            let Some(mut real) = Stage::real().await else { return };
            let Some(mut scripted) = Stage::scripted().await else { return };
            $module::$scenario(&mut real).await;
            $module::$scenario(&mut scripted).await;
            compare(real, scripted);
        }
    )+)+};
}

scenarios! {
    replies::{
        text, two_turns, partial_messages, thinking, refusal, max_tokens,
        max_turns, rate_limit, overloaded, invalid_request, server_error, authentication, retry,
        refused_twice, cut_connection, cut_answer, cut_often, cut_call, refused_at_once, subagent,
        long_thinking, forwarded_subagent, budget, budget_at_the_end, max_tokens_before_the_limit,
        refusal_before_the_limit,
        unknown_model, forbidden, unpaid, large_request, long_prompt,
    },
    output::{
        structured_output, converted_output, wrong_output, output_that_never_fits, denied_output,
        text_before_the_output, text_in_place_of_the_output, output_that_a_stop_hook_blocks,
        outputs_of_two_turns, output_at_the_limit,
    },
    tools::{
        tool_call, named_server, progress, converted_arguments, parallel_calls, tool_errors, structured_content,
        elicitation, nothing, empty_text, empty_error, several_blocks, audio, resource_link,
        structured_content_with_others, described_link, drawing, error_without_text,
        error_with_a_link,
    },
    agents::{
        unknown_agent, misspelt_agent, agent_with_some_tools, agent_without_a_tool, no_agents,
        interrupt_of_a_subagent, interrupt_of_the_model_of_a_subagent, prompt_for_now_in_a_subagent,
        subagent_denied_for_good, subagent_at_the_limit, subagent_that_defers,
        subagent_that_a_hook_stops, agent_by_its_older_name, agents_that_are_forbidden,
        agents_that_are_forbidden_by_the_older_name, agents_that_a_rule_asks_for,
        agent_with_a_limit, agent_with_a_limit_that_speaks,
        agent_with_a_limit_that_a_hook_lets_go_on, agent_with_a_mode,
        unknown_agent_beside_others,
    },
    builtins::{
        question, question_with_another_answer, question_half_answered,
        question_answered_by_header, question_only_allowed, question_denied, answers_alone,
        question_to_nobody, end_of_a_plan,
    },
    permissions::{
        planned, planned_by_rule, planned_by_a_hook, read_by_rule_while_planning,
        permission_that_fails,
        denied, denied_for_good, allowed_with_another_input, allowed_for_ever, not_granted,
        never_asked, allowed_for_the_session, bypassed, accepted_edits,
        decided_by_settings, never_asked_by_settings, reads, wide_rules, wide_rule_in_an_answer,
        suggested_for_files, suggested_for_other_files_among_edits, suggested_for_commands,
        edits_for_the_session, commands_for_the_session, reads_for_the_session,
        rules_with_commands,
    },
    hooks::{
        hooks, blocked_tool, blocked_prompt, allowed_by_a_hook, stopped_prompt, stopped_at_the_end,
        stopped_though_blocked, stopped_call, decided_by_a_hook, subagent_hooks,
        hooks_that_speak, hooks_that_speak_and_decide, hooks_that_fail, hooks_that_fail_closed,
        hook_that_fails_closed_on_a_prompt, late_hooks, late_hook_of_a_prompt,
        subagent_hooks_that_speak,
        decided_first_by_a_hook, decided_first_by_the_callback,
        stop_hooks_that_fail_closed,
        blocked_prompt_that_is_not_repeated, blocked_batch, batch_whose_hook_fails_closed,
    },
    endings::{
        stop_hook_at_the_first_turn, stop_hook_at_the_second_turn, stop_hook_without_end,
        stop_hook_without_end_in_a_subagent,
    },
    hook_outputs::{outputs_that_do_not_count, outputs_of_nothing, titles},
    matchers::{hooks_of_several_tools, hooks_of_an_older_name},
    steering::{
        interrupt_of_the_model, interrupt_of_a_tool, queued_prompt, folded_prompt, requests,
        interrupt_of_the_second_answer, prompts_that_share_a_turn, prompt_for_later,
        prompt_for_now, withdrawn_prompt, interrupt_with_a_queued_prompt,
        interrupt_of_a_permission, prompt_for_now_at_a_permission, folded_prompts_with_hooks,
        folded_prompt_that_a_hook_stops, folded_prompts_whose_hook_fails,
        hook_of_prompts_that_share_a_turn, blocked_prompts_that_share_a_turn,
    },
    requests::{
        requests_about_the_session, requests_about_tasks, requests_that_steer,
        requests_about_servers, server_switched_off_and_on, server_switched_off_in_a_call,
        servers_that_come_and_go, server_that_comes_first, model_set_in_a_turn,
        mode_set_in_a_turn, permission_rules, model_without_a_name,
    },
    sequences::{
        interrupt_between_turns, interrupt_twice, blank_prompt, blank_first_prompt,
        queued_blank_prompt, calls_of_several_servers, panicking_tool, late_tool,
        max_turns_in_a_conversation, nothing_to_continue, ordered_hooks, hook_of_a_failure,
        hook_of_a_refusal, call_without_an_end,
    },
}

fn compare(real: Stage, scripted: Stage) {
    let ((real, really_asked), (scripted, asked)) = (real.finish(), scripted.finish());
    let mut found = comparison::differences(&real, &scripted);
    found.extend(comparison::differences(&really_asked, &asked));
    assert!(found.is_empty(), "{}", found.join("\n"));
}
