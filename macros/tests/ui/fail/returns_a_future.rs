use std::future::Future;

use toolwright::{prompt, tool, tools};

#[tool]
fn wait(ms: u64) -> impl Future<Output = std::io::Result<&'static str>> + Send {
    async move { Ok(if ms > 0 { "later" } else { "now" }) }
}

#[prompt]
fn tooling(tools: &[my_tools::Name<&str>]) -> impl Future<Output = toolwright::PromptMessage> {
    async move { toolwright::PromptMessage::user(tools.len().to_string()) }
}

mod my_tools {
    pub(crate) struct Name<T>(T);
}

fn main() {
    let _ = tools![wait];
}
