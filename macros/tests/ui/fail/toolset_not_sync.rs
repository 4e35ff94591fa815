use std::cell::RefCell;

use toolwright::{ToolRegistry, toolset};

struct Notes(RefCell<Vec<String>>);

#[toolset]
impl Notes {
    #[tool]
    async fn keep(&self, text: String) {
        self.0.borrow_mut().push(text);
    }
}

fn main() {
    let _ = ToolRegistry::builder("notes").toolset(Notes(RefCell::default()));
}
