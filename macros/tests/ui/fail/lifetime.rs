use toolwright::tool;

#[tool]
async fn first<'a>(text: &'a str) -> String {
    text.chars().take(1).collect()
}

#[tool]
async fn whole(text: &'static str) -> &'static str {
    text
}

fn main() {}
