//! The lists of the tools, the prompts and the resources.

use serde_json::Value;
use toolwright::__private::{elements, join, member, split_first};
use toolwright::{Prompt, Resource, Tool, ToolRegistry};
use toolwright_console::Schema;
use toolwright_console::table::table;

use super::client::Client;

/// A table of the tools, and of the prompts and of the resources if there are any.
pub(super) fn list(registry: &ToolRegistry, width: usize) -> String {
    let (tools, prompts, resources) = (registry.tools(), registry.prompts(), registry.resources());
    let tables = [
        (["TOOL", "ARGUMENTS", "DESCRIPTION"], tools.iter().map(tool).collect::<Vec<_>>()),
        (["PROMPT", "ARGUMENTS", "DESCRIPTION"], prompts.iter().map(prompt).collect()),
        (["RESOURCE", "TYPE", "DESCRIPTION"], resources.iter().map(resource).collect()),
    ];
    let tables =
        tables.into_iter().enumerate().filter(|(at, (_, rows))| *at == 0 || !rows.is_empty());
    let tables = tables.map(|(_, (heads, mut rows))| {
        rows.insert(0, heads.map(str::to_owned).to_vec());
        table(&rows, width)
    });
    join(&Vec::from_iter(tables), "\n")
}

/// The lists that the server has, all pages of each as one: `{"tools":[…],"prompts":[…],…}`.
pub(super) fn json(registry: &ToolRegistry, client: &mut Client) -> Result<String, String> {
    let resources = registry.resources();
    let lists = [
        ("tools/list", "tools", true),
        ("prompts/list", "prompts", !registry.prompts().is_empty()),
        ("resources/list", "resources", resources.iter().any(|it| !it.is_template())),
        (
            "resources/templates/list",
            "resourceTemplates",
            resources.iter().any(Resource::is_template),
        ),
    ];
    let lists = lists.into_iter().filter(|(_, _, has_entries)| *has_entries);
    let lists = lists.map(|(method, member, _)| {
        entries(client, method, member).map(|all| format!("\"{member}\":[{}]", join(&all, ",")))
    });
    Ok(format!("{{{}}}\n", join(&lists.collect::<Result<Vec<_>, _>>()?, ",")))
}

/// The entries of all pages of a list.
fn entries(client: &mut Client, method: &str, list: &str) -> Result<Vec<String>, String> {
    let mut entries: Vec<String> = Vec::new();
    let mut members = String::new();
    loop {
        let page = client.request(method, &members)?;
        let more = member(&page, list).map(elements).unwrap_or_default();
        entries.extend(more.into_iter().map(str::to_owned));
        match member(&page, "nextCursor") {
            None => return Ok(entries),
            Some(cursor) => members = format!(r#""cursor":{cursor},"#),
        }
    }
}

fn tool(tool: &Tool) -> Vec<String> {
    let schema: Value = tool.input_schema().get().parse().unwrap_or_default();
    let keys = Schema::of(&schema).keys();
    row(tool.name(), arguments(keys), tool.description())
}

fn prompt(prompt: &Prompt) -> Vec<String> {
    let keys = prompt.arguments().iter().map(|argument| (&*argument.name, argument.required));
    row(prompt.name(), arguments(keys), prompt.description())
}

fn resource(resource: &Resource) -> Vec<String> {
    let mime_type = resource.mime_type().unwrap_or_default().to_owned();
    row(resource.uri(), mime_type, resource.description())
}

fn row(name: &str, more: String, description: &str) -> Vec<String> {
    let first = split_first(description, "\n\n").map_or(description, |(first, _)| first);
    vec![name.to_owned(), more, first.to_owned()]
}

/// The names of arguments, in brackets if they are optional.
fn arguments<'a>(keys: impl IntoIterator<Item = (&'a str, bool)>) -> String {
    let keys = keys.into_iter().map(|(key, is_required)| match is_required {
        true => key.to_owned(),
        false => format!("[{key}]"),
    });
    join(&Vec::from_iter(keys), " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::runtime::Handle;

    use super::*;

    #[tokio::test]
    async fn all_pages_are_listed() {
        let schema = || json!({"type": "object"});
        let tool = |at| Tool::new(format!("t{at}"), "T", schema(), async |_: Value, _| "");
        let registry = ToolRegistry::builder("toy").tools((0..5).map(tool)).page_size(2);
        let registry = registry.build().unwrap();
        let mut client = Client::of(&registry, Handle::current());
        let first = client.request("tools/list", "").unwrap();
        assert!(member(&first, "nextCursor").is_some(), "there are several pages");
        let listed = json(&registry, &mut client).unwrap();
        let listed = member(&listed, "tools").map(elements).unwrap();
        let expected = (0..5).map(|at| format!("\"t{at}\""));
        let listed = listed.into_iter().map(|tool| member(tool, "name").unwrap().to_owned());
        assert!(listed.eq(expected));
    }
}
