use toolwright::tool;

#[tool(name = "add numbers")]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool(name = "")]
async fn empty() {}

#[tool]
async fn größe() -> u32 {
    1
}

fn main() {}
