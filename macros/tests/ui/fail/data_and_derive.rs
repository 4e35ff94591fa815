use toolwright::{Serialize, data, tool, tools};

#[data]
#[derive(Debug, Clone, Serialize)]
struct Point {
    #[serde(default)]
    x: f64,
}

#[tool]
async fn x(point: Point) -> f64 {
    point.x
}

fn main() {
    let _ = tools![x];
}
