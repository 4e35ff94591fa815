use toolwright::{tool, tools};

#[allow(non_camel_case_types)]
struct add {
    a: f64,
}

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
