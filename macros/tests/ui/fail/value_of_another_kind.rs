use toolwright::{tool, tools};

const TITLE: &str = "Add";

#[tool(title = TITLE)]
async fn constant() {}

#[tool(name = 5)]
async fn number() {}

#[tool(max_result_chars = "many")]
async fn text() {}

#[tool(crate = "toolwright")]
async fn path() {}

#[tool(crate = Self)]
async fn ty() {}

#[tool(crate = toolwright::<u8>)]
async fn generic() {}

#[tool(inline = true)]
fn inline() {}

fn main() {
    let _ = tools![constant, number, text, path, ty, generic, inline];
}
