use toolwright::{prompt, tool};

/// Upper case.
#[tool]
fn str(text: &str) -> String {
    text.to_uppercase()
}

#[tool(name = "float")]
fn f64(value: &str) -> f64 {
    value.parse().unwrap_or_default()
}

#[prompt]
fn bool() -> &'static str {
    "Yes or no?"
}

fn main() {
    let _ = str("a").len() as f64 + f64("1");
}
