use toolwright::tool;

/// Add.
#[tool(read_only = "yes")]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
