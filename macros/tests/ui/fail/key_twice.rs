use toolwright::tool;

/// Add.
#[tool(title = "Add", read_only, title = "Sum")]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = add::tool();
}
