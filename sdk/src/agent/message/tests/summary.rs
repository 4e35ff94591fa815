use super::*;

fn result(session: &str, cost: f64, tokens: u64, error: bool) -> Message {
    parse(&format!(
        r#"{{"type":"result","subtype":"success","is_error":{error},"session_id":"{session}","num_turns":2,"duration_ms":50,"duration_api_ms":{tokens},"total_cost_usd":{cost},"modelUsage":{{"opus":{{"inputTokens":{tokens},"costUSD":{cost}}}}},"permission_denials":[{{"tool_name":"Bash"}}]}}"#
    ))
}

#[test]
fn turns_add_up_and_cost_counts_once_a_session() {
    let mut summary = RunSummary::default();
    for message in [
        result("a", 0.25, 1_000, false),
        result("a", 0.75, 3_000, false),
        parse(r#"{"type":"user"}"#),
        result("b", 0.5, 2_000, true),
    ] {
        summary.add(&message);
    }
    assert_eq!(
        (
            summary.results,
            summary.errors,
            summary.turns,
            summary.duration_ms,
            summary.permission_denials.len()
        ),
        (3, 1, 6, 150, 3)
    );
    assert_eq!((summary.total_cost_usd(), summary.duration_api_ms()), (1.25, 5_000));
    let models = summary.model_usage();
    assert_eq!((models["opus"].input_tokens, models["opus"].cost_usd), (5_000, 1.25));
}

#[test]
fn what_a_resumed_session_cost_before_is_left_out() {
    let mut summary = RunSummary::default();
    for (total, tokens) in [(1.25, 3_000), (1.5, 4_000)] {
        summary.add(&parse(&format!(
            r#"{{"type":"result","session_id":"a","total_cost_usd":{total},"modelUsage":{{"opus":{{"inputTokens":{tokens},"costUSD":{total}}}}},"model_usage_since_last_result":{{"opus":{{"inputTokens":1000,"costUSD":0.25}}}}}}"#
        )));
    }
    let models = summary.model_usage();
    assert_eq!((summary.total_cost_usd(), models["opus"].input_tokens), (0.5, 2_000));

    // A command that asks no model has used nothing.
    let mut summary = RunSummary::default();
    summary.add(&parse(
        r#"{"type":"result","session_id":"a","total_cost_usd":1.25,"model_usage_since_last_result":{}}"#,
    ));
    assert_eq!((summary.total_cost_usd(), summary.model_usage().len()), (0.0, 0));
}

#[test]
fn a_turn_that_failed_at_once_takes_nothing_away() {
    let mut summary = RunSummary::default();
    summary.add(&result("a", 0.25, 1_000, false));
    summary.add(&parse(r#"{"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"a","errors":["x","y"]}"#));
    assert_eq!(
        (summary.total_cost_usd(), summary.model_usage()["opus"].input_tokens),
        (0.25, 1_000)
    );
}

#[test]
fn a_turn_without_success_has_failed_whether_it_says_so_or_not() {
    let mut summary = RunSummary::default();
    for members in [
        r#""subtype":"error_max_turns","is_error":false"#,
        r#""subtype":"error_max_turns""#,
        r#""subtype":"success","is_error":true"#,
        r#""subtype":"success","is_error":false"#,
        r#""result":"42""#,
    ] {
        summary.add(&parse(&format!(r#"{{"type":"result",{members}}}"#)));
    }
    assert_eq!((summary.results, summary.errors), (5, 3));
}

#[test]
fn what_has_cost_nothing_has_no_sign() {
    let mut summary = RunSummary::default();
    assert_eq!(format!("{:.2}", summary.total_cost_usd()), "0.00");
    summary.add(&parse(r#"{"type":"result","session_id":"s","modelUsage":{}}"#));
    assert_eq!(format!("{:.2}", summary.total_cost_usd()), "0.00");
    let since = r#"{"type":"result","session_id":"s","model_usage_since_last_result":{}}"#;
    summary.add(&parse(since));
    assert_eq!(format!("{:.2}", summary.total_cost_usd()), "0.00");
}

#[test]
fn sums_do_not_overflow() {
    let mut summary = RunSummary::default();
    let largest = u64::MAX;
    for session in ["a", "b"] {
        summary.add(&parse(&format!(
            r#"{{"type":"result","session_id":"{session}","num_turns":{largest},"duration_ms":{largest},"duration_api_ms":{largest},"modelUsage":{{"m":{{"inputTokens":{largest}}}}}}}"#
        )));
    }
    assert_eq!(
        (summary.turns, summary.duration_api_ms(), summary.model_usage()["m"].input_tokens),
        (largest, largest, largest)
    );
}

#[test]
fn the_text_of_a_result_is_its_answer_or_its_errors() {
    let text = |raw: &str| match parse(raw) {
        Message::Result(result) => result.text().into_owned(),
        _ => panic!(),
    };
    assert_eq!(text(r#"{"type":"result","result":"a","errors":["b"]}"#), "a");
    assert_eq!(text(r#"{"type":"result","errors":["b"]}"#), "b");
    assert_eq!(text(r#"{"type":"result","errors":["b","c"]}"#), "b; c");
    assert_eq!(text(r#"{"type":"result"}"#), "");
}
