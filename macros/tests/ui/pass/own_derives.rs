//! Types that derive what they need themselves, without `#[data]`, and what is called so.

use toolwright::{Args, JsonSchema, ToolRegistry, data, tool, tools};

#[derive(toolwright::Deserialize, JsonSchema)]
#[serde(crate = "toolwright::__private::serde")]
#[schemars(crate = "toolwright::__private::schemars")]
pub struct Search {
    query: String,
}

/// Derives of a crate of another purpose.
mod archive {
    pub(crate) use std::clone::Clone as Serialize;
    pub(crate) use std::fmt::Debug as Deserialize;
}

#[data]
#[derive(archive::Serialize, archive::Deserialize)]
pub struct Kept {
    query: String,
}

#[tool]
async fn search(Args(Search { query }): Args<Search>) -> String {
    query
}

pub fn main() {
    let kept = Kept { query: String::new() };
    assert_eq!(format!("{:?}", kept.clone()), r#"Kept { query: "" }"#);
    ToolRegistry::builder("notes").tools(tools![search]).build().unwrap();
}
