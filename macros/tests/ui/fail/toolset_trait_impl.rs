use toolwright::{ToolRegistry, toolset};

trait Count {
    fn count(&self) -> usize;
}

struct Notes;

#[toolset]
impl Count for Notes {
    #[tool]
    fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = ToolRegistry::builder("notes").toolset(Notes);
}
