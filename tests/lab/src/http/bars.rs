use super::Results;
use super::metric::Answer::{self, Json, Stream};
use super::metric::Metric;
use super::server::Name::{Floor, Ours};
use crate::bars::Bar;

/// The answer, the connections, and the most that ours may cost, in the floor's CPU time a call.
const BARS: [(&str, Answer, usize, f64); 6] = [
    ("JSON, 1 connection: CPU at most 1.3 x floor", Json, 1, 1.3),
    ("JSON, 8 connections: CPU at most 1.3 x floor", Json, 8, 1.3),
    ("JSON, 64 connections: CPU at most 1.3 x floor", Json, 64, 1.3),
    ("stream, 1 connection: CPU at most 2 x floor", Stream, 1, 2.0),
    ("stream, 8 connections: CPU at most 2 x floor", Stream, 8, 2.0),
    ("stream, 64 connections: CPU at most 2 x floor", Stream, 64, 2.0),
];

/// What the sessions that the server keeps at most may take.
const SESSIONS: &str = "20,000 sessions, of which 10,000 are kept: at most 64 MiB";

/// The bars for which all that they compare was measured.
pub fn judge(results: &Results) -> Vec<Bar> {
    let judged = |&(promise, answer, connections, most): &(&'static str, Answer, usize, f64)| {
        let ratios = results.ratios(Metric::Cpu(answer, connections), Ours, Floor);
        Bar::of(promise, ratios, "x", |value| value <= most)
    };
    let sessions = results.rounds(Ours, Metric::MoreSessions).collect();
    let sessions = Bar::of(SESSIONS, sessions, "MiB", |value| value <= 64.0);
    BARS.iter().filter_map(judged).chain(sessions).collect()
}
