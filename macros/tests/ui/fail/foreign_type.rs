use std::time::Instant;

use toolwright::{tool, tools};

#[tool]
async fn remind(at: Instant, until: Option<Instant>) -> bool {
    until.is_some_and(|until| at < until)
}

fn main() {
    let _ = tools![remind];
}
