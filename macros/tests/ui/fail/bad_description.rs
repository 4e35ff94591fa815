use toolwright::tool;

#[tool(description = 5)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
