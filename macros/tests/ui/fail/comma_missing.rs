use toolwright::{tool, tools};

#[tool(read_only idempotent, title = "Add")]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool(meta("a" = 1 "b" = 2))]
async fn sub(#[arg(example = 1 min = 0)] a: f64, #[arg(default = 1 max = 2)] b: f64) -> f64 {
    a - b
}

fn main() {
    let _ = tools![add, sub];
}
