use toolwright::{tool, tools};

#[tool]
async fn length(text: str) -> usize {
    text.len()
}

#[tool]
async fn sum(values: [f64]) -> f64 {
    values.iter().sum()
}

fn main() {
    let _ = tools![length, sum];
}
