use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
pub struct Add {
    pub a: f64,
    pub b: f64,
}

#[derive(Deserialize, JsonSchema)]
pub struct Echo {
    pub text: String,
}

#[derive(Deserialize, JsonSchema)]
pub struct SleepMs {
    pub ms: u64,
}

/// All of it is decoded, as in a real server; only the number of filters is used.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code)]
pub struct Search {
    query: String,
    limit: Option<u32>,
    pub filters: Option<Vec<Filter>>,
    options: Option<Options>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code)]
pub struct Filter {
    field: String,
    op: Op,
    value: Value,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    Eq,
    Ne,
    Gt,
    Lt,
    Contains,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code)]
pub enum Value {
    Text(String),
    Number(f64),
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code)]
pub struct Options {
    case_sensitive: Option<bool>,
    page: Option<Page>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code)]
pub struct Page {
    offset: u64,
    size: u64,
}
