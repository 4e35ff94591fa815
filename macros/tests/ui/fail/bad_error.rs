use toolwright::tool;

struct Broken;

#[tool]
async fn measure() -> Result<f64, Broken> {
    Err(Broken)
}

fn main() {}
