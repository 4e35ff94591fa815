//! Values that calls share.

use std::sync::{Arc, Mutex};

use toolwright::{State, ToolRegistry, tool, tools};

pub struct Db {
    rows: Mutex<Vec<String>>,
}

type Shared = State<Db>;

#[tool]
async fn insert(db: State<Db>, row: String) -> usize {
    let mut rows = db.rows.lock().unwrap();
    rows.push(row);
    rows.len()
}

#[tool]
fn count(db: &Shared, limit: Option<State<usize>>) -> usize {
    db.rows.lock().unwrap().len().min(limit.map_or(usize::MAX, |limit| *limit))
}

pub fn main() {
    let db = Arc::new(Db { rows: Mutex::default() });
    ToolRegistry::builder("rows").state(db).tools(tools![insert, count]).build().unwrap();
    assert!(ToolRegistry::builder("rows").tools(tools![insert]).build().is_err());
}
