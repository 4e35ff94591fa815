//! What the call lends to the function.

use std::collections::BTreeMap;

use toolwright::{ToolRegistry, data, tool, tools};

#[data]
pub struct Point {
    x: f64,
}

#[tool]
async fn describe(
    name: &str,
    words: &[String],
    point: &Point,
    points: &[Point],
    list: &Vec<u8>,
    map: &BTreeMap<String, u8>,
    fixed: &[u8; 2],
) -> String {
    let x: f64 = points.iter().map(|point| point.x).sum::<f64>() + point.x;
    format!("{name} {words:?} {x} {list:?} {map:?} {fixed:?}")
}

pub fn main() {
    ToolRegistry::builder("all").tools(tools![describe]).build().unwrap();
}
