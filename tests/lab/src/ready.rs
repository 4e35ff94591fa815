use std::io::{BufRead as _, BufReader, copy, sink};
use std::process::Child;
use std::thread;

use anyhow::{Context, Result, bail};

use crate::watchdog::Watchdog;

/// Waits for the line on standard error with which a server says that it is ready, and gives what
/// `find` finds in it.
pub fn ready<T>(server: &mut Child, find: impl Fn(&str) -> Option<T>) -> Result<T> {
    let _watchdog = Watchdog::over(server);
    let mut errors = BufReader::new(server.stderr.take().context("no stderr")?);
    let mut said = String::new();
    loop {
        let from = said.len();
        if errors.read_line(&mut said).context("waiting for a server")? == 0 {
            bail!("the server is not ready: {said}");
        }
        if let Some(found) = find(&said[from..]) {
            // What it says later must not stop it.
            thread::spawn(move || copy(&mut errors, &mut sink()));
            return Ok(found);
        }
    }
}
