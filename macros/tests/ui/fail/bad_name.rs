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

fn main() {
    let _ = tools![space, größe, empty];
}
