use rmcp::{tool, tool_router};

trait Count {
    fn count(&self) -> String;
}

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Count for Notes {
    #[tool]
    fn count(&self) -> String {
        "0".to_owned()
    }
}

fn main() {
    let _ = Notes.count();
}
