use toolwright::{tool, tools};

#[tool(read_only idempotent, title = "Add")]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
