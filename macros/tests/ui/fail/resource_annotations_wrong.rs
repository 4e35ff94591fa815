use toolwright::resource;

#[resource("a://b", audience = "user", priority = 2)]
fn number() -> &'static str {
    "text"
}

#[resource("a://c", audience = ["user", "model"], priority = "high")]
fn texts() -> &'static str {
    "text"
}

fn main() {
    number::resource();
    texts::resource();
}
