use toolwright::{tool, tools};

#[tool(name = "add two")]
async fn space(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn größe() -> f64 {
    0.0
}

#[tool(name = "")]
async fn empty() {}

#[tool(name = "0123456789_abcdef0123456789_abcdef0123456789_abcdef0123456789_abcdef\
    0123456789_abcdef0123456789_abcdef0123456789_abcdef0123456789")]
async fn long() {}

fn main() {
    let _ = tools![space, größe, empty, long];
}
