use toolwright::{Json, tool};

struct Celsius(f64);

#[tool]
async fn measure() -> Json<Celsius> {
    Json(Celsius(21.5))
}

fn main() {}
