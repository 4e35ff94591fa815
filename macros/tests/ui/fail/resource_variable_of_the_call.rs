use toolwright::{Context, resource};

#[resource("notes://{cx}")]
fn note(cx: &Context) -> String {
    format!("{cx:?}")
}

fn main() {
    note::resource();
}
