use rmcp::{schemars, tool, tool_router};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Note {
    title: String,
}

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    #[tool]
    async fn first(&self) -> Note {
        Note { title: String::new() }
    }
}

fn main() {
    let _ = Notes;
}
