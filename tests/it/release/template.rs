//! `templates/server` is a server whose test passes.

use std::fs;
use std::path::{Path, PathBuf};

use super::metadata::root;
use crate::compiled::{cargo, target};

const NAME: &str = "made-from-template";
const DESCRIPTION: &str = "Divides numbers.";

/// Makes a package of the template, as `cargo generate` does, with the packages of this workspace.
fn generated() -> PathBuf {
    let (template, target) = (root().join("templates/server"), target().join("tmp").join(NAME));
    fs::create_dir_all(target.join("src")).unwrap();
    for file in ["Cargo.toml", "README.md", "src/main.rs"] {
        let text = fs::read_to_string(template.join(file)).unwrap();
        let text = text.replace("{{project-name}}", NAME).replace("{{description}}", DESCRIPTION);
        assert!(!text.contains("{{"), "{file} has another placeholder");
        fs::write(target.join(file), text).unwrap();
    }
    let manifest = target.join("Cargo.toml");
    let path = |folder| toml(&root().join(folder));
    let patched = fs::read_to_string(&manifest).unwrap()
        + &format!(
            "\n[workspace]\n\n[patch.crates-io]\ntoolwright = {{ path = {} }}\n\
             toolwright-console = {{ path = {} }}\n\
             toolwright-macros = {{ path = {} }}\ntoolwright-stdio = {{ path = {} }}\n",
            path("sdk"),
            path("console"),
            path("macros"),
            path("mcp-stdio"),
        );
    fs::write(manifest, patched).unwrap();
    fs::copy(root().join("Cargo.lock"), target.join("Cargo.lock")).unwrap();
    target
}

/// A string in TOML, which has JSON's.
fn toml(path: &Path) -> String {
    serde_json::Value::from(path.to_string_lossy()).to_string()
}

#[test]
fn a_new_server_passes_its_test_and_says_how_to_connect_it() {
    let folder = generated();
    let said = cargo(&folder, "test", &[]);
    assert!(said.contains("1 passed"), "{said}");
    let config = cargo(&folder, "run", &["config"]);
    let program = target().join("debug").join(NAME);
    let shown = fs::read_to_string(folder.join("README.md")).unwrap();
    let shown = shown.lines().find(|line| line.starts_with("{\"mcpServers\"")).unwrap();
    let placed = shown.replace(&format!("/path/to/{NAME}"), program.to_str().unwrap());
    assert_eq!(config.trim_end(), placed);
    assert_eq!(cargo(&folder, "run", &["--", "--version"]).trim_end(), format!("{NAME} 0.1.0"));
}
