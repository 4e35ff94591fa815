//! What a scenario of the endurance run says while it works.

use std::io::{Read, Write, stdin, stdout};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Says that the scenario goes on.
pub fn lives() -> Result<()> {
    say(".")
}

/// Reports, and waits until the lab has looked at this process.
pub fn report(figures: &Value) -> Result<()> {
    say(&figures.to_string())?;
    let count = stdin().lock().read(&mut [0]).context("reading from the lab")?;
    ensure!(count == 1, "the lab waits for no more reports");
    Ok(())
}

fn say(line: &str) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("telling the lab")
}
