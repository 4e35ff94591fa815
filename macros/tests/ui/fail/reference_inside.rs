use toolwright::tool;

#[tool]
async fn greet(name: Option<&str>) -> String {
    format!("Hello, {}!", name.unwrap_or("you"))
}

#[tool]
async fn join(parts: &[&str]) -> String {
    parts.concat()
}

fn main() {}
