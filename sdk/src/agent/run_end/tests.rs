use super::*;

fn one_prompt(needs_us: bool) -> RunEnd {
    let mut run = RunEnd::new(needs_us);
    run.prompt();
    run.prompts_done = true;
    run
}

#[test]
fn a_run_that_needs_nothing_is_closed_after_its_last_prompt() {
    assert_eq!(one_prompt(false).verdict(), Verdict::Close);
    let mut run = RunEnd::default();
    run.prompt();
    assert_eq!(run.verdict(), Verdict::Open, "more prompts may come");
}

#[test]
fn no_prompt_at_all_closes_at_once() {
    let run = RunEnd { needs_us: true, prompts_done: true, ..RunEnd::default() };
    assert_eq!(run.verdict(), Verdict::Close);
}

#[test]
fn a_result_and_idle_end_the_run_in_either_order() {
    for result_first in [true, false] {
        let mut run = one_prompt(true);
        run.state("running");
        assert_eq!(run.verdict(), Verdict::Open);
        if result_first {
            run.result();
            assert_eq!(run.verdict(), Verdict::Lingering);
            run.state("idle");
        } else {
            run.state("idle");
            assert_eq!(run.verdict(), Verdict::Open);
            run.result();
        }
        assert_eq!(run.verdict(), Verdict::Close);
    }
}

#[test]
fn work_after_the_first_result_keeps_the_input_open() {
    let mut run = one_prompt(true);
    run.state("running");
    run.result();
    run.work();
    assert_eq!(run.verdict(), Verdict::Open);
    run.result();
    run.state("idle");
    assert_eq!(run.verdict(), Verdict::Close);
}

#[test]
fn without_states_the_tasks_in_flight_decide() {
    let mut run = one_prompt(true);
    run.task_started("a", "local_agent");
    run.task_started("b", "local_bash");
    run.result();
    assert_eq!(run.verdict(), Verdict::Open);
    run.task_ended("a");
    assert_eq!(run.verdict(), Verdict::Close);
    run.work();
    assert_eq!(run.verdict(), Verdict::Close, "nothing would say when that is over");
}

#[test]
fn an_agent_in_the_background_keeps_the_input_open_and_a_shell_does_not() {
    let mut run = one_prompt(true);
    run.state("running");
    run.task_started("a", "local_agent");
    run.task_started("b", "local_bash");
    run.result();
    assert_eq!(run.verdict(), Verdict::Open);
    run.task_ended("a");
    assert_eq!(run.verdict(), Verdict::Lingering);
}

#[test]
fn a_run_is_over_when_only_the_end_of_the_cli_is_missing() {
    for needs_us in [true, false] {
        let mut run = one_prompt(needs_us);
        assert!(!run.is_over(), "the model is at work");
        run.result();
        assert!(run.is_over());
        run.state("running");
        assert!(!run.is_over(), "the CLI goes on");
        run.state("idle");
        assert!(run.is_over());
        run.work();
        assert!(!run.is_over());
    }
    let mut two = one_prompt(false);
    two.prompt();
    two.result();
    assert!(!two.is_over(), "the second prompt may be at work");
    two.result();
    assert!(two.is_over());
    let nothing = RunEnd { prompts_done: true, ..RunEnd::default() };
    assert!(nothing.is_over());
    assert!(!RunEnd::default().is_over(), "a prompt may come");
}
