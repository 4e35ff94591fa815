//! Types with parameters, under `#[data]` and as arguments and results.

use toolwright::{Args, Json, ToolRegistry, data, tool, tools};

#[data]
pub struct Page<T> {
    items: Vec<T>,
    next: Option<u32>,
}

#[data]
pub struct Note {
    title: String,
}

#[tool]
async fn sort(Args(page): Args<Page<String>>) -> Json<Page<Note>> {
    let mut items: Vec<_> = page.items.into_iter().map(|title| Note { title }).collect();
    items.sort_by(|a, b| a.title.cmp(&b.title));
    Json(Page { items, next: page.next })
}

pub fn main() {
    ToolRegistry::builder("notes").tools(tools![sort]).build().unwrap();
}
