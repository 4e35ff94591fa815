use rmcp::{ServerHandler, tool};

#[derive(Clone)]
struct Notes;

impl Notes {
    /// Count the notes.
    #[tool]
    async fn count(&self) -> String {
        "0".to_owned()
    }
}

impl ServerHandler for Notes {}

fn main() {
    let _ = Notes;
}
