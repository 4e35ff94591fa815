use toolwright::resource;

#[resource("a://b", audience = "user", priority = 2)]
fn number() -> &'static str {
    "text"
}

#[resource("a://c", audience = ["user", "model"], priority = "high")]
fn texts() -> &'static str {
    "text"
}

#[resource("a://{id}", size = 10)]
fn sized(id: u64) -> String {
    id.to_string()
}

fn main() {
    number::resource();
    texts::resource();
}
