//! Tools that are declared where they are used.

use toolwright::{Args, ToolRegistry, data, tool};

pub fn main() {
    #[data]
    struct Point {
        x: f64,
    }

    #[tool]
    async fn x(Args(point): Args<Point>) -> f64 {
        point.x
    }

    ToolRegistry::builder("points").tool(x::tool()).build().unwrap();
}
