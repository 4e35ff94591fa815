//! Checks a server with rmcp's client: `rmcp-client ERA stdio COMMAND...` or `rmcp-client ERA http
//! URL`.
//!
//! ERA is `legacy`, `modern`, `auto` or `fallback` (auto, with a server that is legacy). The
//! variable `CHECKS` names the checks, with a comma between two; without it all are made. Each is a
//! line of JSON: `{"check":"list","ok":true}`, or `"ok":false` with a `reason`.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::json;
use tokio::time::timeout;

mod checks;
mod connection;
mod listener;

use connection::Era;

/// Nothing waits so long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [era, transport, target @ ..] = &args[..] else { bail!("ERA and TRANSPORT are missing") };
    let era = Era::named(era)?;
    let mut client =
        timeout(PATIENCE, era.connect(transport, target)).await.context("connect")??;
    report("list", checks::list(&client)).await;
    report("call", checks::call(&client)).await;
    report("structured", checks::structured(&client, &era)).await;
    report("isError", checks::is_error(&client)).await;
    report("unknown tool", checks::unknown_tool(&client)).await;
    report("progress", checks::progress(&client)).await;
    report("custom", checks::custom(&client)).await;
    report("cancel", checks::cancel(&client)).await;
    report("4 in parallel", checks::four_in_parallel(&client)).await;
    report("list_changed", checks::list_changed(&client, &era)).await;
    report("close", async { Ok(client.close().await.map(|_| ())?) }).await;
    Ok(())
}

async fn report(check: &str, outcome: impl Future<Output = Result<()>>) {
    if std::env::var("CHECKS").is_ok_and(|wanted| !wanted.split(',').any(|name| name == check)) {
        return;
    }
    let outcome = timeout(PATIENCE, outcome).await.context("it takes too long").flatten();
    println!(
        "{}",
        match outcome {
            Ok(()) => json!({"check": check, "ok": true}),
            Err(error) => json!({"check": check, "ok": false, "reason": format!("{error:?}")}),
        }
    );
}
