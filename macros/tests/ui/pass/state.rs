//! Values that calls share.

use std::collections::HashMap;
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

type Say = dyn Fn(&str) -> String + Send + Sync;

#[tool]
fn translate(
    words: State<HashMap<&'static str, u32>>,
    say: &State<dyn Fn(&str) -> String + Send + Sync>,
    other: Option<State<&'static str>>,
    word: &str,
) -> String {
    let other = other.map_or("", |other| *other);
    format!("{:?} {} {other}", words.get(word), say(word))
}

pub fn main() {
    let db = Arc::new(Db { rows: Mutex::default() });
    ToolRegistry::builder("rows").state(db).tools(tools![insert, count]).build().unwrap();
    let say: Arc<Say> = Arc::new(str::to_uppercase);
    ToolRegistry::builder("words")
        .state(HashMap::from([("one", 1_u32)]))
        .state(say)
        .tools(tools![translate])
        .build()
        .unwrap();
    assert!(ToolRegistry::builder("rows").tools(tools![insert]).build().is_err());
}
