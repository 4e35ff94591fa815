use toolwright::ToolRegistry;

struct Notes;

impl Notes {
    fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = ToolRegistry::builder("notes").toolset(Notes);
    Notes.count();
}
