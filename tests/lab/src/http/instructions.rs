use anyhow::{Context, Result};

use super::connection::Connection;
use super::measure::{Driver, Readings};
use super::metric::{Answer, Metric};
use super::server::Server;
use crate::callgrind::Callgrind;

/// Nothing where valgrind is not installed, and nothing for a program that a JIT compiler runs.
pub fn take(driver: &Driver, server: &Server) -> Result<Readings> {
    let callgrind = Callgrind::installed()?.filter(|_| server.is_compiled());
    let Some(callgrind) = callgrind else { return Ok(Vec::new()) };
    let counted = server.under(&callgrind);
    let mut readings = Vec::new();
    for answer in [Answer::Json, Answer::Stream] {
        if !server.gives(answer) {
            continue;
        }
        let counts = callgrind.of_a_call(|calls| {
            let process = driver.start(&counted, answer)?.context("no answers of this kind")?;
            driver.runtime.block_on(async {
                let mut connection = Connection::open(&counted, process.address, answer, 0).await?;
                for _ in 0..calls {
                    process.watchdog.feed();
                    connection.call().await?;
                }
                anyhow::Ok(())
            })?;
            process.terminated()
        })?;
        readings.extend(
            [Metric::Instructions(answer), Metric::CodeMisses(answer)].into_iter().zip(counts),
        );
    }
    Ok(readings)
}
