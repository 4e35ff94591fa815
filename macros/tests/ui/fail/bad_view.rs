use toolwright::tool;

#[tool(ui = "https://example.com")]
fn address() {}

#[tool(ui = "ui://a", visibility = ["app", "user"])]
fn user() {}

#[tool(ui = "ui:a")]
fn opaque() {}

#[tool(visibility = "app")]
fn text() {}

#[tool(visibility = [])]
fn nobody() {}

fn main() {
    address::tool();
    user::tool();
    opaque::tool();
    text::tool();
    nobody::tool();
}
