//! Structs and enums under `#[data]`, with the attributes of serde and schemars.

use toolwright::{Json, ToolRegistry, data, tool, tools};

/// How to compare.
#[data]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// The same.
    #[default]
    Eq,
    Ne,
}

#[data]
#[derive(Debug)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    field: String,
    #[serde(default)]
    op: Op,
    #[serde(rename = "max")]
    #[schemars(range(max = 100))]
    limit: Option<u32>,
    /// Filters recur.
    of: Vec<Filter>,
}

#[data]
#[serde(tag = "kind")]
pub enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

mod geometry {
    use toolwright::data;

    /// No `Vec` of the standard library: it has room for a tag.
    #[data]
    pub struct Vec {
        pub x: f64,
        pub y: f64,
    }
}

#[data]
#[serde(tag = "kind")]
pub enum Arrow {
    To(geometry::Vec),
}

#[tool]
async fn length(arrow: Arrow) -> f64 {
    let Arrow::To(geometry::Vec { x, y }) = arrow;
    x.hypot(y)
}

#[tool]
async fn check(filters: Vec<Filter>, shape: Shape) -> Json<Vec<Filter>> {
    let _ = matches!(shape, Shape::Circle { radius } | Shape::Square { side: radius } if radius > 1.0);
    Json(filters)
}

pub fn main() {
    ToolRegistry::builder("filters").tools(tools![check, length]).build().unwrap();
}
