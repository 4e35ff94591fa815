//! The list of the tools.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;
use toolwright::{Tool, ToolRegistry};

use super::client::Client;
use super::schema::Schema;
use super::table::table;

/// A line or more for each tool.
pub(super) fn list(registry: &ToolRegistry, width: usize) -> String {
    let heads = ["TOOL", "ARGUMENTS", "DESCRIPTION"].map(str::to_owned).to_vec();
    let rows: Vec<_> = [heads].into_iter().chain(registry.tools().iter().map(row)).collect();
    table(&rows, width)
}

/// All pages of `tools/list` as one: `{"tools":[…]}`.
pub(super) fn json(client: &mut Client) -> Result<String, String> {
    let unread = |error: serde_json::Error| error.to_string();
    let mut tools: Vec<String> = Vec::new();
    let mut members = String::new();
    loop {
        let page = client.request("tools/list", &members)?;
        let page: HashMap<&str, &RawValue> = serde_json::from_str(page.get()).map_err(unread)?;
        let text = |name| page.get(name).map_or("null", |text| text.get());
        let more: Option<Vec<&RawValue>> = serde_json::from_str(text("tools")).map_err(unread)?;
        tools.extend(more.into_iter().flatten().map(|tool| tool.get().to_owned()));
        match text("nextCursor") {
            "null" => return Ok(format!("{{\"tools\":[{}]}}\n", tools.join(","))),
            cursor => members = format!(r#""cursor":{cursor},"#),
        }
    }
}

fn row(tool: &Tool) -> Vec<String> {
    let schema: Value = tool.input_schema().get().parse().unwrap_or_default();
    let keys = Schema::of(&schema).keys().into_iter().map(|(key, is_required)| match is_required {
        true => key.to_owned(),
        false => format!("[{key}]"),
    });
    let keys = keys.collect::<Vec<_>>().join(" ");
    let first = tool.description().split("\n\n").next().unwrap_or_default();
    vec![tool.name().to_owned(), keys, first.to_owned()]
}
