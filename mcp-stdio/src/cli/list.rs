//! The lists of the tools, the prompts and the resources.

use serde_json::Value;
use toolwright::__private::{elements, join, member, split_first};
use toolwright::{Prompt, Resource, Tool, ToolRegistry};
use toolwright_console::Schema;
use toolwright_console::table::{row, table};

use super::client::Client;

/// A table of the tools, and of the prompts and of the resources if there are any.
pub(super) fn list(registry: &ToolRegistry, width: usize) -> String {
    let mut tools = vec![row(&["TOOL", "ARGUMENTS", "DESCRIPTION"])];
    for it in &registry.tools() {
        tools.push(tool(it));
    }
    let mut prompts = vec![row(&["PROMPT", "ARGUMENTS", "DESCRIPTION"])];
    for it in &registry.prompts() {
        prompts.push(prompt(it));
    }
    let mut resources = vec![row(&["RESOURCE", "TYPE", "DESCRIPTION"])];
    for it in &registry.resources() {
        resources.push(resource(it));
    }
    let mut text = table(&tools, width);
    for rows in [&prompts, &resources] {
        if rows.len() > 1 {
            text = text + "\n" + &table(rows, width);
        }
    }
    text
}

/// The lists that the server has, all pages of each as one: `{"tools":[…],"prompts":[…],…}`.
pub(super) async fn json(registry: &ToolRegistry, client: &mut Client) -> Result<String, String> {
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
    let mut texts = Vec::new();
    for (method, member, has_entries) in &lists {
        if *has_entries {
            let entries = entries(client, method, member).await?;
            texts.push(format!("\"{member}\":[{entries}]"));
        }
    }
    Ok(format!("{{{}}}\n", join(&texts, ",")))
}

/// The entries of all pages of a list, separated by commas.
async fn entries(client: &mut Client, method: &str, list: &str) -> Result<String, String> {
    let (mut entries, mut members) = (String::new(), String::new());
    loop {
        let page = client.request(method, &members).await?;
        for entry in member(&page, list).map(elements).unwrap_or_default() {
            entries.push_str(if entries.is_empty() { "" } else { "," });
            entries.push_str(entry);
        }
        match member(&page, "nextCursor") {
            None => return Ok(entries),
            Some(cursor) => members = format!(r#""cursor":{cursor},"#),
        }
    }
}

fn tool(tool: &Tool) -> Vec<String> {
    let schema: Value = tool.input_schema().get().parse().unwrap_or_default();
    entry(tool.name(), &arguments(&Schema::of(&schema).keys()), tool.description())
}

fn prompt(prompt: &Prompt) -> Vec<String> {
    let mut keys = Vec::new();
    for argument in prompt.arguments() {
        keys.push((&*argument.name, argument.required));
    }
    entry(prompt.name(), &arguments(&keys), prompt.description())
}

fn resource(resource: &Resource) -> Vec<String> {
    entry(resource.uri(), resource.mime_type().unwrap_or_default(), resource.description())
}

fn entry(name: &str, more: &str, description: &str) -> Vec<String> {
    let first = split_first(description, "\n\n").map_or(description, |(first, _)| first);
    row(&[name, more, first])
}

/// The names of arguments, in brackets if they are optional.
fn arguments(keys: &[(&str, bool)]) -> String {
    let mut words = Vec::new();
    for (key, is_required) in keys {
        words.push(if *is_required { (*key).to_owned() } else { format!("[{key}]") });
    }
    join(&words, " ")
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
        let first = client.request("tools/list", "").await.unwrap();
        assert!(member(&first, "nextCursor").is_some(), "there are several pages");
        let listed = json(&registry, &mut client).await.unwrap();
        let listed = member(&listed, "tools").map(elements).unwrap();
        let expected = (0..5).map(|at| format!("\"t{at}\""));
        let listed = listed.into_iter().map(|tool| member(tool, "name").unwrap().to_owned());
        assert!(listed.eq(expected));
    }
    #[tokio::test]
    async fn a_filter_says_which_tools_are_listed() {
        let tool = |name: &'static str| {
            Tool::new(name, "T", json!({"type": "object"}), async |_: Value, _| "")
        };
        let registry = ToolRegistry::builder("toy").tools(["shown", "hidden"].map(tool));
        let registry = registry.tool_filter(|tool, _| tool.name() != "hidden").build().unwrap();
        let mut client = Client::of(&registry, Handle::current());
        let listed = json(&registry, &mut client).await.unwrap();
        let names = elements(member(&listed, "tools").unwrap());
        let names: Vec<_> = names.into_iter().map(|tool| member(tool, "name").unwrap()).collect();
        assert_eq!(names, ["\"shown\""]);
    }
}
