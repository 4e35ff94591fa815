use toolwright::{Serialize, data, tool, tools};

#[data]
#[derive(Debug, Clone, Serialize)]
struct Point {
    #[serde(default)]
    x: f64,
}

#[data]
#[derive(toolwright::JsonSchema)]
enum Shape {
    #[serde(rename = "round")]
    Circle {
        #[schemars(range(max = 9))]
        radius: u8,
    },
}

#[data]
#[derive(toolwright::Deserialize)]
union Number {
    #[serde(skip)]
    whole: u64,
    real: f64,
}

#[data]
#[derive(Serialize)]
struct Row<S> {
    cell: S,
}

#[tool]
async fn x(point: Point) -> f64 {
    point.x
}

fn main() {
    let _ = tools![x];
}
