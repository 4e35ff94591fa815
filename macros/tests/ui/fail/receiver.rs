use toolwright::{prompt, tool};

struct Notes;

impl Notes {
    /// Count the notes.
    #[tool]
    async fn count(&self) -> usize {
        0
    }

    #[prompt]
    async fn talk(&self) -> &'static str {
        "Which note?"
    }
}

fn main() {}
