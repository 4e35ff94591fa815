use toolwright::{tool, toolset};

#[tool(scopes = "notes:write")]
async fn no_list() {}

#[tool(scopes("notes:write"))]
async fn no_value() {}

#[tool(scopes["notes:write"])]
async fn no_equals_sign() {}

#[tool(scopes = [notes])]
async fn no_string() {}

#[tool(scopes = ["notes:write", "two words"])]
async fn no_scope() {}

struct Notes;

#[toolset]
impl Notes {
    #[tool(scopes = [""])]
    async fn empty(&self) {}

    #[tool(scopes = ["a\"b"])]
    async fn quote(&self) {}

    #[tool(scopes = ["a", "a\\b"])]
    async fn backslash(&self) {}
}

fn main() {
    let _ = toolwright::tools![no_list, no_value, no_equals_sign, no_string, no_scope];
}
