use toolwright::{ToolRegistry, toolset};

struct Notes;

#[toolset]
impl Notes {
    fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = ToolRegistry::builder("notes").toolset(Notes);
}
