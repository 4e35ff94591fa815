use super::plan::{Decile, Endured};
use super::runs::Ended;
use crate::bars::Bar;

/// Memory, descriptors and threads of the servers of a way.
struct Promises {
    way: &'static str,
    memory: &'static str,
    descriptors: &'static str,
    threads: &'static str,
}

const PROMISES: [Promises; 3] = [
    Promises {
        way: "stdio",
        memory: "stdio: memory at most 1.05 x after the second",
        descriptors: "stdio: no more descriptors than after the second",
        threads: "stdio: no more threads than after the second",
    },
    Promises {
        way: "process",
        memory: "process: memory at most 1.05 x after the second",
        descriptors: "process: no more descriptors than after the second",
        threads: "process: no more threads than after the second",
    },
    Promises {
        way: "http",
        memory: "http: memory at most 1.05 x after the second",
        descriptors: "http: no more descriptors than after the second",
        threads: "http: no more threads than after the second",
    },
];

/// By how much memory may grow in a quick run, in MiB: the heap still settles then. 100 bytes for
/// each call would be more.
pub const SETTLING: f64 = 2.0;

/// What the last decile of a way must not have more of than the second.
pub fn judge(way: &str, endured: &Endured, quick: bool) -> Vec<Bar> {
    let promises = PROMISES.iter().find(|promises| promises.way == way);
    let (Some(promises), [_, _, Decile { sample: second, .. }, .., Decile { sample: last, .. }]) =
        (promises, &endured.deciles[..])
    else {
        return Vec::new();
    };
    let ratio = last.memory / second.memory;
    let allowed = if quick { SETTLING.max(second.memory * 0.05) } else { second.memory * 0.05 };
    let is_flat = last.memory <= second.memory + allowed;
    vec![
        Bar { promise: promises.memory, value: ratio, unit: "x", pass: is_flat, range: None },
        more(promises.descriptors, second.descriptors, last.descriptors),
        more(promises.threads, second.threads, last.threads),
    ]
}

/// What the client must not have more of than after its first batch.
pub fn judge_runs(ended: &Ended, quick: bool) -> Vec<Bar> {
    let (Some(first), Some(last)) = (ended.samples.first(), ended.samples.last()) else {
        return Vec::new();
    };
    let longest = ended.longest.as_secs_f64();
    vec![
        more(
            "agent: no more descriptors than after the first batch",
            first.descriptors,
            last.descriptors,
        ),
        more("agent: no more threads than after the first batch", first.threads, last.threads),
        Bar {
            promise: "agent: all that a run has is gone within 10 s",
            value: longest,
            unit: "s",
            // A quick run is not judged by its speed.
            pass: quick || longest <= 10.0,
            range: None,
        },
    ]
}

fn more(promise: &'static str, before: usize, after: usize) -> Bar {
    let value = after as f64 - before as f64;
    Bar { promise, value, unit: "", pass: value <= 0.0, range: None }
}
