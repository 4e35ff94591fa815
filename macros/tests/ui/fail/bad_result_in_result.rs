use toolwright::tool;

struct Celsius(f64);

#[tool]
async fn measure() -> Result<Celsius, std::io::Error> {
    Ok(Celsius(21.5))
}

fn main() {}
