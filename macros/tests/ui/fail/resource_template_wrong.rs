use toolwright::resource;

#[resource("notes://{id*}")]
fn note(id: u32) -> String {
    format!("{id}")
}

#[resource("notes://{}")]
fn nameless(id: u32) -> String {
    format!("{id}")
}

fn main() {
    nameless::resource();
    note::resource();
}
