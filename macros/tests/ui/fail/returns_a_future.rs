use std::future::Future;

use toolwright::{tool, tools};

#[tool]
fn wait(ms: u64) -> impl Future<Output = std::io::Result<&'static str>> + Send {
    async move { Ok(if ms > 0 { "later" } else { "now" }) }
}

fn main() {
    let _ = tools![wait];
}
