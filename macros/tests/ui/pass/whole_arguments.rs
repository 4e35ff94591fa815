//! All arguments as one value, with and without a pattern, and beside the call's own values.

use toolwright::{Args, CancelToken, Context, ToolRegistry, data, tool, tools};

#[data]
pub struct Search {
    query: String,
    #[serde(default)]
    limit: u32,
}

type Whole<T> = Args<T>;

#[tool]
async fn by_pattern(cx: &Context, Args(Search { query, .. }): Args<Search>) -> String {
    cx.progress(1.0, &query);
    query
}

#[tool]
async fn by_name(search: Whole<Search>, stop: CancelToken) -> u32 {
    if stop.is_cancelled() { 0 } else { search.0.limit }
}

pub fn main() {
    ToolRegistry::builder("notes").tools(tools![by_pattern, by_name]).build().unwrap();
}
