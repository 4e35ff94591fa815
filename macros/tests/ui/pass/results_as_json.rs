//! Structured results.

use std::collections::BTreeMap;

use toolwright::{Json, ToolRegistry, Value, data, json, tool, tools};

#[data]
pub struct Sum {
    value: f64,
}

#[tool]
async fn sum(values: Vec<f64>) -> Json<Sum> {
    Json(Sum { value: values.iter().sum() })
}

#[tool]
async fn list() -> Json<Vec<Sum>> {
    Json(Vec::new())
}

#[tool]
async fn map() -> Result<Json<BTreeMap<String, u8>>, String> {
    Ok(Json(BTreeMap::new()))
}

/// A type that is never read may have texts of the program.
#[data]
pub struct Entry {
    name: String,
    kind: &'static str,
}

#[tool]
async fn entry(name: String) -> Json<Entry> {
    Json(Entry { name, kind: "file" })
}

#[tool]
async fn any() -> Json<Value> {
    Json(json!({"any": [1, null]}))
}

#[tool]
fn told(name: &str) -> std::io::Result<(String, Json<Sum>)> {
    Ok((format!("The sum of {name} is 0."), Json(Sum { value: 0.0 })))
}

pub fn main() {
    ToolRegistry::builder("sums").tools(tools![sum, list, map, entry, any, told]).build().unwrap();
}
