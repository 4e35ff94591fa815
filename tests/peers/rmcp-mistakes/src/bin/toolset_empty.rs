use rmcp::tool_router;

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    fn count(&self) -> String {
        "0".to_owned()
    }
}

fn main() {
    let _ = Notes.count();
}
