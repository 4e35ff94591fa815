use toolwright::tool;

struct Notes;

#[tool]
impl Notes {
    fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = Notes.count();
}
