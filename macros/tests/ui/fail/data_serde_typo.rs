use toolwright::{data, tool, tools};

#[data]
struct Point {
    #[serde(defualt)]
    x: f64,
}

#[tool]
async fn x(point: Point) -> f64 {
    point.x
}

fn main() {
    let _ = tools![x];
}
