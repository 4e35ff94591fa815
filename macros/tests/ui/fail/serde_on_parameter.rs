use toolwright::tool;

#[tool]
async fn search(
    #[serde(default)] limit: u32,
    #[serde(rename = "q", alias = "text")] query: &str,
    #[serde(skip)] page: u32,
    #[schemars(length(max = 1))] names: Option<&str>,
    #[schemars(length(max = 1))] words: &[&str],
    #[serde(flatten)] rest: u32,
    #[serde(skip_deserializing)] time: u32,
    #[serde(default)] #[arg(default = 1)] more: u32,
) -> String {
    format!("{limit} {query} {page} {names:?} {words:?} {rest} {time} {more}")
}

fn main() {
    let _ = search::tool();
}
