use toolwright::tool;

/// Add.
#[tool(readonly)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = toolwright::tools![add];
}
