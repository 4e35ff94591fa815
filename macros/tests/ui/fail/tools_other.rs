use toolwright::{tool, tools};

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = tools![add, math::power(2.0)];
    let _ = tools![|a: f64| a, add];
    let _ = tools!["add"];
    let _ = tools![add, #[allow(unused)] add];
    let _ = tools![add add];
}
