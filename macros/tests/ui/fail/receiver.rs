use toolwright::tool;

struct Notes;

impl Notes {
    /// Count the notes.
    #[tool]
    async fn count(&self) -> usize {
        0
    }
}

fn main() {}
