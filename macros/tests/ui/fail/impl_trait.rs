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

fn main() {}
