use toolwright::{tool, tools};

#[tool]
async fn length(text: str) -> usize {
    text.len()
}

#[tool]
async fn sum(values: [f64]) -> f64 {
    values.iter().sum()
}

#[tool]
async fn call(f: dyn Fn(&str) + Send) {
    f("");
}

fn main() {
    let _ = tools![length, sum, call];
}
