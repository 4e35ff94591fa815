use std::sync::Arc;

use toolwright::tool;

struct Db;

#[tool]
async fn count(db: Arc<Db>) -> usize {
    Arc::strong_count(&db)
}

fn main() {}
