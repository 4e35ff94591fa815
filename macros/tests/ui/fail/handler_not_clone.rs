use std::sync::Mutex;

use toolwright::{Tool, data};

#[data]
struct Note {
    text: String,
}

fn main() {
    let notes = Mutex::new(Vec::new());
    let add = async move |note: Note, _| notes.lock().unwrap().push(note.text);
    let _ = Tool::typed("add", "Add a note", add);
}
