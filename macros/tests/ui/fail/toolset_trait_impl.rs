use toolwright::{ToolRegistry, toolset};

trait Count {
    fn count(&self) -> usize;
}

struct Notes;

struct Others;

#[toolset]
impl Count for Notes {
    #[tool]
    fn count(&self) -> usize {
        0
    }
}

trait Name {
    fn name(&self) -> String;
}

#[toolset]
impl Name for Others {
    fn name(&self) -> String {
        String::new()
    }
}

fn main() {
    let _ = ToolRegistry::builder("notes").toolset(Notes);
}
