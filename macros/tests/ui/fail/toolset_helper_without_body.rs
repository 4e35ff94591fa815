use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    /// Count the notes.
    #[tool]
    async fn notes_count(&self) -> usize {
        0
    }

    fn new() -> Self;
}

fn main() {}
