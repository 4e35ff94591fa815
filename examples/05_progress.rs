//! Progress, logs and cancellation, and a client that shows them.
//!
//! Run with `cargo run --example 05_progress`.

use std::error::Error;
use std::future::pending;

use toolwright::testing::TestClient;
use toolwright::{Context, LoggingLevel, ToolRegistry, json, tool, tools};

/// Copy some files.
#[tool(destructive = false)]
async fn copy(files: u32, cx: &Context) -> String {
    for file in 1..=files {
        cx.progress_of(file.into(), files.into(), format!("file {file}"));
    }
    cx.log(LoggingLevel::Info, json!({"copied": files}));
    format!("{files} files are copied")
}

/// Upload a file. When the call is cancelled its future is dropped, and so is what it owns.
#[tool(destructive = false)]
async fn upload() {
    let _guard = Upload;
    pending().await
}

struct Upload;

impl Drop for Upload {
    fn drop(&mut self) {
        println!("the upload is taken back");
    }
}

/// Count until the call is cancelled. A plain function runs on a thread of its own, and asks.
#[tool(read_only)]
fn count(cx: &Context) -> u64 {
    (0..).find(|_| cx.is_cancelled()).unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("files").tools(tools![copy, upload, count]).build()?;
    let mut client = TestClient::in_memory(&registry)?;

    println!("{}", client.call("copy", json!({"files": 3}))?.to_text());
    for report in client.progress()? {
        println!("{:3.0}% {}", 100.0 * report.done / report.total, report.message);
    }
    for log in client.logs()? {
        println!("{:?}: {}", log.level, log.value);
    }
    for tool in ["upload", "count"] {
        let call = client.start_call(tool, json!({}))?;
        client.cancel(call)?;
        println!("{tool} is cancelled");
    }
    Ok(())
}
