use toolwright::resource;

#[resource("a://b", ttl = 10)]
fn number() -> &'static str {
    "text"
}

#[resource("a://c", ttl = "soon", cache_scope = "shared")]
fn texts() -> &'static str {
    "text"
}

fn main() {
    number::resource();
    texts::resource();
}
