use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

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

/// Instructions of the server's own code, counted by valgrind; nothing where it is not installed.
pub fn take(bench: &mut Bench) -> Result<Readings> {
    let Some(valgrind) = valgrind() else { return Ok(Vec::new()) };
    let measures = [
        (Metric::AddInstructions, Call::Add, 1),
        (Metric::SearchInstructions, Call::Search, 1),
        (Metric::Window256Instructions, Call::Add, 256),
    ];
    let each = |(metric, call, window): (Metric, Call, usize)| {
        let mut executed = |calls| executed(bench, &valgrind, &call, calls, window);
        let [few, many] = CALLS;
        let value = (executed(many)? - executed(few)?) / (many - few) as f64;
        Ok((metric, value))
    };
    measures.into_iter().map(each).collect()
}

/// What a whole process executes that answers so many calls.
fn executed(
    bench: &mut Bench,
    valgrind: &PathBuf,
    call: &Call,
    calls: usize,
    window: usize,
) -> Result<f64> {
    let scratch = Scratch::new()?;
    let log = scratch.0.join("log");
    let mut args = vec![
        "--tool=callgrind".to_owned(),
        "--callgrind-out-file=/dev/null".to_owned(),
        format!("--log-file={}", log.display()),
        bench.server.program.display().to_string(),
    ];
    args.extend_from_slice(&bench.server.args);
    let server = Server { name: bench.server.name, program: valgrind.clone(), args };
    let mut session = Session::start(&server, bench.era)?;
    let mut checker = session.checker();
    let batch = session.batch(call, calls);
    windowed(&mut session, &batch, &mut checker, window)?;
    bench.end(session);
    let log = fs::read_to_string(log).context("reading what valgrind says")?;
    let count = log.lines().find_map(|line| Some(line.split_once("Collected :")?.1.trim()));
    count.and_then(|count| count.parse().ok()).with_context(|| format!("no count in {log}"))
}

fn valgrind() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("valgrind")).find(|it| it.exists())
}
