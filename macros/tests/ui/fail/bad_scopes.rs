use toolwright::{tool, toolset};

#[tool(scopes = "notes:write")]
async fn no_list() {}

#[tool(scopes("notes:write"))]
async fn no_value() {}

#[tool(scopes = [notes])]
async fn no_string() {}

#[tool(scopes = ["notes:write", "two words"])]
async fn no_scope() {}

struct Notes;

#[toolset]
impl Notes {
    #[tool(scopes = [""])]
    async fn empty(&self) {}
}

fn main() {
    let _ = toolwright::tools![no_list, no_value, no_string, no_scope];
}
