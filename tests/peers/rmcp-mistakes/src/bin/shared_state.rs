use std::sync::Arc;

use rmcp::{tool, tool_router};

struct Db;

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    #[tool]
    async fn search(&self, db: Arc<Db>) -> String {
        let _ = db;
        String::new()
    }
}

fn main() {
    let _ = Notes;
}
