use toolwright::{Args, Context, data, tool};

#[data]
struct Search {
    query: String,
}

#[tool]
async fn search(#[arg(description = "All.")] Args(search): Args<Search>) -> String {
    search.query
}

#[tool]
async fn wait(#[arg(rename = "context")] cx: &Context) {
    cx.cancelled().await;
}

fn main() {
    let _ = toolwright::tools![search, wait];
}
