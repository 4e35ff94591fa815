use toolwright::resource;

#[resource("notes://{id*}")]
fn note(id: u32) -> String {
    format!("{id}")
}

fn main() {
    note::resource();
}
