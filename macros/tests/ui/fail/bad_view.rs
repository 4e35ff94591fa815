use toolwright::tool;

#[tool(ui = "https://example.com")]
fn address() {}

#[tool(ui = "ui://a", visibility = ["user"])]
fn user() {}

#[tool(visibility = "app")]
fn text() {}

fn main() {
    address::tool();
    user::tool();
    text::tool();
}
