use super::*;

/// One round, in which ours needs ten times as long as the floor, and more memory than it may.
fn slow_and_large() -> Results {
    let mut results = Results::default();
    for (server, value) in [(Ours, 10.0), (Floor, 1.0)] {
        results.add(0, server, Metric::AddP50, value);
    }
    results.add(0, Ours, Metric::MemoryCalls, 100.0);
    results.add(0, Ours, Metric::Start, 1.0);
    results.add(0, Rmcp, Metric::Start, 2.0);
    results
}

fn verdicts(is_usual: bool) -> (Vec<(&'static str, bool)>, usize) {
    let verdict = judge(&slow_and_large(), is_usual);
    (verdict.bars.iter().map(|bar| (bar.promise, bar.pass)).collect(), verdict.elsewhere)
}

#[test]
fn bars_of_calls_are_judged_where_they_are_set_alone() {
    let calls = [("add p50 at most 1.2 x floor", false)];
    let anywhere = [
        ("peak memory after 20k adds at most 4.5 MiB", false),
        ("spawn to first answer at most rmcp's", true),
    ];
    assert_eq!(verdicts(false), (anywhere.to_vec(), 1));
    assert_eq!(verdicts(true), ([&calls[..], &anywhere].concat(), 0));
}
