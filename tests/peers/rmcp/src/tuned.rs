//! The server of `main.rs`, with what its user can tune without a change to rmcp: pipes that do not
//! block a thread, which more than halves the CPU time of a call, and a runtime of one thread.
//!
//! Larger buffers for reading, one worker thread, and a scheduler that looks for input less often
//! were tried and do not help. The profile of the release is that of all servers of `tests/lab`.

use std::error::Error;

use rmcp::{ServiceExt, transport::stdio_pipes};

#[path = "main.rs"]
#[expect(dead_code, reason = "it has a `main` of its own")]
mod twin;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let service = twin::Twin.serve(stdio_pipes()).await?;
    service.waiting().await?;
    Ok(())
}
