use toolwright::{prompt, prompts, tool, tools};

#[tool]
struct Add {
    a: f64,
    b: f64,
}

#[prompt]
struct Review;

#[tool]
const LIMIT: usize = 5;

fn main() {
    let Add { a, b } = Add { a: 1.0, b: 2.0 };
    let _ = a + b + LIMIT as f64;
    let _ = tools![Add];
    prompts![Review];
}
