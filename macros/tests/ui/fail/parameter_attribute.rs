use toolwright::tool;

#[tool]
async fn search(#[foo(default = 10)] limit: u32, #[clap(short)] query: &str) -> String {
    format!("{limit} {query}")
}

#[tool]
async fn sometimes(#[cfg(unix)] limit: u32) -> u32 {
    limit
}

fn main() {}
