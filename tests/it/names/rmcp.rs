//! `docs/FROM-RMCP.md` has names of ours and of rmcp that exist.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::{assert_exist, gather, is_path, last_cells, root, section, spans};
use crate::peers::installed;

include!("rmcp_paths.rs");

fn page() -> String {
    fs::read_to_string(root().join("docs/FROM-RMCP.md")).unwrap()
}

/// The tables that name both.
fn tables(page: &str) -> [&str; 2] {
    ["Names", "Theirs"].map(|title| section(page, title))
}

#[test]
fn our_names_exist() {
    let page = page();
    let macros = ["tool", "tools", "prompt", "prompts", "resource", "toolset"];
    let names = tables(&page).into_iter().flat_map(last_cells).flat_map(spans);
    let full = |name: &str| match name.starts_with("toolwright_stdio::") {
        true => name.to_owned(),
        false => format!("toolwright::{name}"),
    };
    let ours: BTreeSet<_> =
        names.filter(|name| is_path(name) || macros.contains(name)).map(full).collect();
    assert_exist(ours, PATHS, 35, &["sdk/src", "mcp-stdio/src"]);
}

/// The sources of the pinned rmcp, where cargo has them.
fn sources() -> Option<Vec<String>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")))?;
    let lock = fs::read_to_string(root().join("tests/peers/rmcp/Cargo.lock")).unwrap();
    let (_, version) = lock.split_once("name = \"rmcp\"\nversion = \"").unwrap();
    let version = version.split('"').next().unwrap();
    assert!(page().contains(version), "the page is about another version than {version}");
    let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let registries: Vec<_> = registries.map(|registry| registry.path()).collect();
    let mut sources = Vec::new();
    for package in ["rmcp", "rmcp-macros"] {
        let package = PathBuf::from(format!("{package}-{version}"));
        let library = |registry: &PathBuf| registry.join(&package).join("src/lib.rs");
        let mut libraries = registries.iter().map(library);
        let library = installed(libraries.find(|library| library.is_file()).unwrap_or(package))?;
        gather(library.parent().unwrap(), &mut sources);
    }
    Some(sources)
}

/// Whether something of this name is defined.
fn is_defined(name: &str, sources: &[String]) -> bool {
    let kinds =
        ["struct", "enum", "trait", "type", "fn", "mod", "macro_rules!", "peer_not", "peer_req"];
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    kinds.iter().any(|kind| {
        let definition = format!("{kind} {name}");
        sources.iter().any(|source| source.split(&definition).skip(1).any(is_end))
    })
}

#[test]
fn names_of_rmcp_exist() {
    let Some(sources) = sources() else { return };
    let page = page();
    let rows = tables(&page).into_iter().flat_map(str::lines);
    let cells = rows.filter_map(|row| row.strip_prefix("| ")?.split(" | ").next());
    let macros = ["tool_router", "tool_handler", "prompt_router", "prompt_handler", "elicit_safe"];
    let names = cells.flat_map(spans).filter(|name| is_path(name) || macros.contains(name));
    let theirs = |name: &&str| !name.starts_with("http::") && !name.starts_with("tokio::");
    let names: BTreeSet<_> = names.filter(theirs).collect();
    assert!(names.len() > 80, "only {} names: the check has gone blind", names.len());
    let is_known = |name: &&str| name.split("::").all(|part| is_defined(part, &sources));
    let unknown: Vec<_> = names.iter().filter(|name| !is_known(name)).collect();
    assert!(unknown.is_empty(), "rmcp has none of these: {unknown:#?}");
}
