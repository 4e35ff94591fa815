use toolwright::{prompt, tool, tools};

#[tool(meta("a" = 1, "b" = 2), meta("a" = 3))]
async fn written() {}

#[tool(meta("anthropic/alwaysLoad" = true), always_load = false)]
async fn by_key() {}

#[tool(ui = "ui://view", meta("ui" = {"prefersBorder": true}))]
async fn view() {}

#[tool(meta("ui" = 1, "ui" = 2), visibility = ["app"])]
async fn thrice() {}

#[prompt(meta("ui" = 1, "a" = 2, "ui" = 3))]
fn of_prompt() -> &'static str {
    ""
}

fn main() {
    let _ = tools![written, by_key, view, thrice];
}
