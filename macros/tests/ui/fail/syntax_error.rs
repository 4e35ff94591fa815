use toolwright::{ToolRegistry, tool, tools, toolset};

#[tool]
async fn add(#[arg(min = 1)] a: u8, #[arg(max = 9)] b u8) -> u8 {
    a + b
}

struct Notes;

#[toolset]
impl Notes {
    #[tool(read_only)]
    fn find(&self, #[arg(secret)] word: &str, #[arg(min = 1)] limit = u8) -> usize {
        word.len() + limit
    }
}

fn main() {
    let _ = ToolRegistry::builder("notes").tools(tools![add]).toolset(Notes);
    Notes.find("a", 1);
}
