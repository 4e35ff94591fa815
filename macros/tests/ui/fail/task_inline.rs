use toolwright::{tool, tools};

#[tool(task, inline)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool(inline, task = "required")]
fn negate(a: f64) -> f64 {
    -a
}

#[tool(task, inline)]
async fn double(a: f64) -> f64 {
    a + a
}

fn main() {
    let _ = tools![add, negate, double];
}
