use toolwright::tool;

#[tool(inline, read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
