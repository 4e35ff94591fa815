use toolwright::{tool, tools};

#[tool(read_only)]
#[tool(title = "Add")]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
#[prompt]
async fn review(branch: String) -> String {
    branch
}

#[toolwright::tool]
#[toolwright::tool(title = "Subtract")]
async fn subtract(a: f64, b: f64) -> f64 {
    a - b
}

fn main() {
    let _ = tools![add, review, subtract];
}
