use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{Bench, Readings};
use crate::call::Call;
use crate::cost::Scratch;
use crate::driver::windowed;
use crate::metric::Metric;
use crate::servers::Server;
use crate::session::Session;

/// How many calls two runs make. A call takes what the longer run takes more, divided by the calls
/// that it makes more; so start and end do not count.
const CALLS: [usize; 2] = [1_000, 3_000];

/// Instructions of the server's own code, and how often the first-level cache lacks some of it, as
/// valgrind simulates it; nothing where that is not installed.
pub fn take(bench: &mut Bench) -> Result<Readings> {
    let Some(valgrind) = valgrind() else { return Ok(Vec::new()) };
    let measures = [
        ([Metric::AddInstructions, Metric::AddCodeMisses], Call::Add, 1),
        ([Metric::SearchInstructions, Metric::SearchCodeMisses], Call::Search, 1),
        ([Metric::Window256Instructions, Metric::Window256CodeMisses], Call::Add, 256),
    ];
    let mut readings = Vec::new();
    for (metrics, call, window) in measures {
        let [few, many] = CALLS;
        let less = executed(bench, &valgrind, &call, few, window)?;
        let more = executed(bench, &valgrind, &call, many, window)?;
        for (at, metric) in metrics.into_iter().enumerate() {
            readings.push((metric, (more[at] - less[at]) / (many - few) as f64));
        }
    }
    Ok(readings)
}

/// What a whole process executes, and misses, that answers so many calls.
fn executed(
    bench: &mut Bench,
    valgrind: &Path,
    call: &Call,
    calls: usize,
    window: usize,
) -> Result<[f64; 2]> {
    let scratch = Scratch::new()?;
    let log = scratch.0.join("log");
    let mut args = vec![
        "--tool=callgrind".to_owned(),
        "--cache-sim=yes".to_owned(),
        "--callgrind-out-file=/dev/null".to_owned(),
        format!("--log-file={}", log.display()),
        bench.server.program.display().to_string(),
    ];
    args.extend_from_slice(&bench.server.args);
    let server = Server { name: bench.server.name, program: valgrind.into(), args };
    let mut session = Session::start(&server, bench.era)?;
    let mut checker = session.checker();
    let batch = session.batch(call, calls);
    windowed(&mut session, &batch, &mut checker, window)?;
    bench.end(session);
    let log = fs::read_to_string(log).context("reading what valgrind says")?;
    let count = |name: &str| {
        let after = log.lines().find_map(|line| Some(line.split_once(name)?.1));
        let count = after.and_then(|after| after.split_whitespace().next());
        count.and_then(|count| count.replace(',', "").parse().ok())
    };
    let counts = [count("Collected :"), count("I1  misses:")];
    let [Some(instructions), Some(misses)] = counts else { bail!("no count in {log}") };
    Ok([instructions, misses])
}

fn valgrind() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("valgrind")).find(|it| it.exists())
}
