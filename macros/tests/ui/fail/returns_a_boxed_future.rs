use std::pin::Pin;

use toolwright::{tool, tools};

#[tool]
fn wait(ms: u64) -> Pin<Box<dyn std::future::Future<Output = u64> + Send>> {
    Box::pin(async move { ms })
}

fn main() {
    let _ = tools![wait];
}
