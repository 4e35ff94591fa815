use toolwright::tool;

#[tool]
async fn search(
    #[serde(default)] limit: u32,
    #[serde(rename = "q", alias = "text")] query: &str,
    #[serde(skip)] page: u32,
    #[schemars(length(max = 1))] names: Option<&str>,
    #[serde(default)] #[arg(default = 1)] more: u32,
) -> String {
    format!("{limit} {query} {page} {names:?} {more}")
}

fn main() {
    let _ = search::tool();
}
