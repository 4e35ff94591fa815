use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Files;

#[tool_router(server_handler)]
impl Files {
    #[tool(annotations(read_only_hint = true, destructive_hint = true))]
    async fn remove(&self) -> String {
        String::new()
    }
}

fn main() {
    let _ = Files;
}
