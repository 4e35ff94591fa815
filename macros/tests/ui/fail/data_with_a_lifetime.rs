use toolwright::{data, tool, tools};

#[data]
struct Search<'a> {
    query: &'a str,
    #[serde(default)]
    limit: u32,
}

#[tool]
async fn search(search: Search<'_>) -> String {
    format!("{} {}", search.query, search.limit)
}

fn main() {
    let _ = tools![search];
}
