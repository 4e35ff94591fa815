use toolwright::{tool, tools};

#[tool(readonly)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool(read_onyl, title = "Subtract")]
async fn sub(a: f64, b: f64) -> f64 {
    a - b
}

#[tool(destructiveHint = false, desc = "Multiplies.")]
async fn mul(a: f64, b: f64) -> f64 {
    a * b
}

#[tool(blocking)]
fn div(a: f64, b: f64) -> f64 {
    a / b
}

fn main() {
    let _ = tools![add, sub, mul, div];
}
