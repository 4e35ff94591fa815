use std::future::Future;

use toolwright::{tool, tools};

#[tool]
fn wait(ms: u64) -> impl Future<Output = Result<u64, String>> + Send {
    async move { Ok(ms) }
}

fn main() {
    let _ = tools![wait];
}
