//! The crate under another path.

mod facade {
    pub use toolwright as kit;
}

use facade::kit::{ToolRegistry, data, tool, tools};

#[data(crate = facade::kit)]
pub struct Point {
    x: f64,
}

#[tool(crate = facade::kit)]
async fn x(point: Point) -> f64 {
    point.x
}

pub fn main() {
    ToolRegistry::builder("points").tools(tools![x]).build().unwrap();
}
