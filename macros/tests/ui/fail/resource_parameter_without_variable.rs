use toolwright::{Context, resource};

#[resource("notes://{id}")]
fn note(id: u32, line: Option<u32>, _cx: &Context) -> String {
    format!("{id} {line:?}")
}

fn main() {
    note::resource();
}
