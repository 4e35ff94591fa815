//! The server on HTTP.

use std::io::{self, Write};

use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use toolwright::{ToolRegistry, http};

use crate::runtimes;

/// Serves at `address` until the process is told to end.
pub(crate) fn listen(
    address: &str,
    options: http::Options,
    runtime: Runtime,
    registry: ToolRegistry,
) -> Result<(), String> {
    let served = runtime.block_on(async {
        let signals = runtimes::signals()?;
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| format!("{address} cannot be listened at: {error}"))?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let _ = writeln!(io::stderr(), "listening on http://{address}{}", options.path);
        let served = http::serve_until(listener, registry, options, signals).await;
        served.map_err(|error| format!("the listener failed: {error}"))
    });
    runtime.shutdown_background();
    served
}
