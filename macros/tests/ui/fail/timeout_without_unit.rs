use toolwright::{tool, tools};

#[tool(timeout = 10)]
async fn seconds() {}

#[tool(timeout = 500ms)]
async fn unquoted() {}

#[tool(timeout = std::time::Duration::from_secs(10))]
async fn duration() {}

fn main() {
    let _ = tools![seconds, unquoted, duration];
}
