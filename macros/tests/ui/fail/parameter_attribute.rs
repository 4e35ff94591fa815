use toolwright::tool;

#[tool]
async fn search(#[foo(default = 10)] limit: u32, #[serde(rename = "q")] query: &str, #[schemars(range(min = 1))] page: u32) -> String {
    format!("{limit} {query} {page}")
}

#[tool]
async fn sometimes(#[cfg(unix)] limit: u32) -> u32 {
    limit
}

fn main() {}
