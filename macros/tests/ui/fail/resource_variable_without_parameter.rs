use toolwright::resource;

#[resource("notes://{id}/{part}")]
fn note(id: u32) -> String {
    format!("{id}")
}

#[resource("notes://{_id}")]
fn unused(_id: u32) -> &'static str {
    "a note"
}

fn main() {
    note::resource();
}
