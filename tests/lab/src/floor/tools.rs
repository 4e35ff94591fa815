//! The four tools, with the types that those of the fixture have.

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub struct Add {
    pub a: f64,
    pub b: f64,
}

#[derive(Deserialize)]
pub struct Echo {
    pub text: String,
}

#[derive(Deserialize)]
pub struct SleepMs {
    pub ms: u64,
}

/// All of it is decoded, as in a real server; only the number of filters is used.
#[derive(Deserialize)]
#[expect(dead_code, reason = "the tool counts the filters and has no records to search")]
pub struct Search {
    query: String,
    limit: Option<u32>,
    pub filters: Option<Vec<Filter>>,
    options: Option<Options>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "filters are counted")]
pub struct Filter {
    field: String,
    op: Op,
    value: Operand,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Op {
    Eq,
    Ne,
    Gt,
    Lt,
    Contains,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "filters are counted")]
enum Operand {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "there are no records to search")]
struct Options {
    case_sensitive: Option<bool>,
    page: Option<Page>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "there are no records to search")]
struct Page {
    offset: u32,
    size: u32,
}

/// The result of `tools/list`.
pub fn list() -> Value {
    let tool = |name: &str, description: &str, properties: Value, required: Value| {
        let schema = json!({"type": "object", "properties": properties, "required": required});
        json!({"name": name, "description": description, "inputSchema": schema})
    };
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let whole = json!({"type": "integer", "minimum": 0});
    let filter = json!({
        "type": "object",
        "properties": {
            "field": text,
            "op": {"type": "string", "enum": ["eq", "ne", "gt", "lt", "contains"]},
            "value": {"type": ["string", "number"]},
        },
        "required": ["field", "op", "value"],
    });
    let page = json!({
        "type": "object",
        "properties": {"offset": whole, "size": whole},
        "required": ["offset", "size"],
    });
    let search = json!({
        "query": text,
        "limit": whole,
        "filters": {"type": "array", "items": filter},
        "options": {
            "type": "object",
            "properties": {"case_sensitive": {"type": "boolean"}, "page": page},
        },
    });
    json!({"tools": [
        tool("add", "Add two numbers.", json!({"a": number, "b": number}), json!(["a", "b"])),
        tool("echo", "Give the text back.", json!({"text": text}), json!(["text"])),
        tool("sleep_ms", "Sleep, then say ok.", json!({"ms": whole}), json!(["ms"])),
        tool("search", "Count the filters of a search.", search, json!(["query"])),
    ]})
}
