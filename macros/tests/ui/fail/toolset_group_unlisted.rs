#![deny(dead_code)]

use toolwright::{ToolRegistry, toolset};

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    fn one(&self) {}
}

#[toolset(group = admin)]
impl Notes {
    #[tool]
    fn two(&self) {}
}

fn main() {
    let _ = ToolRegistry::builder("notes").toolset(Notes);
    Notes.two();
}
