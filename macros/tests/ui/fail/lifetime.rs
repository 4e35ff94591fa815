use toolwright::tool;

#[tool]
async fn first<'a>(text: &'a str) -> String {
    text.chars().take(1).collect()
}

#[tool]
async fn whole(text: &'static str) -> &'static str {
    text
}

#[tool]
async fn deep(text: &'static Option<&str>) -> bool {
    text.is_some()
}

fn main() {}
