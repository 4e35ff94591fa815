use std::sync::{Arc, Mutex};

use toolwright::{tool, tools};

struct Db;

#[tool]
async fn search(db: Arc<Db>, query: &str) -> String {
    let _ = db;
    query.to_owned()
}

#[tool]
async fn count(numbers: &Mutex<Vec<u8>>) -> usize {
    numbers.lock().unwrap().len()
}

fn main() {
    let _ = tools![search, count];
}
