use toolwright::tool;

struct Celsius(f64);

#[tool]
async fn warm(degrees: Celsius) -> bool {
    degrees.0 > 20.0
}

fn main() {
    let _ = toolwright::tools![warm];
}
