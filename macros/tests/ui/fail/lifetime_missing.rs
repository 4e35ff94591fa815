use toolwright::{tool, tools};

#[tool]
async fn motto() -> &str {
    "Say what to write."
}

fn main() {
    let _ = tools![motto];
}
