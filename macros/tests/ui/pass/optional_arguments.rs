//! Arguments that may be absent.

use toolwright::{ToolRegistry, tool, tools};

type Maybe<T> = Option<T>;

#[tool]
async fn search(
    query: Option<String>,
    limit: Maybe<usize>,
    exact: Option<Option<bool>>,
    tags: &Option<Vec<String>>,
) -> String {
    format!("{query:?} {limit:?} {exact:?} {tags:?}")
}

pub fn main() {
    ToolRegistry::builder("notes").tools(tools![search]).build().unwrap();
}
