use std::rc::Rc;

use rmcp::{tool, tool_router};

async fn pause() {}

#[derive(Clone)]
struct Calc;

#[tool_router(server_handler)]
impl Calc {
    #[tool]
    async fn count(&self) -> String {
        let shared = Rc::new(1);
        pause().await;
        shared.to_string()
    }
}

fn main() {
    let _ = Calc;
}
