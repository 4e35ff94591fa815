use toolwright::{tool, tools};

#[tool]
async fn greet(name: Sting) -> String {
    format!("Hello, {name}!")
}

#[tool]
async fn count(text: &str) -> Usize {
    text.len()
}

fn main() {
    let _ = tools![greet, count];
}
