use toolwright::tool;

struct Notes;

impl Notes {
    /// Count the notes.
    #[tool]
    async fn count() -> usize {
        0
    }
}

fn main() {
    let _ = Notes::count();
}
