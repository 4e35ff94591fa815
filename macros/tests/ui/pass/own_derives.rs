//! Types that derive what they need themselves, without `#[data]`.

use toolwright::{Args, JsonSchema, ToolRegistry, tool, tools};

#[derive(toolwright::Deserialize, JsonSchema)]
#[serde(crate = "toolwright::__private::serde")]
#[schemars(crate = "toolwright::__private::schemars")]
pub struct Search {
    query: String,
}

#[tool]
async fn search(Args(Search { query }): Args<Search>) -> String {
    query
}

pub fn main() {
    ToolRegistry::builder("notes").tools(tools![search]).build().unwrap();
}
