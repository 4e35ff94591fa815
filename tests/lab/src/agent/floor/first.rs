//! The least that a client can do until the first message is there.

use std::time::Instant;

use anyhow::Result;
use memchr::memmem;

use super::run::{INITIALIZE, PROMPT, Run};
use crate::agent::client::Client;

/// Seconds from the spawn to the first message, `count` times.
pub fn first(client: &Client, count: usize) -> Result<Vec<f64>> {
    (0..count).map(|_| once(client)).collect()
}

fn once(client: &Client) -> Result<f64> {
    let clock = Instant::now();
    let mut run = Run::start(client, "first 1", &[])?;
    run.write(INITIALIZE)?;
    until(&mut run, b"\"control_response\"")?;
    run.write(PROMPT)?;
    until(&mut run, b"\"init\"")?;
    let seconds = clock.elapsed().as_secs_f64();
    run.end()?;
    Ok(seconds)
}

/// Reads up to a line that has the word.
fn until(run: &mut Run, word: &[u8]) -> Result<()> {
    loop {
        while let Some(line) = run.line() {
            if memmem::find(line, word).is_some() {
                return Ok(());
            }
        }
        run.fill()?;
    }
}
