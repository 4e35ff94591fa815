use toolwright::tool;

#[tool(timeout = "10 minutes")]
async fn unit() {}

#[tool(timeout = "0s")]
async fn zero() {}

#[tool(timeout = 10)]
async fn number() {}

#[tool(timeout = "99999999999999999m")]
async fn too_long() {}

fn main() {}
