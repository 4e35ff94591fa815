use toolwright::{tool, tools};

#[tool(meta = "value")]
async fn not_a_list() {}

#[tool(meta(key = 1))]
async fn not_a_string() {}

#[tool(meta("key"))]
async fn no_value() {}

#[tool(meta("key" =))]
async fn empty_value() {}

fn main() {
    let _ = tools![not_a_list, not_a_string, no_value, empty_value];
}
