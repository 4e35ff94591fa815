use toolwright::tool;

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64;

fn main() {}
