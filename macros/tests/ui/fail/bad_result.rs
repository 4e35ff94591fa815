use toolwright::tool;

struct Celsius(f64);

#[tool]
async fn measure() -> Celsius {
    Celsius(21.5)
}

fn main() {
    let _ = toolwright::tools![measure];
}
