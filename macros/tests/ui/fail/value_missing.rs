use toolwright::{tool, tools};

#[tool(title)]
async fn alone() {}

#[tool(title =)]
async fn equals() {}

#[tool(title("Add"), read_only)]
async fn parentheses() {}

#[tool(timeout, read_only)]
async fn timeout() {}

#[tool(meta)]
async fn meta() {}

fn main() {
    let _ = tools![alone, equals, parentheses, timeout, meta];
}
