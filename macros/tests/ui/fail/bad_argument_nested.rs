use toolwright::tool;

struct Celsius(f64);

#[tool]
async fn warm(degrees: Option<Vec<Celsius>>) -> bool {
    degrees.iter().flatten().any(|degrees| degrees.0 > 20.0)
}

fn main() {}
