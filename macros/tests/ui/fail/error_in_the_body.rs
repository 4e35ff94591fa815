use toolwright::{tool, tools};

#[tool]
async fn count(text: &str) -> usize {
    text.size()
}

#[tool]
fn length(text: &str) -> usize {
    format!("{}", text.len())
}

fn main() {
    let _ = tools![count, length];
}
