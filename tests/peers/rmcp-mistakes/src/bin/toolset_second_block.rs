use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    #[tool]
    async fn count(&self) -> String {
        "0".to_owned()
    }
}

#[tool_router]
impl Notes {
    #[tool]
    async fn size(&self) -> String {
        "0".to_owned()
    }
}

fn main() {
    let _ = Notes;
}
