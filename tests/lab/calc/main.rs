//! The server whose speed and whose build the lab measures: the four tools of `tests/peers/rmcp`,
//! as a user of Toolwright writes them.

use std::process::ExitCode;
use std::time::Duration;

use toolwright::{Args, ToolRegistry, ToolRegistryBuilder, tool, tools};

fn main() -> ExitCode {
    toolwright_stdio::main(|| registry().build())
}

pub(crate) fn registry() -> ToolRegistryBuilder {
    ToolRegistry::builder("calc").tools(tools![add, echo, sleep_ms, search])
}

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Give the text back.
#[tool]
async fn echo(text: String) -> String {
    text
}

/// Sleep, then say ok.
#[tool]
async fn sleep_ms(ms: u64) -> String {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    "ok".to_owned()
}

/// Search with filters; says how many filters there were.
#[tool]
async fn search(Args(search): Args<Search>) -> String {
    search.filters.unwrap_or_default().len().to_string()
}

#[toolwright::data]
struct Search {
    query: String,
    limit: Option<u32>,
    filters: Option<Vec<Filter>>,
    options: Option<Options>,
}

#[toolwright::data]
struct Filter {
    field: String,
    op: Op,
    value: Value,
}

#[toolwright::data]
#[serde(rename_all = "lowercase")]
enum Op {
    Eq,
    Ne,
    Gt,
    Lt,
    Contains,
}

#[toolwright::data]
#[serde(untagged)]
enum Value {
    Text(String),
    Number(f64),
}

#[toolwright::data]
struct Options {
    case_sensitive: Option<bool>,
    page: Option<Page>,
}

#[toolwright::data]
struct Page {
    offset: u64,
    size: u64,
}
