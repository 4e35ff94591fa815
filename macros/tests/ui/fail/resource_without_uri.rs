use toolwright::resource;

#[resource]
fn note() -> String {
    String::new()
}

#[resource(mime = "text/plain")]
fn other() -> String {
    String::new()
}

fn main() {
    note::resource();
    other::resource();
}
