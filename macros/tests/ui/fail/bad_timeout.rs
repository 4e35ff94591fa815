use toolwright::{tool, tools};

#[tool(timeout = "10 minutes")]
async fn unit() {}

#[tool(timeout = "0s")]
async fn zero() {}

#[tool(timeout = 1.5)]
async fn number() {}

#[tool(timeout = "99999999999999999m")]
async fn too_long() {}

#[tool(timeout = "+5s")]
async fn signed() {}

fn main() {
    let _ = tools![unit, zero, number, too_long, signed];
}
