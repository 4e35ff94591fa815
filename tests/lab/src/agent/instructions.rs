use anyhow::{Result, ensure};

use super::client::{Client, Name};
use super::metric::Metric;
use crate::callgrind::Callgrind;

/// Nothing where valgrind is not installed, for what is not compiled, and for the floors, which are
/// part of this program.
pub fn take(client: &Client, _: bool) -> Result<Vec<(Metric, f64)>> {
    let callgrind = Callgrind::installed()?;
    let callgrind = callgrind.filter(|_| matches!(client.name, Name::Ours | Name::Before));
    let Some(callgrind) = callgrind else { return Ok(Vec::new()) };
    let mut readings = Vec::new();
    for (metric, scenario, count_of) in [
        (Metric::StreamInstructions, "partial", "messages"),
        (Metric::Calls16Instructions, "calls 16", "ran"),
        (Metric::Hooks16Instructions, "hooks 16", "ran"),
        (Metric::Permissions16Instructions, "permissions 16", "ran"),
    ] {
        let [instructions, _] = callgrind.of_a_call(|count| {
            let figures = client.counted(&callgrind, &format!("{scenario} {count}"))?;
            ensure!(figures[count_of] == count, "not all of {count}: {figures}");
            Ok(())
        })?;
        readings.push((metric, instructions));
    }
    Ok(readings)
}
