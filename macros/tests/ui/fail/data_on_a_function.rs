use toolwright::data;

#[data]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[data]
const NAME: &str = "calc";

fn main() {
    let _ = add(1.0, NAME.len() as f64);
}
