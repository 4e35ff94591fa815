use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    #[tool]
    async fn change(&mut self) -> String {
        String::new()
    }
}

fn main() {
    let _ = Notes;
}
