use std::fmt::Display;

use toolwright::tool;

#[tool]
async fn show(value: impl Display + Send) -> String {
    value.to_string()
}

#[tool]
async fn shown(value: f64) -> impl Display {
    value
}

#[tool]
async fn call(f: impl Fn(&str) + Send) {
    f("")
}

#[tool]
async fn lent(path: &impl AsRef<std::path::Path>) -> bool {
    path.as_ref().is_absolute()
}

#[tool]
fn list(items: &[impl Display]) -> usize {
    items.len()
}

#[tool]
fn maybe(text: Option<impl Into<String>>) -> bool {
    text.is_some()
}

#[tool]
fn tried() -> Result<impl Display, String> {
    Ok(1)
}

#[tool]
fn found() -> Option<impl Display> {
    Some(1)
}

fn main() {}
