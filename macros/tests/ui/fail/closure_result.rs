use toolwright::{Tool, data};

#[data]
struct Note {
    title: String,
}

fn main() {
    let _ = Tool::typed("note", "Makes a note", async |note: Note, _| note);
}
